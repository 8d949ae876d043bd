import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeOldTrash } from '../../../src/features/engagements/removal/trash.service.ts'
import { emptyTaskTrash } from '../../../src/features/tasks/undo/trash.service.ts'
import { listEngagementTables } from '../../../src/platform/database/engagement-rows.ts'
import { withEveryRow, withoutHeldRows } from '../../../src/platform/database/every-row.ts'
import { showTrash, transaction } from '../../../src/platform/database/transaction.ts'
import { variantsFor } from '../../support/app/nightly.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Listener, listen } from '../../support/clients/listeners.ts'
import { filesBelow } from '../../support/document/files.ts'
import { portScan, started } from '../../support/scans/scans.ts'
import { type IdPosition, idPositions, placeOf } from '../../support/walks/id-positions.ts'
import {
  candidates,
  compareWithTwin,
  tellsOwnFromUnknown,
  type TrashedEngagements,
  trashedEngagements,
} from '../../support/walks/two-tenants.ts'
import { atOneDoor, mountedRoutes, pathOf } from '../../support/walks/walk.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const WEB = '/api/web/engagements'
const TRASH = '/api/web/trashed-engagements'
const SCOPES = ['organizations:read', 'organizations:write', 'targets:read', 'targets:write', 'tasks:write'] as const

let app: TestApp
let owner: TestClient
let member: TestClient
let key: TestClient

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8', SCAN_MAX_PROBES: '300000' } })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
  key = await app.withKey(SCOPES)
})
afterAll(() => app.close())

const create = async (name = 'Contoso perimeter', details: object = {}): Promise<string> => {
  const { status, body, text } = await owner.post(WEB, { name, details })
  expect(status, text).toBe(201)
  return body.data.id
}

const remove = (id: string, name = 'Contoso perimeter', client = owner) =>
  client.delete(`${WEB}/${id}`, { body: { name } })

const trashedIds = async (client = owner): Promise<string[]> =>
  (await client.get(`${TRASH}?perPage=100`)).body.data.map(({ id }: { id: string }) => id)

const audited = async (action: string, id: string) =>
  (await owner.get(`/api/web/audit?action=${action}&objectId=${id}`)).body.data

/** Rows of an engagement in every table, also in the trash. */
const countRowsOf = (engagementId: string): Promise<Record<string, number>> =>
  transaction(withEveryRow(app.platform).db, async (tx) => {
    await showTrash(tx)
    const counts: Record<string, number> = {}
    for (const table of await listEngagementTables(tx)) {
      const { rows } = await sql<{
        n: number
      }>`select count(*) as n from ${sql.table(table)} where engagement_id = ${engagementId}`.execute(tx)
      if (rows[0]?.n) counts[table] = rows[0].n
    }
    return counts
  })

const later = (days: number) => ({
  ...app.platform,
  clock: { now: () => app.clock.now() + days * DAY_MS, monotonic: () => app.clock.monotonic() },
})

describe('deleting an engagement', () => {
  test('asks for its exact name, and moves it to the trash, where the owner and admins find it and members do not', async () => {
    const id = await create()
    expect((await remove(id, 'contoso perimeter')).status).toBe(422)
    expect((await owner.get(`${WEB}/${id}`)).status).toBe(200)
    expect((await remove(id)).body.data).toEqual({ deleted: true, id })
    expect((await owner.get(`${WEB}/${id}`)).status).toBe(404)
    const { data, meta } = (await owner.get(TRASH)).body
    expect(data[0]).toMatchObject({ id, name: 'Contoso perimeter', deletedBy: { name: expect.any(String) } })
    expect(Date.parse(data[0].purgeAt) - Date.parse(data[0].deletedAt)).toBe(30 * DAY_MS)
    expect(meta.days).toBe(30)
    expect(await trashedIds(await app.signedIn('admin'))).toContain(id)
    expect((await member.get(TRASH)).status).toBe(403)
    expect((await member.post(`${TRASH}/${id}/restore`)).status).toBe(403)
    expect(await audited('engagement.deleted', id)).toHaveLength(1)
  })

  test('by a key works with the write scope; no key lists, restores or purges, at either door', async () => {
    const id = await create()
    const byKey = await key.delete(`/api/v1/engagements/${id}`, { body: { name: 'Contoso perimeter' } })
    expect(byKey.status).toBe(200)
    for (const door of ['v1', 'web']) {
      const at = `/api/${door}/trashed-engagements`
      const answers = [
        await key.get(at),
        await key.post(`${at}/${id}/restore`),
        await key.delete(`${at}/${id}`, { body: { name: 'Contoso perimeter' } }),
      ]
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([door === 'v1' ? 404 : 401]))
    }
    expect(await trashedIds()).toContain(id)
  })

  test('pages of the trash hold each engagement once, the latest deletion first', async () => {
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      ids.unshift(await create())
      await remove(ids[0] as string)
    }
    const read: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const { data, meta } = (await owner.get(`${TRASH}?perPage=1${cursor}`)).body
      read.push(data[0].id)
      cursor = `&cursor=${encodeURIComponent(meta.nextCursor)}`
    }
    expect(read).toEqual(ids)
    for (const wrong of ['x', '2026-01-01T00:00:00.000Z', `2026-01-01T00:00:00.000Z~${ids[0]}x`])
      expect((await owner.get(`${TRASH}?cursor=${encodeURIComponent(wrong)}`)).status, wrong).toBe(400)
  })
})

