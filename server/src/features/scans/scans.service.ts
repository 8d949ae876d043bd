import type { Body } from '@sortie/contract/core/endpoint.ts'
import type { createScan as contract } from '@sortie/contract/inventory/scans.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isPermitted } from '../../platform/auth/guard.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, notFound } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { cancelBackgroundJob } from '../../platform/jobs/start.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { countChanges } from '../inventory/ingest/ingest.service.ts'
import { listScanTargets } from '../targets/targets.queries.ts'
import { runScan } from './run/scan.job.ts'
import { isTaken, readSteps, requireAvailable, type Step } from './run/steps.ts'
import * as query from './scans.queries.ts'
import { startScan } from './start/start-scan.service.ts'

/**
 * Creates a scan. @throws ApiError VALIDATION_ERROR, FORBIDDEN for an override by a key or a plain member, CONFLICT if
 * it may not start
 */
export const createScan = async (
  writer: Writer,
  actor: Actor,
  wanted: Body<typeof contract>,
): Promise<query.ScanRow> => {
  const { engagementId, name, scanners, targets, outOfScope = 'refuse', override } = wanted
  await requireAvailable(readSteps(scanners))
  return writer.change(async (tx) => {
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    if (override) requireOverride(actor)
    const asked = { engagementId, name, scanners, targets, outOfScope, override }
    return startScan(tx, writer, actor, { ...asked, trigger: triggerOf(actor), scheduleId: null, isRepeated: false })
  })
}

const requireOverride = (actor: Actor): void => {
  if (actor.kind === 'user' && isPermitted(actor, { role: 'admin' })) return
  throw forbidden('Only the owner or an admin may override scope and testing hours, and only in the web interface.')
}

const triggerOf = ({ kind }: Actor): 'key' | 'manual' => (kind === 'key' ? 'key' : 'manual')

/**
 * Repeats a scan with the current scope and targets, without its override.
 *
 * @param retest the retest that repeats it: of the targets only that of its item, which must be in scope
 * @throws ApiError NOT_FOUND, CONFLICT if it may not start
 */
export const repeatScan = async (
  writer: Writer,
  actor: Actor,
  scanId: string,
  retest?: { id: string; targetId: string | undefined },
): Promise<query.ScanRow> => {
  const seen = await requireScan(writer, actor, scanId)
  const steps = readSteps(seen.scanners)
  await requireAvailable(steps)
  const targetId = retest?.targetId
  return writer.change(async (tx) => {
    await lockWritableEngagementForShare(tx, actor, seen.engagement_id)
    if (targetId !== undefined) await requireTaken(tx, actor, seen.engagement_id, steps, targetId)
    return startScan(tx, writer, actor, {
      engagementId: seen.engagement_id,
      name: targetId === undefined ? seen.name : undefined,
      scanners: seen.scanners,
      ...(targetId === undefined
        ? { targets: seen.targets, outOfScope: seen.out_of_scope }
        : { targets: { ids: [targetId] }, outOfScope: 'refuse' as const }),
      override: undefined,
      trigger: triggerOf(actor),
      scheduleId: null,
      isRepeated: true,
      retestId: retest?.id,
    })
  })
}

/** A scan of addresses cannot be repeated for an asset that is a URL. @throws ApiError CONFLICT */
const requireTaken = async (
  tx: Transaction,
  { organizationId }: Actor,
  engagementId: string,
  steps: readonly Step[],
  targetId: string,
): Promise<void> => {
  const [target] = await listScanTargets(tx, organizationId, engagementId, [targetId])
  if (target && !isTaken(steps, target.kind))
    throw conflict(
      `The scanners of this scan do not take ${target.canonical}: start a scan for it, or test it by hand.`,
    )
}

/**
 * Cancels a scan. After the commit it stores nothing; two seconds later it sends nothing. A scan that has ended stays
 * unchanged.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for an archived engagement
 */
export const cancelScan = async (writer: Writer, actor: Actor, scanId: string): Promise<query.ScanRow> => {
  const { engagement_id: engagementId } = await requireScan(writer, actor, scanId)
  return writer.change(async (tx) => {
    const { organizationId } = actor
    await lockWritableEngagementForShare(tx, actor, engagementId)
    const row = await query.lockScan(tx, organizationId, scanId)
    if (!row) throw notFound()
    if (row.finished_at !== null) return row
    await endAsCancelled(tx, row, `cancelled by ${actor.name}`, isoTime(writer.clock.now()))
    await cancelBackgroundJob(tx, writer, runScan, organizationId, row.work_id as string)
    const about = { name: row.name }
    await recordAudit(tx, actor, writer.clock, {
      action: 'scan.cancelled',
      object: { type: 'scan', id: scanId },
      engagementId,
      before: { ...about, state: row.state },
      after: { ...about, state: 'cancelled' },
    })
    await announce(tx, { type: 'scan', engagementId, ids: [scanId], change: 'updated' })
    return (await query.findScan(tx, organizationId, scanId)) as query.ScanRow
  })
}

const endAsCancelled = async (
  tx: Transaction,
  { organization_id, id }: query.ScanRow,
  reason: string,
  now: string,
): Promise<void> => {
  const counts = JSON.stringify(await countChanges(tx, organization_id, id))
  await query.updateScan(tx, organization_id, id, {
    state: 'cancelled',
    state_reason: reason,
    counts,
    finished_at: now,
  })
}

const requireScan = async ({ db }: Writer, { organizationId }: Actor, scanId: string): Promise<query.ScanRow> => {
  const row = await query.findScan(db, organizationId, scanId)
  if (!row) throw notFound()
  return row
}
