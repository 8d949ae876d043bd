import { isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Worker } from '../../platform/feature.ts'
import { type RunningWork, type Work, type WorkEnd, workKind } from '../../platform/work/kinds.ts'
import { shareWritableEngagement } from '../engagements/locks.service.ts'
import { forgetCoverages } from '../results/gone.service.ts'
import { countChanges } from '../results/ingest.service.ts'
import { settleAllContacts } from './contacts.ts'
import { insertLines } from './log.queries.ts'
import { performScan } from './perform-scan.ts'
import * as query from './scans.queries.ts'

/** The regular end of a scan. */
export interface Outcome {
  state: 'succeeded' | 'partial' | 'failed'
  reason: string | null
}

/**
 * Runs the scanners of a scan. A scan whose process dies ends and is not resumed: it does not send probes twice, and its results
 * stay.
 */
export const runScan = workKind<Outcome>({
  name: 'scan',
  guard: 'targets:write',
  resumes: false,
  sends: true,
  writesNoFiles: true,
  places: ({ SCAN_CONCURRENCY }) => ({ perOrganization: SCAN_CONCURRENCY, perProcess: 2 * SCAN_CONCURRENCY }),
  event: 'scan',
  run: async (work, worker) => performScan(work, worker, await beginScan(work, worker)),
  onEnd: (tx, work, end) => finishScan(tx, work, end),
})

const beginScan = (work: RunningWork, { clock }: Worker): Promise<query.ScanRow> =>
  work.batch(async (tx, actor) => {
    const { organizationId, subjectId } = work
    await shareWritableEngagement(tx, actor, work.engagementId as string)
    const row = (await query.lockScan(tx, organizationId, subjectId)) as query.ScanRow
    const startedAt = row.started_at ?? isoTime(clock.now())
    await query.updateScan(tx, organizationId, subjectId, { state: 'running', started_at: startedAt })
    return { ...row, started_at: startedAt }
  })

const finishScan = async (tx: Transaction, { organizationId, subjectId: scanId }: Work, end: WorkEnd<Outcome>): Promise<void> => {
  const scan = await query.lockScan(tx, organizationId, scanId)
  if (!scan) return
  const of = { organizationId, engagementId: scan.engagement_id, scanId }
  await settleAllContacts(tx, of, { id: scan.actor_id, name: scan.actor_name })
  await forgetCoverages(tx, organizationId, scanId)
  // A cancelled scan has already ended.
  if (scan.finished_at !== null) return
  const counts = await countChanges(tx, organizationId, scanId)
  const hasFound = Object.values(counts).some((count) => count > 0)
  const { state, reason } = end.result ?? { state: brokenState(end, hasFound), reason: end.reason }
  const endedAt = await query.currentTime(tx)
  await insertLines(tx, of, [{ at: endedAt, level: state === 'succeeded' ? 'info' : 'warning', scanner: null, text: reason ?? 'It is through.' }])
  const ended = { state, state_reason: reason, counts: JSON.stringify(counts), finished_at: endedAt }
  await query.updateScan(tx, organizationId, scanId, ended)
}

const brokenState = ({ state }: WorkEnd<Outcome>, hasFound: boolean): 'cancelled' | 'partial' | 'failed' => {
  if (state === 'cancelled') return 'cancelled'
  return hasFound ? 'partial' : 'failed'
}