describe('restoring an engagement', () => {
  test('brings everything back for the same people; a key that was limited to it stays without it', async () => {
    const id = await create('Closed work', { access: 'team' })
    const task = (await owner.post('/api/web/tasks', { engagementId: id, title: 'Kept' })).body.data
    await owner.request('POST', `${WEB}/${id}/files?fileName=kept.txt`, { rawBody: 'kept bytes' })
    const made = await owner.post('/api/web/api-keys', {
      name: 'limited',
      environment: 'live',
      scopes: SCOPES,
      engagementIds: [id],
    })
    const limited = app.anonymous.with({ authorization: `Bearer ${made.body.data.value}` })
    expect((await limited.get(`/api/v1/engagements/${id}`)).status).toBe(200)
    const before = await countRowsOf(id)
    await remove(id, 'Closed work')
    const restored = await owner.post(`${TRASH}/${id}/restore`)
    expect([restored.status, restored.body.data.id]).toEqual([200, id])
    expect(await countRowsOf(id)).toEqual(before)
    expect((await owner.get(`/api/web/tasks/${task.id}`)).body.data.title).toBe('Kept')
    expect((await member.get(`${WEB}/${id}`)).status).toBe(404)
    expect((await limited.get(`/api/v1/engagements/${id}`)).status).toBe(404)
    expect(await trashedIds()).not.toContain(id)
    expect((await owner.post(`${TRASH}/${id}/restore`)).status).toBe(404)
    expect(await audited('engagement.restored', id)).toHaveLength(1)
  })

  test('starts nothing: the deletion stops a running scan within seconds and for good, and schedules stay disabled', async () => {
    let connections = 0
    const listeners: Listener[] = []
    const ports: number[] = []
    for (let i = 0; i < 150; i++) {
      const listener = await listen(
        (socket) => {
          connections++
          socket.end()
        },
        '127.0.0.1',
        0,
      )
      listeners.push(listener)
      ports.push(listener.port)
    }
    const id = await create('Scanned')
    await key.post('/api/v1/scope-rules', { engagementId: id, effect: 'allow', pattern: '127.0.0.0/8' })
    await key.post('/api/v1/targets', { engagementId: id, value: '127.0.0.1' })
    const targets = { filter: { engagementId: id } }
    const scanners = [portScan(ports.join(','), { rate: 5 })]
    const scan = await started(key, { engagementId: id, scanners, targets })
    const schedule = { engagementId: id, name: 'Nightly', scanners: [{ id: 'ports' }], targets, cron: '0 * * * *' }
    expect((await owner.post('/api/web/scan-schedules', schedule)).status).toBe(201)
    await eventually(async () => expect((await key.get(`/api/v1/scans/${scan.id}`)).body.data.state).toBe('running'))
    await eventually(() => expect(connections).toBeGreaterThan(0))
    await remove(id, 'Scanned')
    const job = () =>
      withEveryRow(app.platform)
        .db.selectFrom('background_jobs')
        .select('state')
        .where('subject_id', '=', scan.id)
        .executeTakeFirstOrThrow()
    // Failed, if the scan itself finds first that the engagement is not active.
    const endedAs = await eventually(async () => {
      const { state } = await job()
      if (!['cancelled', 'failed'].includes(state)) throw new Error(`the scan is ${state}`)
      return state
    })
    const sentBefore = connections
    await owner.post(`${TRASH}/${id}/restore`)
    expect((await owner.get(`/api/web/scans/${scan.id}`)).body.data.state).toBe(endedAs)
    expect((await owner.get(`/api/web/scan-schedules?engagementId=${id}`)).body.data).toMatchObject([
      { enabled: false, nextRunAt: null, lastSkipReason: 'The engagement was deleted.' },
    ])
    // What it sent until then is in the log.
    const { data: log } = (await owner.get(`/api/web/operations?engagementId=${id}`)).body
    expect(log.length).toBeGreaterThan(0)
    expect(connections).toBe(sentBefore)
    for (const listener of listeners) await listener.stop()
  })
})

