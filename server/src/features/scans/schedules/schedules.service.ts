import type { Body } from '@sortie/contract/core/endpoint.ts'
import type {
  createScanSchedule as createContract,
  updateScanSchedule as updateContract,
} from '@sortie/contract/inventory/scan-schedules.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../../engagements/locks.service.ts'
import { readSteps } from '../run/steps.ts'
import { nextRun, requireCron } from './cron.ts'
import * as query from './schedules.queries.ts'

const MAX_SCHEDULES = 100
const LIMIT = `An engagement has at most ${MAX_SCHEDULES} schedules.`
const STALE = 'Someone else changed this schedule in the meantime. Reload it, then repeat the change.'

/** Creates a schedule. @throws ApiError VALIDATION_ERROR, CONFLICT for an archived engagement and above the limit */
export const createScanSchedule = (
  writer: Writer,
  actor: Actor,
  wanted: Body<typeof createContract>,
): Promise<query.ScheduleRow> => {
  const { engagementId, name, cron, timeZone = 'UTC', scanners, targets, enabled = true } = wanted
  const now = writer.clock.now()
  requireCron(cron, timeZone, now)
  readSteps(scanners)
  requireOwnFilter(targets, engagementId)
  return writer.change(async (tx) => {
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    const { organizationId } = actor
    await acquireFairLocks(tx, { exclusive: [`schedules ${engagementId}`] })
    if ((await query.countSchedules(tx, organizationId, engagementId)) >= MAX_SCHEDULES) throw conflict(LIMIT)
    const id = newId('sch', now)
    await query.insertSchedule(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      name,
      cron,
      time_zone: timeZone,
      scanners: JSON.stringify(scanners),
      targets: JSON.stringify(targets),
      ...runsFrom(enabled, cron, timeZone, now),
      ...actorColumns(actor),
      created_at: isoTime(now),
      updated_at: isoTime(now),
    })
    const after = { name, cron, timeZone, enabled }
    await recordAudit(tx, actor, writer.clock, {
      action: 'scan-schedule.created',
      object: { type: 'schedule', id },
      engagementId,
      after,
    })
    await announce(tx, { type: 'schedule', engagementId, ids: [id], change: 'created' })
    return (await query.findSchedule(tx, organizationId, id)) as query.ScheduleRow
  })
}

/**
 * Updates a schedule, which then acts for its last editor. @throws ApiError NOT_FOUND, VALIDATION_ERROR, CONFLICT for a
 * stale change or an archived engagement
 */
export const updateScanSchedule = (
  writer: Writer,
  actor: Actor,
  scheduleId: string,
  wanted: Body<typeof updateContract>,
): Promise<query.ScheduleRow> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const before = await lockVisibleSchedule(tx, actor, scheduleId)
    const { ifUpdatedAt, ...changes } = wanted
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) throw conflict(STALE)
    const now = writer.clock.now()
    const { name, cron, timeZone, scanners, targets, enabled } = { ...fieldsOf(before), ...withoutUndefined(changes) }
    if (changes.cron !== undefined || changes.timeZone !== undefined) requireCron(cron, timeZone, now)
    readSteps(scanners)
    requireOwnFilter(targets, before.engagement_id)
    const updatedAt = isoTime(Math.max(now, Date.parse(before.updated_at) + 1))
    await query.updateSchedule(tx, organizationId, scheduleId, {
      name,
      cron,
      time_zone: timeZone,
      scanners: JSON.stringify(scanners),
      targets: JSON.stringify(targets),
      ...runsFrom(enabled, cron, timeZone, now),
      ...actorColumns(actor),
      updated_at: updatedAt,
    })
    const fields = Object.keys(changes) as (keyof typeof changes)[]
    await recordAudit(tx, actor, writer.clock, {
      action: 'scan-schedule.changed',
      object: { type: 'schedule', id: scheduleId },
      engagementId: before.engagement_id,
      before: Object.fromEntries([['name', before.name], ...fields.map((field) => [field, fieldsOf(before)[field]])]),
      after: { name, ...changes },
    })
    await announce(tx, { type: 'schedule', engagementId: before.engagement_id, ids: [scheduleId], change: 'updated' })
    return (await query.findSchedule(tx, organizationId, scheduleId)) as query.ScheduleRow
  })

/** Deletes a schedule and keeps its scans. @throws ApiError NOT_FOUND, CONFLICT for an archived engagement */
export const deleteScanSchedule = (writer: Writer, actor: Actor, scheduleId: string): Promise<void> =>
  writer.change(async (tx) => {
    const { engagement_id: engagementId, name, cron } = await lockVisibleSchedule(tx, actor, scheduleId)
    await query.deleteSchedule(tx, actor.organizationId, scheduleId)
    const before = { name, cron }
    await recordAudit(tx, actor, writer.clock, {
      action: 'scan-schedule.deleted',
      object: { type: 'schedule', id: scheduleId },
      engagementId,
      before,
    })
    await announce(tx, { type: 'schedule', engagementId, ids: [scheduleId], change: 'deleted' })
  })

/** Returns the next run: none while the schedule is disabled. */
export const runsFrom = (enabled: boolean, cron: string, timeZone: string, now: number) => {
  const next = enabled ? nextRun(cron, timeZone, now) : undefined
  return { enabled: next !== undefined, next_run_at: next === undefined ? null : isoTime(next) }
}

const lockVisibleSchedule = async (tx: Transaction, actor: Actor, scheduleId: string): Promise<query.ScheduleRow> => {
  const seen = await query.findSchedule(tx, actor.organizationId, scheduleId)
  if (!seen) throw notFound()
  await lockWritableEngagementForShare(tx, actor, seen.engagement_id)
  const held = await query.lockSchedule(tx, actor.organizationId, scheduleId)
  if (!held) throw notFound()
  return held
}

const requireOwnFilter = ({ filter }: { filter: { engagementId: string } }, engagementId: string): void => {
  if (filter.engagementId !== engagementId)
    throw invalid('targets.filter.engagementId: must be the engagement of the schedule')
}

const actorColumns = ({ kind, id, name, address }: Actor) => ({
  actor_kind: kind,
  actor_id: id,
  actor_name: name,
  actor_address: address,
})

const fieldsOf = ({ name, cron, time_zone: timeZone, scanners, targets, enabled }: query.ScheduleRow) => ({
  name,
  cron,
  timeZone,
  scanners,
  targets,
  enabled,
})

const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
