import type * as contract from '@sortie/contract/inventory/operation-log.ts'
import type { Static } from 'typebox'
import type { OperationRow } from './operation-log.queries.ts'

type Operation = Static<typeof contract.Operation>

/** Converts a row to the contract. */
export const toOperation = (row: OperationRow): Operation => ({
  id: row.id,
  engagementId: row.engagement_id,
  kind: row.kind,
  scanId: row.scan_id,
  runId: row.run_id,
  importId: row.import_id,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  sourceAddress: row.source_address,
  address: row.address,
  host: row.host,
  port: row.port,
  ports: row.ports,
  protocol: row.protocol,
  by: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name as string },
  note: row.note,
  command: row.command,
  exitCode: row.exit_code,
  overrideReason: row.override_reason,
})
