import type { Body } from '@sortie/contract/core/endpoint.ts'
import type { createOperation as contract, OPERATION_KINDS } from '@sortie/contract/inventory/operation-log.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { findOperation, insertOperations, type OperationRow } from './operation-log.queries.ts'
import { readAddress, readName } from './place.ts'

/** A probe or request that was sent. Addresses and names are canonical. */
export interface Operation {
  kind: (typeof OPERATION_KINDS)[number]
  scanId?: string
  runId?: string
  importId?: string
  startedAt: string
  endedAt: string | null
  sourceAddress: string | null
  /** Required without `host`. */
  address: string | null
  host: string | null
  port: number | null
  /** For example `22,80,8000-8100`. */
  ports: string | null
  protocol: string | null
  by: { id: string; name: string } | null
  note?: string | null
}

interface LogOwner {
  organizationId: string
  /** Null for requests outside an engagement. */
  engagementId: string | null
}

/**
 * Adds entries to the operation log within the caller's transaction. Also in an archived engagement, because the probes
 * were sent.
 *
 * @returns ids of the entries
 */
export const recordOperations = async (
  tx: Transaction,
  { organizationId, engagementId }: LogOwner,
  operations: readonly Operation[],
): Promise<string[]> => {
  const rows = operations.map((operation) => ({
    id: newId('opr'),
    organization_id: organizationId,
    engagement_id: engagementId,
    kind: operation.kind,
    scan_id: operation.scanId ?? null,
    run_id: operation.runId ?? null,
    import_id: operation.importId ?? null,
    started_at: operation.startedAt,
    ended_at: operation.endedAt,
    source_address: operation.sourceAddress,
    address: operation.address,
    host: operation.host,
    port: operation.port,
    ports: operation.ports,
    protocol: operation.protocol,
    actor_id: operation.by?.id ?? null,
    actor_name: operation.by?.name ?? null,
    note: operation.note ?? null,
  }))
  await insertOperations(tx, rows)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await announce(tx, { type: 'operation', organizationId, engagementId, ids, change: 'created' })
  return ids
}

/** Logs an operation from outside Sortie. @throws ApiError VALIDATION_ERROR, CONFLICT for an archived engagement */
export const createOperation = (writer: Writer, actor: Actor, wanted: Body<typeof contract>): Promise<OperationRow> => {
  const operation = readOperation(actor, wanted)
  const { engagementId } = wanted
  return writer.change(async (tx) => {
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    const { organizationId } = actor
    const [id = ''] = await recordOperations(tx, { organizationId, engagementId }, [operation])
    const { address, host, port, protocol, startedAt } = operation
    const after = { name: host ?? address, startedAt, address, host, port, protocol }
    await recordAudit(tx, actor, writer.clock, {
      action: 'operation.noted',
      object: { type: 'operation', id },
      engagementId,
      after,
    })
    return findOperation(tx, organizationId, id)
  })
}

/** @throws ApiError VALIDATION_ERROR */
const readOperation = (actor: Actor, wanted: Body<typeof contract>): Operation => {
  const { startedAt, endedAt, note, port, protocol } = wanted
  if (endedAt !== undefined && endedAt < startedAt) throw invalid('endedAt: must not be before startedAt')
  const address = readWith(readAddress, 'address', wanted.address, 'must be an IP address')
  const host = readWith(readName, 'host', wanted.host, 'must be a host name')
  if (address === null && host === null) throw invalid('address: this or host is needed')
  return {
    kind: 'manual',
    startedAt,
    endedAt: endedAt ?? null,
    sourceAddress: readWith(readAddress, 'sourceAddress', wanted.sourceAddress, 'must be an IP address'),
    address,
    host,
    port: port ?? null,
    ports: null,
    protocol: protocol?.trim().toLowerCase() ?? null,
    by: { id: actor.id, name: actor.name },
    note: note?.trim() ?? null,
  }
}

const readWith = (
  read: (text: string) => string | undefined,
  field: string,
  written: string | undefined,
  problem: string,
): string | null => {
  if (written === undefined) return null
  const value = read(written)
  if (value === undefined) throw invalid(`${field}: ${problem}`)
  return value
}
