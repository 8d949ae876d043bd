import { sql } from 'kysely'
import type { Data, PartialSnapshot } from './merge.ts'

/** What an import or a scan may change of a result, or revert. */
export interface StoredResult {
  id: string
  title: string
  severity: number | null
  is_severity_set: boolean
  status: string | null
  state: string
  data: Data
  large_data: Data
  tools: string[]
  reopened_at: string | null
  last_seen_at: string
  evidence_at: string
  status_changed_at: string | null
  updated_at: string
  /** The fields that the source changed; null if it changed none. */
  before: PartialSnapshot | null
  after: PartialSnapshot | null
}

/** The columns of `StoredResult` of `results r` and `observations o`. */
export const STORED_RESULT = sql`r.id, r.title, r.severity, r.is_severity_set, r.status, r.state, r.data, r.large_data, r.tools, r.reopened_at,
  r.last_seen_at, r.evidence_at, r.status_changed_at, r.updated_at, o.before, o.after`
