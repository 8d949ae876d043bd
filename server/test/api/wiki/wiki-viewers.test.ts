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
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => app.close())

const newPage = async (engagementId: string | null = null) => {
  const { body, status } = await owner.post('/api/web/wiki-pages', { title: `Page ${Math.random()}`, engagementId })
  expect(status).toBe(201)
  return body.data.id as string
}

/** Opens a stream like a browser tab that shows the page. */
const look = async (client: TestClient, pageId: string) => {
  const stream = await openStream(client, `/api/web/events?viewing=${pageId}`)
  streams.push(stream)
  return stream
}

const namesAt = async (pageId: string, client = owner) => {
  const { body, status } = await client.get(`/api/web/wiki-pages/${pageId}/viewers`)
  expect(status).toBe(200)
  return body.data.map(({ name }: { name: string }) => name)
}

test('a person with a page open is listed once, by name, in any number of tabs, until the last is closed; each change is announced', async () => {
  const [first, second] = [await app.signedIn('member'), await app.signedIn('member')]
  const names = [first.user.name, second.user.name].toSorted()
  const [pageId, otherId] = [await newPage(), await newPage()]
  expect(await namesAt(pageId)).toEqual([])
  const listener = await openStream(owner, '/api/web/events')
  streams.push(listener)
  const tabs = [
    await look(first, pageId),
    await look(first, pageId),
    await look(second, pageId),
    await look(second, otherId),
  ]
  await eventually(async () => expect(await namesAt(pageId, first)).toEqual(names))
  expect(await namesAt(otherId)).toEqual([second.user.name])
  expect(await listener.hears(pageId)).toEqual({ type: 'page', id: pageId, engagementId: null, change: 'updated' })
  const { body } = await owner.get(`/api/web/wiki-pages/${pageId}/viewers`)
  expect(body.data).toContainEqual({ id: first.user.id, name: first.user.name, editing: false })

  tabs[0]?.close()
  tabs[2]?.close()
  await eventually(async () => expect(await namesAt(pageId)).toEqual([first.user.name]))
  tabs[1]?.close()
  await eventually(async () => expect(await namesAt(pageId)).toEqual([]))
})

test('a stream that ended with its process is listed for at most half a minute; an open one stays', async () => {
  const [lasting, lost] = [await app.signedIn('member'), await app.signedIn('member')]
  const pageId = await newPage()
  await look(lasting, pageId)
  await eventually(async () => expect(await namesAt(pageId)).toEqual([lasting.user.name]))
  await app.asSuperuser(
    `insert into viewers (id, organization_id, engagement_id, page_id, user_id, seen_at)
     select 'vwr_lost', organization_id, engagement_id, page_id, '${lost.user.id}', seen_at from viewers where page_id = '${pageId}'`,
  )
  expect(await namesAt(pageId)).toHaveLength(2)
  app.clock.advance(25_000)
  expect(await namesAt(pageId)).toHaveLength(2)
  // Open ones are renewed every ten seconds.
  await eventually(async () => {
    app.clock.advance(1_000)
    expect(await namesAt(pageId)).toEqual([lasting.user.name])
  })
})

test('A1, A5: a page of another organization, or of an engagement that the caller does not see, has no viewers and accepts none', async () => {
  const team = await app.signedIn('member')
  const stranger = await app.signedIn('member')
  const { id } = (
    await owner.post('/api/web/engagements', { name: 'Hidden', details: { access: 'team', team: [team.user.id] } })
  ).body.data
  const hidden = await newPage(id)
  const outsider = await app.signedIn('owner', await app.createOrganization())
  const unknown = await stranger.get('/api/web/wiki-pages/wik_0000000000000000000000/viewers')
  for (const client of [stranger, outsider]) {
    const answer = await client.get(`/api/web/wiki-pages/${hidden}/viewers`)
    expect([answer.status, answer.text]).toEqual([404, unknown.text])
    const stream = await openStream(client, `/api/web/events?viewing=${hidden}`)
    streams.push(stream)
    expect(stream.status).toBe(404)
  }
  await look(team, hidden)
  await eventually(async () => expect(await namesAt(hidden)).toEqual([team.user.name]))
})

test('a person who loses access to the page is removed from its viewers within seconds', async () => {
  const leaving = await app.signedIn('member')
  const { id } = (
    await owner.post('/api/web/engagements', { name: 'Shrinks', details: { access: 'team', team: [leaving.user.id] } })
  ).body.data
  const pageId = await newPage(id)
  await look(leaving, pageId)
  await eventually(async () => expect(await namesAt(pageId)).toEqual([leaving.user.name]))
  await owner.patch(`/api/web/engagements/${id}/details`, { team: [] })
  await eventually(async () => expect(await namesAt(pageId)).toEqual([]), 5_000)
})

test('the viewers of a page are shown only to members in the web', async () => {
  const key = await app.withKey(['wiki:read'])
  const pageId = await newPage()
  expect((await key.get(`/api/v1/wiki-pages/${pageId}/viewers`)).status).toBe(404)
})
