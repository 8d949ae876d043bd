import type { Body } from '@sortie/contract/core/endpoint.ts'
import type {
  createOperation as contract,
  createOperations as bulk,
  OPERATION_KINDS,
} from '@sortie/contract/inventory/operation-log.ts'
import { type Actor, authorOf } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { ApiError, forbidden, invalid } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import {
  findOperation,
  insertExternalOperations,
  insertOperations,
  type OperationRow,
} from './operation-log.queries.ts'
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
  /** Of a run. */
  command?: string
  exitCode?: number | null
  overrideReason?: string | null
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
  const rows = operations.map((operation) => toRow({ organizationId, engagementId }, operation))
  await insertOperations(tx, rows)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await announce(tx, { type: 'operation', organizationId, engagementId, ids, change: 'created' })
  return ids
}

const toRow = ({ organizationId, engagementId }: LogOwner, operation: Operation) => ({
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
  command: operation.command ?? null,
  exit_code: operation.exitCode ?? null,
  override_reason: operation.overrideReason ?? null,
})

/** Rows inserted by one statement. */
const INSERTED_AT_ONCE = 500

/**
 * Logs what one command sent, each target once however often this is called with the same `externalId`.
 *
 * @throws ApiError VALIDATION_ERROR, CONFLICT for an archived engagement
 */
export const createOperations = (
  writer: Writer,
  actor: Actor,
  wanted: Body<typeof bulk>,
): Promise<{ created: number; known: number }> => {
  const { engagementId, externalId, targets, command, exitCode, overrideReason, ...shared } = wanted
  if (actor.agent && overrideReason !== undefined)
    throw forbidden('An agent cannot override the scope rules: a person has to do this.')
  const operations = targets.map((target, index): Operation => {
    const read = asLine(`targets.${index}`, () => readOperation(actor, { engagementId, ...shared, ...target }))
    return {
      ...read,
      kind: 'run',
      sourceAddress: read.sourceAddress ?? actor.address,
      command: command.trim(),
      exitCode: exitCode ?? null,
      overrideReason: overrideReason?.trim() ?? null,
    }
  })
  return writer.change(async (tx) => {
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    const { organizationId } = actor
    const rows = operations.map((operation, index) => ({
      ...toRow({ organizationId, engagementId }, operation),
      external_id: externalId,
      external_position: index,
    }))
    const ids: string[] = []
    for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE)
      ids.push(...(await insertExternalOperations(tx, rows.slice(at, at + INSERTED_AT_ONCE))))
    const [id] = ids
    if (id !== undefined) {
      await announce(tx, { type: 'operation', organizationId, engagementId, ids, change: 'created' })
      const { startedAt, endedAt } = shared
      await recordAudit(tx, actor, writer.clock, {
        action: 'operation.recorded',
        object: { type: 'operation', id },
        engagementId,
        after: { name: command, startedAt, endedAt, exitCode, overrideReason, targets: ids.length },
      })
    }
    return { created: ids.length, known: rows.length - ids.length }
  })
}

/** Names the target that is wrong. */
const asLine = <T>(place: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') throw invalid(`${place}.${error.message}`)
    throw error
  }
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
    by: { id: authorOf(actor) ?? actor.id, name: actor.name },
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
