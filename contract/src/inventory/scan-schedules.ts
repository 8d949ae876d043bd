import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  NullableString,
  NullableTimestamp,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { declareList, Flag, OneId } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { EXAMPLE_SCAN, ScanStep } from './scans.ts'
import { targetList } from './targets.ts'

const STALE = 'Someone else changed this schedule in the meantime. Reload it, then repeat the change.'
const LIMIT = 'An engagement has at most 100 schedules.'

const Name = Line(200, { examples: ['Perimeter, every weekday'] })
const Cron = Type.String({
  minLength: 9,
  maxLength: 100,
  pattern: '^[0-9A-Za-z*,/#?LW-]+(?: [0-9A-Za-z*,/#?LW-]+){4}$',
  examples: ['0 2 * * 1-5'],
  description:
    'five fields: minute, hour, day of the month, month, day of the week; not more often than every 15 minutes',
})
const TimeZone = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
  maxLength: 64,
  examples: ['UTC', 'Europe/Berlin'],
  description: 'IANA name',
})
const Steps = Type.Array(ScanStep, { minItems: 1, maxItems: 5 })
const Targets = closedObject({ filter: targetList.filter })

export const ScanSchedule = closedObject({
  id: Id('sch'),
  engagementId: Id('eng'),
  name: Type.String(),
  cron: Type.String(),
  timeZone: Type.String(),
  scanners: Type.Array(ScanStep),
  targets: Targets,
  enabled: Type.Boolean(),
  nextRunAt: NullableTimestamp('null while it is not enabled'),
  lastScanId: NullableString('the scan of its last run'),
  lastSkippedAt: NullableTimestamp('when a run was last skipped'),
  lastSkipReason: NullableString('why'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

const EXAMPLE_SCHEDULE = {
  id: 'sch_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: EXAMPLE_SCAN.engagementId,
  name: 'Perimeter, every weekday',
  cron: '0 2 * * 1-5',
  timeZone: 'Europe/Berlin',
  scanners: EXAMPLE_SCAN.scanners,
  targets: EXAMPLE_SCAN.targets,
  enabled: true,
  nextRunAt: '2026-11-24T01:00:00.000Z',
  lastScanId: EXAMPLE_SCAN.id,
  lastSkippedAt: null,
  lastSkipReason: null,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

export const scheduleList = declareList({
  name: 'scan-schedules',
  item: ScanSchedule,
  sorts: ['createdAt'],
  filters: { engagementId: OneId('eng'), enabled: Flag('only enabled ones') },
})

const OfSchedule = closedObject({ scheduleId: Id('sch') })

export const createScanSchedule = endpoint({
  id: 'createScanSchedule',
  method: 'POST',
  path: '/scan-schedules',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create a schedule that starts scans.',
  description:
    'It acts for the user who changed it last, and disables itself when that user loses the permission. A run that would overlap the previous one, or is outside the testing hours, is skipped and reported.',
  body: closedObject({
    engagementId: Id('eng'),
    name: Name,
    cron: Cron,
    timeZone: Type.Optional(TimeZone),
    scanners: Steps,
    targets: Targets,
    enabled: Type.Optional(Type.Boolean({ description: 'default `true`' })),
  }),
  reply: one(ScanSchedule),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, LIMIT],
  example: {
    body: {
      engagementId: EXAMPLE_SCHEDULE.engagementId,
      name: EXAMPLE_SCHEDULE.name,
      cron: EXAMPLE_SCHEDULE.cron,
      timeZone: EXAMPLE_SCHEDULE.timeZone,
      scanners: EXAMPLE_SCHEDULE.scanners,
      targets: EXAMPLE_SCHEDULE.targets,
    },
    reply: { data: EXAMPLE_SCHEDULE },
  },
})

export const listScanSchedules = endpoint({
  id: 'listScanSchedules',
  method: 'GET',
  path: '/scan-schedules',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List schedules, newest first.',
  query: scheduleList.query,
  reply: scheduleList.reply,
  example: { reply: { data: [EXAMPLE_SCHEDULE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getScanSchedule = endpoint({
  id: 'getScanSchedule',
  method: 'GET',
  path: '/scan-schedules/:scheduleId',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Get a schedule.',
  params: OfSchedule,
  reply: one(ScanSchedule),
  example: { reply: { data: EXAMPLE_SCHEDULE } },
})

export const updateScanSchedule = endpoint({
  id: 'updateScanSchedule',
  method: 'PATCH',
  path: '/scan-schedules/:scheduleId',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change a schedule; it then acts for you.',
  params: OfSchedule,
  body: closedObject({
    name: Type.Optional(Name),
    cron: Type.Optional(Cron),
    timeZone: Type.Optional(TimeZone),
    scanners: Type.Optional(Steps),
    targets: Type.Optional(Targets),
    enabled: Type.Optional(Type.Boolean()),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from; 409 if it has changed since')),
  }),
  reply: one(ScanSchedule),
  conflicts: [ENGAGEMENT_ARCHIVED, STALE],
  example: { body: { enabled: false }, reply: { data: { ...EXAMPLE_SCHEDULE, enabled: false, nextRunAt: null } } },
})

export const deleteScanSchedule = endpoint({
  id: 'deleteScanSchedule',
  method: 'DELETE',
  path: '/scan-schedules/:scheduleId',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a schedule; its scans stay.',
  params: OfSchedule,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('sch') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_SCHEDULE.id } } },
})
