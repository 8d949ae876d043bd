import type * as contract from '@sortie/contract/inventory/scans.ts'
import type { Static } from 'typebox'
import type { ScanRow } from './scans.queries.ts'

type Scan = Static<typeof contract.Scan>

const NO_COUNTS = { created: 0, unchanged: 0, changed: 0, gone: 0, reappeared: 0 }

/** A scan as the API shows it. */
export const toScan = (row: ScanRow): Scan => {
  const { created, unchanged, changed, gone, reappeared } = { ...NO_COUNTS, ...row.counts }
  return {
    id: row.id,
    engagementId: row.engagement_id,
    name: row.name,
    scanners: row.scanners,
    targets: row.targets,
    state: row.state,
    stateReason: row.state_reason,
    progress: row.finished_at === null ? { done: row.done ?? 0, total: row.total } : null,
    counts: { created, unchanged, changed, gone, reappeared, skipped: row.skipped },
    trigger: row.trigger,
    scheduleId: row.schedule_id,
    override: row.override_reason === null ? null : { reason: row.override_reason },
    requestedBy: row.requested_by === null ? null : { id: row.requested_by, name: row.requested_by_name as string },
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}
