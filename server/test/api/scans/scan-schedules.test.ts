import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyLock } from '../../../src/features/api-keys/authenticate.ts'
import { lockMemberActor } from '../../../src/features/organizations/members/acting-member.service.ts'
import { startDueScans } from '../../../src/features/scans/schedules/schedules.jobs.ts'
import { putIntoSafeMode } from '../../support/app/safe-mode.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { engagementWith, messageOf } from '../../support/scans/scans.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const SCHEDULES = '/api/v1/scan-schedules'
let app: TestApp
let key: TestClient & { keyId: string }

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

/** The minute in which the schedules are due. */
const tick = () =>
  startDueScans({ ...app.platform, actors: { lockKey: keyLock(app.clock), lockMember: lockMemberActor } } as never)

const wantedIn = (engagementId: string, more: object = {}) => ({
  engagementId,
  name: 'Every night',
  cron: '0 2 * * *',
  timeZone: 'Europe/Berlin',
  scanners: [{ id: 'ports', options: { ports: '80' } }],
  targets: { filter: { engagementId } },
  ...more,
})

/** A schedule of an engagement with a target that the egress policy refuses. */
const scheduled = async (client: TestClient = key, prefix = '/api/v1') => {
  const { engagementId } = await engagementWith(key, { targets: ['192.0.2.1'] })
  const { status, body } = await client.post(`${prefix}/scan-schedules`, wantedIn(engagementId))
  expect(status).toBe(201)
  return body.data as { id: string; engagementId: string; updatedAt: string; nextRunAt: string | null }
}

/** Sessions expire over the days. */
const freshOwner = () => app.signIn(app.organization.owner, app.organization.id)

const read = async (id: string) => (await key.get(`${SCHEDULES}/${id}`)).body.data

