import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type OpenStream, openStream } from '../../support/clients/event-stream.ts'

let app: TestApp
let owner: TestClient
const streams: OpenStream[] = []

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => app.close())

const newFinding = async (details: object = {}) => {
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Watched', details })).body.data.id as string
  const { body, status } = await owner.post('/api/web/findings', { engagementId, title: 'Watched' })
  expect(status).toBe(201)
  return { engagementId, id: body.data.id as string }
}
const look = async (client: TestClient, id: string, query = '') => {
  const stream = await openStream(client, `/api/web/events?viewing=${id}${query}`)
  streams.push(stream)
  return stream
}
const viewersOf = async (id: string, client = owner) => {
  const { body, status } = await client.get(`/api/web/findings/${id}/viewers`)
  expect(status).toBe(200)
  return body.data
}

test('a person with a finding open is listed once, and as editing while one of their tabs edits it; each change is announced', async () => {
  const mate = await app.signedIn('member')
  const { id, engagementId } = await newFinding()
  const listener = await openStream(owner, '/api/web/events')
  streams.push(listener)
  await look(mate, id)
  const editor = await look(mate, id, '&editing=true')
  await eventually(async () =>
    expect(await viewersOf(id)).toEqual([{ id: mate.user.id, name: mate.user.name, editing: true }]),
  )
  expect(await listener.hears(id)).toEqual({ type: 'finding', id, engagementId, change: 'updated' })
  editor.close()
  await eventually(async () =>
    expect(await viewersOf(id)).toEqual([{ id: mate.user.id, name: mate.user.name, editing: false }]),
  )
})

test('A1, A5: a finding that the caller does not see has no viewers and accepts none; who loses access is removed', async () => {
  const team = await app.signedIn('member')
  const stranger = await app.signedIn('member')
  const outsider = await app.signedIn('owner', await app.createOrganization())
  const { id, engagementId } = await newFinding({ access: 'team', team: [team.user.id] })
  const unknown = await stranger.get('/api/web/findings/fnd_0000000000000000000000000z/viewers')
  for (const client of [stranger, outsider]) {
    const answer = await client.get(`/api/web/findings/${id}/viewers`)
    expect([answer.status, answer.text]).toEqual([404, unknown.text])
    expect((await look(client, id)).status).toBe(404)
  }
  await look(team, id)
  await eventually(async () => expect(await viewersOf(id)).toHaveLength(1))
  await owner.patch(`/api/web/engagements/${engagementId}/details`, { team: [] })
  await eventually(async () => expect(await viewersOf(id)).toEqual([]), 5_000)
})
