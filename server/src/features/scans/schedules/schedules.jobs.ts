import type { Actor } from '../../../platform/auth/actor.ts'
import { requirementOf, requirePermission } from '../../../platform/auth/guard.ts'
import { isoTime } from '../../../platform/clock.ts'
import { asServer, enterView, type Transaction, transaction } from '../../../platform/database/transaction.ts'
import { ApiError } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Worker } from '../../../platform/feature.ts'
import type { JobType } from '../../../platform/jobs/jobs.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockWritableEngagementForShare } from '../../engagements/locks.service.ts'
import { readSteps, requireAvailable } from '../run/steps.ts'
import { findIsUnderWay } from '../scans.queries.ts'
import { startScan } from '../start/start-scan.service.ts'
import * as query from './schedules.queries.ts'
import { runsFrom } from './schedules.service.ts'

/** Every minute: starts the scans of due schedules. */
export const startDueScansJob: JobType<Record<string, never>> = {
  name: 'start-due-scans',
  options: { retryLimit: 0, expireInSeconds: 60 },
}

const AT_ONCE = 100
const OVERLAP = 'The previous run had not finished.'
const SAFE_MODE = 'This instance was in safe mode when it was due.'

export const startDueScans = async (worker: Worker): Promise<void> => {
  const due = await query.listDueSchedules(worker.db, isoTime(worker.clock.now()), AT_ONCE)
  for (const { id, organization_id: organizationId } of due) {
    try {
      await startDueScan(worker, organizationId, id)
    } catch (error) {
      // Other schedules are due too; this one is retried in a minute.
      worker.log.error({ err: error, schedule: id }, 'the scan of a schedule could not be started')
    }
  }
}

const startDueScan = async (worker: Worker, organizationId: string, scheduleId: string): Promise<void> => {
  const db = worker.scopedTo(organizationId)
  const seen = await query.findSchedule(db, organizationId, scheduleId)
  if (!seen) return
  // Checks the scanners' requirements before it locks anything.
  const missing = await reasonOf(() => requireAvailable(readSteps(seen.scanners)))
  await transaction(db, async (tx) => {
    // Locks permission, engagement and schedule, in the order of every change.
    const actor = await findActor(worker, tx, seen)
    if (typeof actor === 'string') return disable(worker, tx, seen, actor)
    await enterView(tx, actor.viewer)
    if (!(await query.findSchedule(tx, organizationId, scheduleId))) {
      return asServer(tx, () => disable(worker, tx, seen, `${seen.actor_name} no longer sees the engagement.`))
    }
    const archived = await reasonOf(() => lockWritableEngagementForShare(tx, actor, seen.engagement_id))
    const held = await query.lockSchedule(tx, organizationId, scheduleId)
    if (!held || held.updated_at !== seen.updated_at || held.next_run_at !== seen.next_run_at) return
    // Also true for a run that was due before `go-live`: it is not made up for.
    const isOutdated = await worker.safeMode.isOutdated(held.next_run_at as string)
    const reason = missing ?? archived ?? (isOutdated ? SAFE_MODE : await startUnlessUnderWay(worker, tx, actor, held))
    await noteRun(worker, tx, held, reason)
  })
}

/** @returns why the run was skipped; null if it was started */
const startUnlessUnderWay = async (
  worker: Worker,
  tx: Transaction,
  actor: Actor,
  schedule: query.ScheduleRow,
): Promise<string | null> => {
  const {
    organization_id: organizationId,
    id,
    name,
    engagement_id: engagementId,
    scanners,
    targets,
    last_scan_id: last,
  } = schedule
  if (last !== null && (await findIsUnderWay(tx, organizationId, last))) return OVERLAP
  return reasonOf(async () => {
    const about = { engagementId, name, scanners, targets, override: undefined }
    const scan = await startScan(tx, worker, actor, {
      ...about,
      outOfScope: 'skip',
      trigger: 'schedule',
      scheduleId: id,
      isRepeated: true,
    })
    await query.updateSchedule(tx, organizationId, id, { last_scan_id: scan.id })
  })
}

/** @returns why the change was refused, as a message; null if it was not */
const reasonOf = async (work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error.message
    throw error
  }
}

const noteRun = async (
  { clock }: Worker,
  tx: Transaction,
  schedule: query.ScheduleRow,
  skipReason: string | null,
): Promise<void> => {
  const { organization_id: organizationId, id, cron, time_zone, engagement_id: engagementId } = schedule
  const now = clock.now()
  const skipped = skipReason === null ? {} : { last_skipped_at: isoTime(now), last_skip_reason: skipReason }
  await query.updateSchedule(tx, organizationId, id, { ...runsFrom(true, cron, time_zone, now), ...skipped })
  await announce(tx, { type: 'schedule', engagementId, ids: [id], change: 'updated' })
}

/**
 * Finds the last editor of the schedule with their current permissions, locked until the transaction ends; or returns
 * why there is none.
 */
const findActor = async (
  { actors, config }: Worker,
  tx: Transaction,
  schedule: query.ScheduleRow,
): Promise<Actor | string> => {
  const asker = { id: schedule.actor_id, organizationId: schedule.organization_id, address: schedule.actor_address }
  const actor = await (schedule.actor_kind === 'key' ? actors.lockKey(tx, asker) : actors.lockMember(tx, asker))
  if (!actor) return `${schedule.actor_name} no longer has access to the organization.`
  const refused = await reasonOf(async () => requirePermission(actor, requirementOf('targets:write', config)))
  return refused === null ? actor : `${schedule.actor_name} may no longer do this.`
}

const disable = async (
  { clock }: Worker,
  tx: Transaction,
  schedule: query.ScheduleRow,
  reason: string,
): Promise<void> => {
  const { organization_id: organizationId, id, engagement_id: engagementId, name } = schedule
  const held = await query.lockSchedule(tx, organizationId, id)
  if (held && held.updated_at !== schedule.updated_at) return
  const now = isoTime(Math.max(clock.now(), Date.parse(schedule.updated_at) + 1))
  const columns = { enabled: false, next_run_at: null, last_skipped_at: now, last_skip_reason: reason, updated_at: now }
  await query.updateSchedule(tx, organizationId, id, columns)
  await recordAudit(tx, { system: 'schedules', organizationId }, clock, {
    action: 'scan-schedule.disabled',
    object: { type: 'schedule', id },
    engagementId,
    before: { name, enabled: true },
    after: { name, enabled: false, reason },
  })
  await announce(tx, { type: 'schedule', engagementId, ids: [id], change: 'updated' })
}