test('a schedule has its next run, in its own time zone, and none while it is disabled', async () => {
  const { id, nextRunAt, updatedAt } = await scheduled()
  const berlin = new Intl.DateTimeFormat('en', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  expect(berlin.format(new Date(nextRunAt as string))).toBe('02:00')
  expect(Date.parse(nextRunAt as string) - app.clock.now()).toBeLessThan(25 * 60 * 60 * 1000)
  const off = await key.patch(`${SCHEDULES}/${id}`, { enabled: false, ifUpdatedAt: updatedAt })
  expect([off.status, off.body.data.enabled, off.body.data.nextRunAt]).toEqual([200, false, null])
  expect((await key.patch(`${SCHEDULES}/${id}`, { enabled: true, ifUpdatedAt: updatedAt })).status).toBe(409)
  expect((await key.patch(`${SCHEDULES}/${id}`, { enabled: true })).body.data.nextRunAt).toBe(nextRunAt)
  expect((await key.get(`${SCHEDULES}?enabled=true`)).body.data.map((row: { id: string }) => row.id)).toContain(id)
  expect((await key.delete(`${SCHEDULES}/${id}`)).body.data).toEqual({ deleted: true, id })
  expect((await key.get(`${SCHEDULES}/${id}`)).status).toBe(404)
})

test.each([
  [{ cron: '*/10 * * * *' }, 'cron: must not come more often than every 15 minutes'],
  [{ cron: '0,5 3 * * 1' }, 'cron: must not come more often than every 15 minutes'],
  [{ cron: '0 0 31 2 *' }, 'cron: there is no such day'],
  [{ cron: '61 * * * *' }, 'cron: must have five fields: minute, hour, day of the month, month, day of the week'],
  [{ timeZone: 'Berlin' }, 'timeZone: must be an IANA name like Europe/Berlin'],
  [{ scanners: [{ id: 'ports', options: { types: ['A'] } }] }, expect.stringContaining('ports has no option types')],
])('a schedule with %j is rejected', async (more, message) => {
  const { engagementId } = await engagementWith(key, { targets: [] })
  expect(messageOf(await key.post(SCHEDULES, wantedIn(engagementId, more)))).toEqual([422, message])
})

test('a due schedule starts a scan, once; while that has not ended, and where nothing may start, it skips and records why', async () => {
  const { id, engagementId, nextRunAt } = await scheduled()
  await tick()
  expect((await read(id)).lastScanId).toBeNull()
  app.clock.advance(Date.parse(nextRunAt as string) - app.clock.now() + 1_000)
  await Promise.all([tick(), tick()])
  const scans = (await key.get(`/api/v1/scans?engagementId=${engagementId}`)).body.data
  expect(scans).toMatchObject([{ trigger: 'schedule', scheduleId: id, name: 'Every night', state: 'queued' }])
  expect(await read(id)).toMatchObject({ lastScanId: scans[0].id, lastSkippedAt: null, lastSkipReason: null })
  app.clock.advance(DAY_MS)
  await tick()
  expect(await read(id)).toMatchObject({
    lastScanId: scans[0].id,
    lastSkipReason: 'The previous run had not finished.',
    enabled: true,
  })
  expect(Date.parse((await read(id)).nextRunAt)).toBeGreaterThan(app.clock.now())
  await key.post(`/api/v1/scans/${scans[0].id}/cancel`)
  await key.patch(`/api/v1/engagements/${engagementId}/details`, { endsOn: '2020-01-01' })
  app.clock.advance(DAY_MS)
  await tick()
  expect((await read(id)).lastSkipReason).toBe('It is outside the testing hours: there is no further window.')
})

test('O4: in safe mode it skips and records why; runs due before go-live are not repeated, and the next time starts a scan', async () => {
  const admin = await app.createUser('Instance Admin', { isInstanceAdmin: true })
  const [skipped, overdue] = [await scheduled(), await scheduled()]
  const scansOf = async ({ engagementId }: { engagementId: string }) =>
    (await key.get(`/api/v1/scans?engagementId=${engagementId}`)).body.data
  await putIntoSafeMode(app)
  app.clock.advance(DAY_MS)
  await tick()
  const reason = 'This instance was in safe mode when it was due.'
  expect(await read(skipped.id)).toMatchObject({ lastScanId: null, lastSkipReason: reason, enabled: true })
  expect((await (await app.signIn(admin)).post('/api/web/instance/go-live', {})).status).toBe(200)
  await eventually(async () => expect(await app.platform.safeMode.isLive()).toBe(true))
  // This one was not processed while it was due: the worker was down.
  const due = { next_run_at: new Date(app.clock.now() - 1_000).toISOString(), last_skip_reason: null }
  await app.db.updateTable('scan_schedules').set(due).where('id', '=', overdue.id).execute()
  await tick()
  expect(await read(overdue.id)).toMatchObject({ lastScanId: null, lastSkipReason: reason, enabled: true })
  expect([await scansOf(skipped), await scansOf(overdue)]).toEqual([[], []])
  app.clock.advance(DAY_MS)
  await tick()
  for (const schedule of [skipped, overdue])
    expect(await scansOf(schedule)).toMatchObject([{ trigger: 'schedule', scheduleId: schedule.id }])
})

test('it acts for the user who last changed it, and disables itself without their right', async () => {
  const user = await app.createMember('member')
  const member = await app.signIn(user, app.organization.id)
  const { id, engagementId } = await scheduled()
  const changed = await member.patch(`/api/web/scan-schedules/${id}`, { name: 'Mine' })
  app.clock.advance(DAY_MS)
  await tick()
  const [scan] = (await key.get(`/api/v1/scans?engagementId=${engagementId}`)).body.data
  expect([changed.status, scan.requestedBy]).toEqual([200, { id: user.id, name: user.name }])
  expect((await (await freshOwner()).delete(`/api/web/organizations/current/members/${user.id}`)).status).toBe(200)
  app.clock.advance(DAY_MS)
  await tick()
  const reason = `${user.name} no longer has access to the organization.`
  expect(await read(id)).toMatchObject({ enabled: false, nextRunAt: null, lastSkipReason: reason })
  const audit = await app.db
    .selectFrom('audit_entries')
    .select('action')
    .where('object_id', '=', id)
    .orderBy('id')
    .execute()
  expect(audit.map(({ action }) => action)).toEqual([
    'scan-schedule.created',
    'scan-schedule.changed',
    'scan-schedule.disabled',
  ])
})

test('without access to the engagement it disables itself as well', async () => {
  const user = await app.createMember('member')
  const { id, engagementId } = await scheduled(await app.signIn(user, app.organization.id), '/api/web')
  const owner = await freshOwner()
  expect((await owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'team' })).status).toBe(200)
  app.clock.advance(DAY_MS)
  await tick()
  const schedule = (await (await freshOwner()).get(`/api/web/scan-schedules/${id}`)).body.data
  expect(schedule).toMatchObject({ enabled: false, lastSkipReason: `${user.name} no longer sees the engagement.` })
})
