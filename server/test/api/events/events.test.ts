import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { invitationToken } from '../../../src/features/organizations/invitations/invitations.service.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { type Announcement, announce } from '../../../src/platform/events/announce.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type OpenStream, openStream } from '../../support/clients/event-stream.ts'
import { upload } from '../../support/document/files.ts'

let app: TestApp
let owner: TestClient
/** An engagement that everyone in the organization sees. */
let openId: string
const streams: OpenStream[] = []

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  openId = (await owner.post('/api/web/engagements', { name: 'Open' })).body.data.id
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => app.close())

const open = async (client: TestClient, query = '', headers: Record<string, string> = {}) => {
  const stream = await openStream(client, `/api/web/events${query}`, headers)
  streams.push(stream)
  return stream
}
const say = (announcement: Announcement, organizationId = app.organization.id) =>
  transaction(app.platform.scopedTo(organizationId), (tx) => announce(tx, announcement))
/** Arrives after everything that was announced and delivered before it: it waits for the same check of rights. */
const mark = async (stream: OpenStream) => {
  const id = `mark_${Math.random()}`
  await say({ type: 'page', engagementId: openId, ids: [id], change: 'updated', seenBefore: 'everyone' })
  await stream.hears(id)
}
const files = () => `/api/web/engagements/${openId}/files`
const received = (stream: OpenStream) =>
  stream.received.filter((event) => event === 'reset' || !event.id?.startsWith('mark_'))

