import { SEVERITIES } from '@sortie/contract/core/values.ts'
import type * as bulk from '@sortie/contract/inventory/result-bulk.ts'
import type * as contract from '@sortie/contract/inventory/results.ts'
import type { Static } from 'typebox'
import { isoTime } from '../../../platform/clock.ts'
import type { ResultRow, WholeResultRow } from '../results.queries.ts'
import type { FormerResult } from '../triage/bulk.queries.ts'
import { withMissingHeaders } from './security-headers.ts'

type Result = Static<typeof contract.Result>

/** Converts a row of a list to the contract. */
export const toResult = (row: ResultRow): Result => ({
  id: row.id,
  engagementId: row.engagement_id,
  kind: row.kind,
  asset: row.asset,
  targetId: row.target_id,
  title: row.title,
  severity: severityWord(row.severity),
  status: row.status,
  state: row.state,
  verdict: row.verdict,
  data: row.kind === 'http_response' ? withMissingHeaders(row.data) : row.data,
  tools: row.tools,
  tags: row.tags,
  assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
  notes: row.notes,
  acceptedUntil: row.accepted_until,
  reopenedAt: row.reopened_at,
  includes: row.includes,
  retestOf: row.retest_of,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  trashedAt: row.trashed_at,
})

/** Converts a row with all its data. */
export const toWholeResult = (row: WholeResultRow): Result => {
  const result = toResult(row)
  return { ...result, data: { ...result.data, ...row.large_data } }
}

const severityWord = (severity: number | null): Result['severity'] =>
  severity === null ? null : (SEVERITIES[severity] as Result['severity'])

/** The change that gives a result its former values back. */
export const toUndo = ({ id, updated_at, former }: FormerResult): Static<typeof bulk.ResultUndo> => ({
  id,
  ifUpdatedAt: isoTime(Date.parse(updated_at)),
  set: {
    ...(former.status !== null && { status: former.status, acceptedUntil: former.accepted_until }),
    severity: severityWord(former.severity),
    isSeveritySet: former.is_severity_set,
    assigneeId: former.assignee_id,
    notes: former.notes,
    tags: former.tags,
  },
})

/** Converts a snapshot to the contract. Early manual ones already store severities as words. */
export const readable = (snapshot: object): Record<string, unknown> => {
  const severity = 'severity' in snapshot ? snapshot.severity : undefined
  return typeof severity === 'number' ? { ...snapshot, severity: severityWord(severity) } : { ...snapshot }
}
