import type { RequestRun, RunSummary } from '@sortie/contract/requests/request-runs.ts'
import type { Static } from 'typebox'
import type { RunRow, RunSummaryRow } from './runs.queries.ts'

export const toRunSummary = (row: RunSummaryRow): Static<typeof RunSummary> => ({
  id: row.id,
  requestId: row.request_id,
  sequenceId: row.sequence_id,
  engagementId: row.engagement_id,
  environmentId: row.environment_id,
  state: row.state,
  reason: row.reason,
  method: row.method,
  url: row.url,
  status: row.status,
  pinned: row.pinned,
  override: row.override_reason === null ? null : { reason: row.override_reason },
  startedBy: row.started_by === null ? null : { id: row.started_by, name: row.started_by_name as string },
  startedAt: row.created_at,
  createdAt: row.created_at,
})

type Run = Static<typeof RequestRun>

const NO_TIMING: Run['timing'] = { dns: null, connect: null, tls: null, firstByte: null, total: null }

export const toRun = (row: RunRow): Run => ({
  ...toRunSummary(row),
  request: row.request as Run['request'],
  hops: row.hops as Run['hops'],
  response: toResponse(row.response as Run['response']),
  timing: (row.timing as Run['timing'] | null) ?? NO_TIMING,
  assertions: row.assertions as Run['assertions'],
  captured: row.captured as Run['captured'],
})

/** Runs from before the field `problem` lack it. */
const toResponse = (response: Run['response']): Run['response'] =>
  response && { ...response, tls: response.tls && { ...response.tls, problem: response.tls.problem ?? null } }
