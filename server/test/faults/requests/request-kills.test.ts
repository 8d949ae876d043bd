import { afterAll, beforeAll, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const stage = createStage()
let web: Receiver
let env: Record<string, string>
let server: ServerProcess
let key: TestClient
let engagementId: string

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => {
    // The slow request is never answered.
    if (!url.startsWith('/slow')) response.end('fine')
  })
  stage.add(() => web.close())
  env = {
    DATABASE_URL: databaseUrl(await copyTemplate()),
    STORAGE_PATH: stage.directory(),
    EGRESS_ALLOW: `127.0.0.1:${web.port}`,
  }
  server = await stage.server({ env })
  await server.ready()
  const owner = await signInAsOwner(server.origin)
  key = await withNewKey(owner, ['api-requests:read', 'api-requests:write'])
  engagementId = (await owner.post('/api/web/engagements', { name: 'Killed' })).body.data.id
})
afterAll(() => stage.close())

const create = async (path: string, fields: object) => {
  const response = await key.post(path, { engagementId, name: 'Something', ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

test('after kill -9 of the server during a run and a sequence, both have failed within a minute, and nothing is sent again', async () => {
  const single = await create('/api/v1/api-requests', { url: `${web.origin}/slow/single` })
  const folder = await create('/api/v1/request-folders', {})
  for (const path of ['/first', '/slow/second', '/third'])
    await create('/api/v1/api-requests', { folderId: folder.id, url: `${web.origin}${path}` })
  const executing = [
    key.post(`/api/v1/api-requests/${single.id}/execute`, {}),
    key.post(`/api/v1/request-folders/${folder.id}/execute`, {}),
  ]
  const ended = Promise.allSettled(executing)
  const sent = () => web.received.map(({ url }) => url).toSorted()
  await eventually(() => expect(sent()).toEqual(['/first', '/slow/second', '/slow/single']))
  await server.kill()
  const killedAt = performance.now()
  await ended

  const again = await stage.server({ env, port: server.port, dataDir: server.dataDir })
  await again.ready()
  await eventually(async () => {
    const runs = (await key.get(`/api/v1/request-runs?engagementId=${engagementId}`)).body.data as {
      state: string
      url: string
    }[]
    const states = runs.map(({ state, url }) => [new URL(url).pathname, state])
    expect(states.toSorted()).toEqual([
      ['/first', 'succeeded'],
      ['/slow/second', 'failed'],
      ['/slow/single', 'failed'],
    ])
    const [sequence] = (await key.get(`/api/v1/request-sequences?folderId=${folder.id}`)).body.data
    expect(sequence.state).toBe('failed')
  }, 60_000)
  expect(performance.now() - killedAt).toBeLessThan(hereMs(60_000))
  const { body } = await key.post('/api/v1/api-requests/send', {
    engagementId,
    request: { url: `${web.origin}/after` },
  })
  expect(body.data.state).toBe('succeeded')
  expect(sent()).toEqual(['/after', '/first', '/slow/second', '/slow/single'])
})