describe('purging an engagement', () => {
  test('asks for its name, and removes its rows and files; a restored one is not purged', async () => {
    const id = await create()
    const before = filesBelow(app.platform.config.STORAGE_PATH).length
    await owner.request('POST', `${WEB}/${id}/files?fileName=gone.txt`, { rawBody: 'gone bytes' })
    await owner.post('/api/web/tasks', { engagementId: id, title: 'Gone' })
    expect((await owner.delete(`${TRASH}/${id}`, { body: { name: 'Contoso perimeter' } })).status).toBe(404)
    await remove(id)
    expect((await owner.delete(`${TRASH}/${id}`, { body: { name: 'Contoso' } })).status).toBe(422)
    expect((await member.delete(`${TRASH}/${id}`, { body: { name: 'Contoso perimeter' } })).status).toBe(403)
    const purged = await owner.delete(`${TRASH}/${id}`, { body: { name: 'Contoso perimeter' } })
    expect([purged.status, purged.body.data]).toEqual([200, { deleted: true, id }])
    expect((await owner.post(`${TRASH}/${id}/restore`)).status).toBe(404)
    await eventually(async () => {
      expect(await countRowsOf(id)).toEqual({})
      const { db } = withEveryRow(app.platform)
      expect(await db.selectFrom('engagements').select('id').where('id', '=', id).execute()).toEqual([])
    })
    await eventually(() => expect(filesBelow(app.platform.config.STORAGE_PATH)).toHaveLength(before))
    expect(await audited('engagement.purged', id)).toMatchObject([{ before: { name: 'Contoso perimeter' } }])
  })

  test('happens by itself after ENGAGEMENT_TRASH_DAYS, not before, and not to one on legal hold', async () => {
    const [id, held] = [await create(), await create()]
    for (const each of [id, held]) await remove(each)
    await app.asSuperuser(`insert into engagement_holds (organization_id, engagement_id, reason, held_by, held_by_name, held_at)
      values ('${app.organization.id}', '${held}', 'Court order', 'usr_x', 'Ada', now())`)
    await purgeOldTrash(later(29.9))
    expect(await trashedIds()).toEqual(expect.arrayContaining([id, held]))
    await purgeOldTrash(later(30.1))
    const left = await trashedIds()
    expect([left.includes(id), left.includes(held)]).toEqual([false, true])
    expect((await owner.delete(`${TRASH}/${held}`, { body: { name: 'Contoso perimeter' } })).status).toBe(409)
    expect(await audited('engagement.purged', id)).toMatchObject([{ actor: { type: 'system' } }])
    await eventually(async () => expect(await countRowsOf(id)).toEqual({}))
  })
})

describe('a legal hold', () => {
  test('blocks the deletion at every door with the reason, is set and released by the owner and admins in a session, and is audited', async () => {
    const id = await create()
    const hold = `${WEB}/${id}/hold`
    expect((await member.post(hold, { reason: 'Court order' })).status).toBe(403)
    expect((await key.post(`/api/v1/engagements/${id}/hold`, { reason: 'Court order' })).status).toBe(404)
    expect((await owner.post(hold, { reason: '' })).status).toBe(422)
    const admin = await app.signedIn('admin')
    const set = await admin.post(hold, { reason: 'Court order' })
    expect([set.status, set.body.data]).toMatchObject([201, { reason: 'Court order', heldBy: { id: admin.user.id } }])
    expect((await owner.post(hold, { reason: 'Twice' })).status).toBe(409)
    expect((await member.get(`${WEB}/${id}/details`)).body.data.hold).toEqual(set.body.data)
    const refusals = [
      await remove(id),
      await key.delete(`/api/v1/engagements/${id}`, { body: { name: 'Contoso perimeter' } }),
    ]
    for (const { status, body } of refusals)
      expect([status, body.error.message]).toEqual([409, expect.stringContaining('legal hold')])
    await expect(app.asSuperuser(`delete from engagements where id = '${id}'`)).rejects.toThrow('engagement_holds')
    expect((await member.delete(hold)).status).toBe(403)
    expect((await owner.delete(hold)).status).toBe(200)
    expect((await owner.delete(hold)).status).toBe(404)
    expect((await owner.get(`${WEB}/${id}/details`)).body.data.hold).toBeNull()
    expect(await audited('engagement.hold-set', id)).toMatchObject([{ after: { reason: 'Court order' } }])
    expect(await audited('engagement.hold-released', id)).toMatchObject([{ before: { reason: 'Court order' } }])
    expect((await remove(id)).status).toBe(200)
  })

  test('keeps clean-ups away from what is in it, until it is released', async () => {
    const id = await create()
    const task = (await owner.post('/api/web/tasks', { engagementId: id, title: 'Evidence' })).body.data.id
    await owner.delete(`/api/web/tasks/${task}`)
    await owner.post(`${WEB}/${id}/hold`, { reason: 'Court order' })
    const inTrash = async () =>
      (await owner.get(`/api/web/tasks?trashed=true&engagementId=${id}`)).body.data.map(
        (each: { id: string }) => each.id,
      )
    await emptyTaskTrash(withoutHeldRows(later(31)))
    expect(await inTrash()).toEqual([task])
    await owner.delete(`${WEB}/${id}/hold`)
    await emptyTaskTrash(withoutHeldRows(later(31)))
    expect(await inTrash()).toEqual([])
  })
})

