import type * as contract from '@sortie/contract/inventory/imports.ts'
import type { Static } from 'typebox'
import { NO_CHANGES } from '../inventory/ingest/sources.ts'
import type { ImportRow } from './imports.queries.ts'

type Import = Static<typeof contract.Import>

/** An import as the API shows it. */
export const toImport = (row: ImportRow): Import => ({
  id: row.id,
  engagementId: row.engagement_id,
  fileName: row.file_name,
  size: row.size,
  sha256: row.sha256,
  format: row.format as Import['format'],
  tool: row.tool ?? row.format,
  toolVersion: row.tool_version,
  mode: row.mode,
  state: row.state,
  stateReason: row.state_reason,
  progress:
    row.work_state === 'running' || row.work_state === 'queued' ? { done: row.done ?? 0, total: row.total } : null,
  counts: {
    results: { ...NO_CHANGES, ...row.counts?.results },
    targets: row.counts?.targets ?? { created: 0, known: 0 },
    rejected: row.rejected,
    outOfScope: row.out_of_scope,
  },
  warnings: row.warnings,
  duplicateOf: row.duplicate_of,
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.created_by_name as string },
  seenAt: row.seen_at,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
})
