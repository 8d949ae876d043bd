import { isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Worker } from '../../../platform/feature.ts'
import { type RunningJob, type BackgroundJob, type JobEnd, longRunningJob } from '../../../platform/jobs/kinds.ts'
import { lockWritableEngagementForShare } from '../../engagements/locks.service.ts'
import { forgetCoverages } from '../../inventory/coverage/mark-gone.service.ts'
import { countChanges } from '../../inventory/ingest/ingest.service.ts'
import { insertLines } from '../log/log.queries.ts'
import { flushAllProbes } from '../probes/probes.ts'
import * as query from '../scans.queries.ts'
import { performScan } from './perform-scan.ts'

/** The regular end of a scan. */
export interface ScanOutcome {
  state: 'succeeded' | 'partial' | 'failed'
  reason: string | null
}

/**
 * Runs the scanners of a scan. A scan whose process dies ends and is not resumed: it does not send probes twice, and
 * its results stay.
 */
export const runScan = longRunningJob<ScanOutcome>({
  name: 'scan',
  guard: 'targets:write',
  resumes: false,
  sends: true,
  writesNoFiles: true,
  concurrency: ({ SCAN_CONCURRENCY }) => ({ perOrganization: SCAN_CONCURRENCY, perProcess: 2 * SCAN_CONCURRENCY }),
  event: 'scan',
  run: async (work, worker) => performScan(work, worker, await beginScan(work, worker)),
  onEnd: (tx, work, end) => finishScan(tx, work, end),
})

const beginScan = (work: RunningJob, { clock }: Worker): Promise<query.ScanRow> =>
  work.batch(async (tx, actor) => {
    const { organizationId, subjectId } = work
    await lockWritableEngagementForShare(tx, actor, work.engagementId as string)
    const row = (await query.lockScan(tx, organizationId, subjectId)) as query.ScanRow
    const startedAt = row.started_at ?? isoTime(clock.now())
    await query.updateScan(tx, organizationId, subjectId, { state: 'running', started_at: startedAt })
    return { ...row, started_at: startedAt }
  })

const finishScan = async (
  tx: Transaction,
  { organizationId, subjectId: scanId }: BackgroundJob,
  end: JobEnd<ScanOutcome>,
): Promise<void> => {
  const scan = await query.lockScan(tx, organizationId, scanId)
  if (!scan) return
  const of = { organizationId, engagementId: scan.engagement_id, scanId }
  await flushAllProbes(tx, of, { id: scan.requested_by ?? scan.actor_id, name: scan.actor_name })
  await forgetCoverages(tx, organizationId, scanId)
  // A cancelled scan has already ended.
  if (scan.finished_at !== null) return
  const counts = await countChanges(tx, organizationId, scanId)
  const hasFound = Object.values(counts).some((count) => count > 0)
  const { state, reason } = end.result ?? { state: brokenState(end, hasFound), reason: end.reason }
  const endedAt = await query.currentTime(tx)
  await insertLines(tx, of, [
    { at: endedAt, level: state === 'succeeded' ? 'info' : 'warning', scanner: null, text: reason ?? 'Finished.' },
  ])
  const ended = { state, state_reason: reason, counts: JSON.stringify(counts), finished_at: endedAt }
  await query.updateScan(tx, organizationId, scanId, ended)
}

const brokenState = ({ state }: JobEnd<ScanOutcome>, hasFound: boolean): 'cancelled' | 'partial' | 'failed' => {
  if (state === 'cancelled') return 'cancelled'
  return hasFound ? 'partial' : 'failed'
}
