import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient, TestResponse } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const SEND = '/api/web/api-requests/send'
const FORBIDDEN =
  'Only the owner or an admin may send without an engagement, and in the web interface only: name an engagement in engagementId.'
const NO_REASON = 'override: say why it is sent without an engagement, or name one in engagementId'
const override = { reason: 'Check of the way out before the engagement begins' }

let app: TestApp
let side: Receiver
let owner: TestClient
let admin: TestClient
let member: TestClient
let key: TestClient
let engagementId: string

beforeAll(async () => {
  side = await startReceiver((_request, response) => response.end('fine'))
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: '127.0.0.0/8' } })
  ;[owner, admin, member] = await Promise.all([app.signedIn('owner'), app.signedIn('admin'), app.signedIn('member')])
  key = await app.withKey(['api-requests:read', 'api-requests:write', 'targets:read'])
  engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await side.close()
})

const request = () => ({ url: `${side.origin}/` })
const refusalOf = ({ status, body }: TestResponse): [number, string] => [status, body.error.message]

/** A request and a folder of the library. */
const library = async () => {
  const folder: string = (await owner.post('/api/web/request-folders', { name: 'Library' })).body.data.id
  const saved: string = (await owner.post('/api/web/api-requests', { name: 'Saved', folderId: folder, ...request() }))
    .body.data.id
  return { folder, saved }
}

describe('T8: without an engagement', () => {
  test('a member and a key send nothing, with or without a reason', async () => {
    const { folder, saved } = await library()
    const before = side.connections
    for (const body of [{}, { override }]) {
      for (const [client, prefix] of [
        [member, '/api/web'],
        [key, '/api/v1'],
      ] as const) {
        expect(refusalOf(await client.post(`${prefix}/api-requests/send`, { request: request(), ...body }))).toEqual([
          403,
          FORBIDDEN,
        ])
        expect(refusalOf(await client.post(`${prefix}/api-requests/${saved}/execute`, body))).toEqual([403, FORBIDDEN])
        expect(refusalOf(await client.post(`${prefix}/request-folders/${folder}/execute`, body))).toEqual([
          403,
          FORBIDDEN,
        ])
      }
    }
    expect(side.connections).toBe(before)
    expect((await owner.get('/api/web/request-runs?organization=true')).body.data).toEqual([])
  })

  test('the owner and admins send nothing without a reason, and nothing with one in an engagement', async () => {
    const { folder, saved } = await library()
    const before = side.connections
    for (const client of [owner, admin]) {
      expect(refusalOf(await client.post(SEND, { request: request() }))).toEqual([422, NO_REASON])
      expect(refusalOf(await client.post(`/api/web/api-requests/${saved}/execute`, {}))).toEqual([422, NO_REASON])
      expect(refusalOf(await client.post(`/api/web/request-folders/${folder}/execute`, {}))).toEqual([422, NO_REASON])
      expect((await client.post(SEND, { request: request(), override: { reason: '  ' } })).status).toBe(422)
      const both = await client.post(SEND, { engagementId, request: request(), override })
      expect(refusalOf(both)).toEqual([422, 'override: is for what is sent without an engagement'])
    }
    expect(side.connections).toBe(before)
  })

  test('a request sent with a reason shows it in the run, the audit log, and the operation log of the organization', async () => {
    const { folder, saved } = await library()
    const sentAt = app.clock.now()
    const unsaved = (await admin.post(SEND, { request: request(), override })).body.data
    const executed = (await owner.post(`/api/web/api-requests/${saved}/execute`, { override })).body.data
    const sequence = (await owner.post(`/api/web/request-folders/${folder}/execute`, { override })).body.data
    expect(sequence).toMatchObject({ state: 'succeeded', engagementId: null, override })
    for (const run of [unsaved, executed, ...sequence.runs]) {
      expect(run).toMatchObject({ state: 'succeeded', engagementId: null, override })
    }
    const runIds = [unsaved.id, executed.id, sequence.runs[0].id].toSorted()
    const at = new Date(sentAt).toISOString()
    const found = (await key.get(`/api/v1/operations?organization=true&address=127.0.0.1&at=${at}`)).body.data
    expect(found.map(({ runId }: { runId: string }) => runId).toSorted()).toEqual(runIds)
    expect(found[0]).toMatchObject({
      engagementId: null,
      kind: 'request',
      note: `without an engagement: ${override.reason}`,
    })
    const everywhere = (await member.get(`/api/web/operations?address=127.0.0.1&at=${at}`)).body.data
    expect(everywhere.map(({ runId }: { runId: string }) => runId).toSorted()).toEqual(runIds)
    const audited = (await owner.get('/api/web/audit?perPage=100')).body.data as {
      action: string
      after: { override?: string }
    }[]
    const reasons = audited.filter(
      ({ action }) => action === 'api-request.executed' || action === 'request-folder.executed',
    )
    expect(reasons.map(({ after }) => after.override)).toEqual(reasons.map(() => override.reason))
  })

  test('its rows in the operation log are permanent: no one changes or deletes them, and no limited key sees them', async () => {
    await owner.post(SEND, { request: request(), override })
    const rows = () =>
      app.db.selectFrom('operation_log_entries').select('id').where('engagement_id', 'is', null).orderBy('id').execute()
    const before = await rows()
    expect(before.length).toBeGreaterThan(0)
    await expect(app.asSuperuser('delete from operation_log_entries where engagement_id is null')).rejects.toThrow(
      'append-only',
    )
    await expect(
      app.asSuperuser(`update operation_log_entries set note = null where engagement_id is null`),
    ).rejects.toThrow('append-only')
    expect(await rows()).toEqual(before)
    const wanted = { name: 'limited', environment: 'live', scopes: ['targets:read'], engagementIds: [engagementId] }
    const limited = app.anonymous.with({
      authorization: `Bearer ${(await owner.post('/api/web/api-keys', wanted)).body.data.value}`,
    })
    expect((await limited.get('/api/v1/operations?organization=true')).body.data).toEqual([])
    expect((await limited.get('/api/v1/operations')).body.data).toEqual([])
  })

  test('an admin who is demoted while a request is in progress sends no further hop', async () => {
    const demoted = await app.signedIn('admin')
    const gate = await startReceiver((_request, response) => {
      const toMember = owner.patch(`/api/web/organizations/current/members/${demoted.user.id}`, { role: 'member' })
      // The answer of a second ago is cached.
      const passed = toMember.then(() => app.clock.advance(1_000))
      void passed.then(() => response.writeHead(302, { location: `${side.origin}/hop` }).end())
    })
    const wanted = { request: { url: `${gate.origin}/`, options: { followRedirects: 'yes' } }, override }
    const { body } = await demoted.post(SEND, wanted)
    await gate.close()
    expect(body.data).toMatchObject({
      state: 'refused',
      reason: 'The user who started it no longer has permission.',
      hops: [{ status: 302 }, { address: null }],
    })
    expect(side.received.map(({ url }) => url)).not.toContain('/hop')
  })
})
