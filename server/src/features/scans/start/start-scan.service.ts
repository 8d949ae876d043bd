import type { Scan, ScanStep } from '@sortie/contract/inventory/scans.ts'
import type { Static } from 'typebox'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import { acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import { asServer, type Transaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { startBackgroundJob } from '../../../platform/jobs/start.ts'
import type { SafeMode } from '../../../platform/safe-mode/safe-mode.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { readSendingTimes } from '../../connection-rules/testing-dates.ts'
import { findDetails } from '../../engagements/details/details.queries.ts'
import { chooseTargets, type WrittenTargets } from '../inputs/choose-targets.service.ts'
import { runScan } from '../run/scan.job.ts'
import { probesOf, readSteps } from '../run/steps.ts'
import * as query from '../scans.queries.ts'

export interface WantedScan {
  engagementId: string
  /** Built from scanners and targets unless given. */
  name: string | undefined
  scanners: readonly Static<typeof ScanStep>[]
  targets: WrittenTargets
  outOfScope: 'refuse' | 'skip'
  override: { reason: string } | undefined
  trigger: Static<typeof Scan>['trigger']
  scheduleId: string | null
  isRepeated: boolean
  /** The retest that starts it. */
  retestId?: string | undefined
}

export const NOT_ACTIVE = 'This engagement is not active: scans run only in active engagements.'

interface Starter {
  config: Config
  clock: Clock
  jobs: Jobs
  safeMode: SafeMode
}

/**
 * Starts a scan in an engagement that the caller has locked (`lockWritableEngagementForShare`). The caller first checks
 * that its scanners are available, which may take a moment.
 *
 * @throws ApiError VALIDATION_ERROR, CONFLICT if it may not start: the message states why
 */
export const startScan = async (
  tx: Transaction,
  { config, clock, jobs, safeMode }: Starter,
  actor: Actor,
  wanted: WantedScan,
): Promise<query.ScanRow> => {
  const { organizationId } = actor
  const { engagementId, override, scanners, outOfScope } = wanted
  const steps = readSteps(scanners)
  await safeMode.requireLive()
  const details = await findDetails(tx, organizationId, engagementId)
  if (!details) throw notFound()
  const now = clock.now()
  const times = await readSendingTimes(tx, organizationId, engagementId, details, now, wanted.retestId)
  if (!times.isActive) throw conflict(NOT_ACTIVE)
  const closed = override ? null : times.outsideHours
  if (closed !== null) throw conflict(closed)
  const choice = {
    engagementId,
    steps,
    written: wanted.targets,
    outOfScope: override ? ('any' as const) : outOfScope,
    isRepeated: wanted.isRepeated,
  }
  const { targets, skipped, differences } = await chooseTargets(tx, actor, choice)
  const probes = probesOf(steps, targets)
  if (probes > config.SCAN_MAX_PROBES) throw conflict(tooLarge(probes, config.SCAN_MAX_PROBES))
  await requireQueueQuota(tx, organizationId, config.SCAN_QUEUE_LIMIT)
  const id = newId('scn', now)
  const name = wanted.name ?? nameOf(steps, targets)
  await query.insertScan(tx, {
    id,
    organization_id: organizationId,
    engagement_id: engagementId,
    name,
    scanners: JSON.stringify(scanners),
    targets: JSON.stringify(wanted.targets),
    target_ids: targets.map((target) => target.id),
    diff_services: differences ? JSON.stringify(Object.fromEntries(differences)) : null,
    out_of_scope: outOfScope,
    skipped,
    trigger: wanted.trigger,
    schedule_id: wanted.scheduleId,
    retest_id: wanted.retestId ?? null,
    override_reason: override?.reason ?? null,
    requested_by: authorOf(actor),
    actor_id: actor.id,
    actor_name: actor.name,
    created_at: isoTime(now),
  })
  const backgroundJobId = await startBackgroundJob(tx, { clock, jobs }, runScan, {
    actor,
    engagementId,
    subjectId: id,
    total: probes,
  })
  await query.updateScan(tx, organizationId, id, { work_id: backgroundJobId })
  await recordAudit(tx, actor, clock, {
    action: 'scan.created',
    object: { type: 'scan', id },
    engagementId,
    after: {
      name,
      scanners: scanners.map((step) => step.id),
      targets: targets.length,
      ...(skipped > 0 && { skipped }),
      ...(override && { override: override.reason }),
      ...(wanted.scheduleId !== null && { scheduleId: wanted.scheduleId }),
    },
  })
  await announce(tx, { type: 'scan', engagementId, ids: [id], change: 'created' })
  return (await query.findScan(tx, organizationId, id)) as query.ScanRow
}

const tooLarge = (probes: number, max: number): string => {
  const count = Number.isSafeInteger(probes) ? String(probes) : `more than ${Number.MAX_SAFE_INTEGER}`
  return `This scan is too large: ${count} probes, and at most ${max} are allowed (SCAN_MAX_PROBES). Choose fewer addresses or ports.`
}

/** Also counts scans of engagements that the caller does not see. */
const requireQueueQuota = async (tx: Transaction, organizationId: string, max: number): Promise<void> => {
  await acquireFairLocks(tx, { exclusive: [`scans of ${organizationId}`] })
  const waiting = await asServer(tx, () => query.countQueuedScans(tx, organizationId, max))
  if (waiting >= max)
    throw conflict(
      `${max} scans of this organization are already waiting (SCAN_QUEUE_LIMIT). Wait until some have finished, or cancel one.`,
    )
}

const MAX_NAME = 200

const nameOf = (steps: ReturnType<typeof readSteps>, targets: readonly { canonical: string }[]): string => {
  const about = targets.length === 1 ? (targets[0]?.canonical as string) : `${targets.length} targets`
  return `${steps.map(({ scanner }) => scanner.name).join(', ')}: ${about}`.slice(0, MAX_NAME)
}