describe('an engagement in the trash', () => {
  /** Lists of the trash itself, of what happened, and of what was sent before. */
  const NAMES_IT = new Set([
    'listTrashedEngagements',
    'restoreEngagement',
    'purgeEngagement',
    'listAuditEntries',
    'exportAuditEntries',
    'listAuditFilters',
    'listAuditLogs',
    'listWebhookDeliveries',
  ])
  /** The first of two requests creates the tasks that the second finds. */
  const DIFFERS_BY_ITSELF = /expand body targets\.filter\.parentId$/
  let walk: TrashedEngagements
  const positions = (): IdPosition[] => {
    const routes = new Set(atOneDoor(mountedRoutes(app)).map(({ name }) => name))
    return idPositions(app).filter(
      (position) =>
        position.prefixes.length > 0 &&
        routes.has(position.route.name) &&
        !NAMES_IT.has(position.route.endpoint.id) &&
        !DIFFERS_BY_ITSELF.test(placeOf(position)),
    )
  }
  const idOf = (position: IdPosition) => candidates({ victimIds: walk.ids }, position)[0]

  test('is answered like one that never existed, by every route, list, table and job of the server', async () => {
    walk = await trashedEngagements(app)
    // The walk can fail: before the deletion most positions that only read find the object.
    const readable = positions().filter(({ route, where }) => where === 'path' && route.method === 'GET')
    const found: string[] = []
    for (const position of readable) {
      const id = idOf(position)
      if (id && (await tellsOwnFromUnknown(walk.asking, position, [id]))) found.push(placeOf(position))
    }
    expect(found.length).toBeGreaterThan(25)
    await walk.trash()
    let asked = 0
    for (const position of variantsFor('trash', 2, positions())) {
      const id = idOf(position)
      if (!id) continue
      const refusals = [403, 404, ...(position.route.endpoint.consumes === 'bytes' ? [400] : [])]
      await compareWithTwin(walk.asking, position, id, refusals)
      asked++
    }
    expect(asked).toBeGreaterThan(100)
    for (const position of readable) {
      const id = idOf(position)
      if (id) expect(await tellsOwnFromUnknown(walk.asking, position, [id]), placeOf(position)).toBe(false)
    }
    // A page of the organization links to one of them, in its text.
    const ids = [...walk.ids].flatMap(([prefix, some]) => (prefix === 'wik' ? [] : some))
    for (const route of atOneDoor(mountedRoutes(app)).filter(
      ({ method, ofOrganization }) => method === 'GET' && ofOrganization,
    )) {
      if (NAMES_IT.has(route.endpoint.id) || route.endpoint.produces === 'events') continue
      const { text } = await walk.asking.attackers[route.door as 'key' | 'web'].get(pathOf(route))
      expect(
        ids.filter((id) => text.includes(id)),
        route.name,
      ).toEqual([])
    }
  })

  test('has its rows in the database, which neither the server nor the owner sees in any table', async () => {
    const [id] = walk.ids.get('eng') as [string]
    const kept = await countRowsOf(id)
    expect(Object.keys(kept).length).toBeGreaterThan(5)
    for (const db of [app.platform.db, app.platform.scopedTo(app.organization.id, 'all')]) {
      for (const table of [...Object.keys(kept), 'engagements']) {
        const column = table === 'engagements' ? 'id' : 'engagement_id'
        const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id} limit 1`.execute(
          db,
        )
        expect(rows, table).toEqual([])
      }
    }
  })
})