describe('a stream', () => {
  test('delivers changes in the organization; with an engagement, only those that concern it', async () => {
    const [all, one] = [await open(owner), await open(owner, `?engagementId=${openId}`)]
    expect([
      all.status,
      all.headers['content-type'],
      all.headers['x-accel-buffering'],
      all.headers['cache-control'],
    ]).toEqual([200, 'text/event-stream; charset=utf-8', 'no', 'no-store'])
    const { id } = (await owner.post('/api/web/engagements', { name: 'Announced' })).body.data
    expect(await all.hears(id)).toEqual({ type: 'engagement', id, engagementId: id, change: 'created' })
    await owner.patch(`/api/web/engagements/${openId}`, { name: 'Renamed' })
    expect(await one.hears(openId)).toEqual({ type: 'engagement', id: openId, engagementId: openId, change: 'updated' })
    const file = (await upload(owner, files(), 'x')).body.data
    expect(await one.hears(file.id)).toEqual({ type: 'file', id: file.id, engagementId: openId, change: 'created' })
    await owner.delete(`${files()}/${file.id}`)
    await owner.delete(`/api/web/engagements/${id}`, { body: { name: 'Announced' } })
    await eventually(() =>
      expect(all.received).toContainEqual({ type: 'engagement', id, engagementId: id, change: 'deleted' }),
    )
    await mark(one)
    expect(received(one)).toEqual([
      { type: 'engagement', id: openId, engagementId: openId, change: 'updated' },
      { type: 'file', id: file.id, engagementId: openId, change: 'created' },
      { type: 'file', id: file.id, engagementId: openId, change: 'deleted' },
    ])
  })

  test('tells every member that a setting of the organization changed, but not which: clients, methodologies, fields, keys, invitations', async () => {
    const stream = await open(await app.signedIn('member'))
    const stranger = await open(await app.signedIn('owner', await app.createOrganization()))
    const web = (path: string, body: object) => owner.post(`/api/web${path}`, body)
    const changes = [
      () => web('/clients', { name: 'Contoso Ltd.' }),
      () => web('/methodologies', { name: 'Our list', items: [{ key: 'A-1', title: 'Look' }] }),
      () => web('/field-definitions', { objectType: 'finding', key: 'team', type: 'text', label: 'Team' }),
      () => web('/organizations/current/members/invite', { email: 'guest@example.com', role: 'member' }),
      () => web('/views', { list: 'targets', name: 'Mine', search: 'kind=host' }),
      () => owner.patch('/api/web/organizations/current', { name: 'Renamed' }),
    ]
    for (const [index, change] of changes.entries()) {
      const answer = await change()
      expect(answer.status, answer.text).toBeLessThan(300)
      await eventually(() =>
        expect(stream.received.filter((event) => event !== 'reset' && event.type === 'setting')).toHaveLength(
          index + 1,
        ),
      )
    }
    expect(stream.received).toContainEqual({ type: 'setting', id: null, engagementId: null, change: 'updated' })
    await mark(stream)
    expect(received(stranger)).toEqual([])
  })

  test('tells all who are signed in of a person who joins, changes role or name, or is removed', async () => {
    const organization = await app.createOrganization()
    const [first, elsewhere] = [await app.signedIn('owner', organization), await open(owner)]
    const stream = await open(first)
    const expectLast = async (id: string, change: string) => {
      const people = () => stream.received.filter((event) => event === 'reset' || event.type !== 'setting')
      await eventually(() => expect(people().at(-1)).toEqual({ type: 'member', id, engagementId: null, change }))
    }
    const person = await app.createUser()
    const invited = await first.post('/api/web/organizations/current/members/invite', {
      email: person.email,
      role: 'member',
    })
    const session = await app.signIn(person)
    const token = invitationToken(app.platform.keys, invited.body.data.id, 1)
    expect((await session.post('/api/web/invitations/accept', { token })).status).toBe(200)
    await expectLast(person.id, 'created')
    const member = `/api/web/organizations/current/members/${person.id}`
    await first.patch(member, { role: 'admin' })
    await expectLast(person.id, 'updated')
    const count = stream.received.length
    await session.patch('/api/web/account', { name: 'Another Name' })
    await eventually(() => expect(stream.received).toHaveLength(count + 1))
    await expectLast(person.id, 'updated')
    await first.delete(member)
    await expectLast(person.id, 'deleted')
    await mark(elsewhere)
    expect(received(elsewhere)).toEqual([])
  })

  test('delivers nothing of a change that is rolled back or of another organization, and one event for more than 100 ids', async () => {
    const stream = await open(owner)
    const other = await app.createOrganization()
    const undone = transaction(app.platform.scopedTo(app.organization.id), async (tx) => {
      await announce(tx, { type: 'task', engagementId: openId, ids: ['tsk_undone'], change: 'created' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await say({ type: 'page', engagementId: null, ids: ['wik_theirs'], change: 'created' }, other.id)
    await say({ type: 'target', engagementId: openId, ids: [], change: 'created' })
    await say({
      type: 'target',
      engagementId: openId,
      ids: Array.from({ length: 100 }, (_, i) => `tgt_${i}`),
      change: 'created',
    })
    await say({
      type: 'result',
      engagementId: openId,
      ids: Array.from({ length: 101 }, (_, i) => `res_${i}`),
      change: 'moved',
    })
    await mark(stream)
    expect(received(stream)).toHaveLength(101)
    expect(received(stream).at(-1)).toEqual({ type: 'result', id: null, engagementId: openId, change: 'moved' })
  })

  test('A5: an engagement that a member does not see never appears, nor does anything in it; its team receives its events', async () => {
    const [stranger, colleague] = [await app.signedIn('member'), await app.signedIn('member')]
    const [theirs, teams, owners] = [await open(stranger), await open(colleague), await open(owner)]
    const details = { access: 'team', team: [colleague.user.id] }
    const { id } = (await owner.post('/api/web/engagements', { name: 'Hidden', details })).body.data
    await owner.patch(`/api/web/engagements/${id}`, { name: 'Hidden still' })
    await say({ type: 'target', engagementId: id, ids: ['tgt_hidden'], change: 'created' })
    for (const stream of [teams, owners]) await stream.hears('tgt_hidden')
    await owner.delete(`/api/web/engagements/${id}`, { body: { name: 'Hidden still' } })
    for (const stream of [theirs, teams, owners]) await mark(stream)
    expect(received(theirs)).toEqual([])
    for (const stream of [teams, owners])
      expect(stream.received).toContainEqual({ type: 'engagement', id, engagementId: id, change: 'deleted' })
  })

  test('a user who loses an engagement receives one event that it is gone and nothing of it afterwards; a user who gains it receives one too', async () => {
    const [loses, gains] = [await app.signedIn('member'), await app.signedIn('member')]
    const { id } = (
      await owner.post('/api/web/engagements', { name: 'Moves', details: { access: 'team', team: [loses.user.id] } })
    ).body.data
    const [losing, gaining] = [await open(loses), await open(gains)]
    for (const stream of [losing, gaining]) await mark(stream)
    const before = received(losing).length
    await owner.patch(`/api/web/engagements/${id}`, { name: 'Moved' })
    await eventually(() => expect(received(losing)).toHaveLength(before + 1))
    await owner.patch(`/api/web/engagements/${id}/details`, { team: [gains.user.id] })
    await say({ type: 'task', engagementId: id, ids: ['tsk_later'], change: 'created' })
    for (const stream of [losing, gaining]) await mark(stream)
    const engagement = { type: 'engagement', id, engagementId: id }
    expect(received(losing).slice(before)).toEqual([
      { ...engagement, change: 'updated' },
      { ...engagement, change: 'deleted' },
    ])
    expect(received(gaining)).toEqual([
      { ...engagement, change: 'updated' },
      { type: 'task', id: 'tsk_later', engagementId: id, change: 'created' },
    ])
  })

  test('the check for single engagements hides exactly what hidden_engagements hides', async () => {
    const members = await Promise.all(Array.from({ length: 3 }, () => app.signedIn('member')))
    const admin = await app.signedIn('admin')
    const ids: string[] = []
    for (let n = 0; n < 12; n++) {
      const team = members.filter((_, i) => (n >> i) & 1).map(({ user }) => user.id)
      const details = {
        access: n % 3 === 0 ? 'organization' : 'team',
        team,
        ...(n % 4 === 1 && { lead: members[0]?.user.id }),
      }
      ids.push((await owner.post('/api/web/engagements', { name: `Number ${n}`, details })).body.data.id)
    }
    await owner.delete(`/api/web/engagements/${ids[0]}`, { body: { name: 'Number 0' } })
    for (const person of [...members, admin]) {
      const stream = await open(person)
      for (const id of ids) await say({ type: 'task', engagementId: id, ids: [`in_${id}`], change: 'created' })
      await mark(stream)
      const listed = (await person.get('/api/web/engagements?perPage=100&q=Number')).body.data.map(
        (each: { id: string }) => `in_${each.id}`,
      )
      expect(
        received(stream)
          .map((event) => event !== 'reset' && event.id)
          .toSorted(),
      ).toEqual(listed.toSorted())
      stream.close()
    }
  })

  test('is refused without a session, for a foreign or hidden engagement, for a key at the door of sessions, and from another site', async () => {
    const member = await app.signedIn('member')
    const hidden = (await owner.post('/api/web/engagements', { name: 'Hidden', details: { access: 'team' } })).body.data
      .id
    const foreign = await app.createOrganization()
    const foreignOwner = await app.signedIn('owner', foreign)
    const foreignId = (await foreignOwner.post('/api/web/engagements', { name: 'Foreign' })).body.data.id
    for (const id of [hidden, foreignId, 'eng_00000000000000000000000000'])
      expect((await open(member, `?engagementId=${id}`)).status).toBe(404)
    expect((await open(app.anonymous)).status).toBe(401)
    expect((await open(member.with({ 'x-organization': foreign.id }))).status).toBe(404)
    const browser = app.anonymous.with({ cookie: member.headers.cookie as string })
    const named = `?organization=${app.organization.id}`
    expect((await open(browser, named, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await open(browser, named, { 'sec-fetch-site': 'cross-site' })).status).toBe(400)
    const key = await app.withKey(['organizations:read'])
    expect((await open(key)).status).toBe(401)
    expect((await member.request('HEAD', '/api/web/events')).status).toBe(200)
  })

  test('a person has at most six, in any number of sessions; another one opens when one has ended', async () => {
    const person = await app.createMember('member')
    const sessions = [await app.signIn(person, app.organization.id), await app.signIn(person, app.organization.id)]
    const opened: OpenStream[] = []
    for (let n = 0; n < 6; n++) opened.push(await open(sessions[n % 2] as TestClient))
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
    const seventh = await open(sessions[0] as TestClient)
    expect([seventh.status, seventh.headers['retry-after']]).toEqual([429, '10'])
    expect((await open(owner)).status).toBe(200)
    opened[0]?.close()
    await eventually(async () => expect((await open(sessions[0] as TestClient)).status).toBe(200))
  })

  test('sends reset once the listening connection was lost and is back, and then delivers new events', async () => {
    const stream = await open(owner)
    await mark(stream)
    await app.asSuperuser(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sortie-events' and datname = current_database()",
    )
    await eventually(() => expect(stream.received).toContain('reset'))
    await mark(stream)
    expect(stream.ended).toBe(false)
  })

  test('of a reader that keeps up survives a burst: it receives reset', async () => {
    const stream = await open(owner)
    const ids = Array.from({ length: 100 }, (_, i) => `tgt_${String(i).padStart(26, '0')}`)
    await transaction(app.platform.scopedTo(app.organization.id), async (tx) => {
      for (let n = 0; n < 200; n++)
        await announce(tx, { type: 'target', engagementId: null, ids: ids.map((id) => `${id}${n}`), change: 'updated' })
    })
    await eventually(() => expect(stream.received).toContain('reset'))
    await mark(stream)
    expect(stream.ended).toBe(false)
  })

  test('does not count as a request in progress', async () => {
    const small = await testApp({ workers: false, env: { OVERLOAD_MAX_REQUESTS: '2' } })
    const person = await small.signedIn('owner')
    const opened: OpenStream[] = []
    for (let n = 0; n < 5; n++) opened.push(await openStream(person))
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await person.get('/api/web/organizations/current')).status).toBe(200)
    await small.close()
    await eventually(() => expect(opened.every(({ ended }) => ended)).toBe(true))
  })
})
