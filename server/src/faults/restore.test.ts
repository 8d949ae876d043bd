import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { signInAsOwner, withNewKey } from '../testing/server-clients.ts'
import { createStage } from '../testing/server-process.ts'
import { TestClient } from '../testing/test-client.ts'

const ENGAGEMENTS = '/api/v1/engagements'

const stage = createStage()
afterAll(() => stage.close())

test('F21, F22: a copy that was made as documented starts elsewhere with every row; under another SESSION_SECRET sessions have ended, keys and passwords work', async () => {
  const first = await stage.server()
  await first.ready()
  const owner = await signInAsOwner(first.origin)
  const key = await withNewKey(owner)
  for (let i = 0; i < 20; i++) expect((await key.post(ENGAGEMENTS, { name: `Kept ${i}` })).status).toBe(201)
  const kept = (await key.get(`${ENGAGEMENTS}?perPage=100`)).body
  expect((await first.stop()).code).toBe(0)

  const backup = path.join(stage.directory(), 'sortie-backup.tgz')
  const tar = (...args: string[]) => expect(spawnSync('tar', args).stderr.toString()).toBe('')
  tar('-C', first.dataDir, '-czpf', backup, '.')
  // Written after the copy: not in it.
  const went = await stage.server({ dataDir: first.dataDir })
  await went.ready()
  expect((await new TestClient(went.origin, key.headers).post(ENGAGEMENTS, { name: 'Later' })).status).toBe(201)
  expect((await went.stop()).code).toBe(0)

  const dataDir = stage.directory()
  tar('-C', dataDir, '-xzpf', backup)
  const restored = await stage.server({ dataDir, env: { SESSION_SECRET: 'another secret than that of the first server' } })
  await restored.ready()
  const sameKey = new TestClient(restored.origin, key.headers)
  expect((await sameKey.get(`${ENGAGEMENTS}?perPage=100`)).body).toEqual(kept)
  expect((await new TestClient(restored.origin, owner.headers).get('/api/web/organizations')).status).toBe(401)
  const again = await signInAsOwner(restored.origin)
  expect((await again.get('/api/web/organizations')).status).toBe(200)
  expect((await sameKey.post(ENGAGEMENTS, { name: 'Goes on' })).status).toBe(201)
  expect((await restored.stop()).code).toBe(0)
})
