import * as contract from '@sortie/contract/inventory/operation-log.ts'
import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { OperationLogEntries } from '../../platform/database/types.gen.ts'
import { badRequest } from '../../platform/errors.ts'
import { anyOf, condition, isNull } from '../../platform/lists/filters.ts'
import { listQuery } from '../../platform/lists/list.ts'
import { readPlace } from './place.ts'

const selectOperations = (db: Database, organizationId: string) =>
  db
    .selectFrom('operation_log_entries as o')
    .select(['o.id', 'o.engagement_id', 'o.kind', 'o.scan_id', 'o.run_id', 'o.import_id', 'o.started_at', 'o.ended_at'])
    .select(['o.host', 'o.port', 'o.ports', 'o.protocol', 'o.actor_id', 'o.actor_name', 'o.note'])
    .select(['o.command', 'o.exit_code', 'o.override_reason'])
    .select([
      sql<string | null>`host(o.address)`.as('address'),
      sql<string | null>`host(o.source_address)`.as('source_address'),
    ])
    .where('o.organization_id', '=', organizationId)

export type OperationRow = Awaited<ReturnType<ReturnType<typeof selectOperations>['execute']>>[number]

/** The range contains exactly the addresses of the network, in the order of single addresses. */
const within = (network: string) => sql<SqlBool>`o.address between
  set_masklen(network(${network}::inet)::inet, case family(${network}::inet) when 4 then 32 else 128 end)
  and set_masklen(broadcast(${network}::inet), case family(${network}::inet) when 4 then 32 else 128 end)`

/** Filters by address, network or name. @throws ApiError BAD_REQUEST */
const at = (written: string) => {
  const place = readPlace(written)
  if ('refused' in place) throw badRequest(`address: ${place.refused}`)
  return 'network' in place ? within(place.network) : sql<SqlBool>`o.host = ${place.name}`
}

/** Entries at a time, plus or minus a minute. */
const wentOnAt = (moment: string) => sql<SqlBool>`o.started_at <= ${moment}::timestamptz + interval '1 minute'
  and coalesce(o.ended_at, o.started_at) >= ${moment}::timestamptz - interval '1 minute'`

const source = {
  rows: selectOperations,
  id: 'o.id',
  engagementId: 'o.engagement_id',
  sorts: { startedAt: 'o.started_at' },
  filters: {
    organization: isNull('o.engagement_id'),
    kind: anyOf('o.kind'),
    scanId: anyOf('o.scan_id'),
    address: condition(at),
    at: condition(wentOnAt),
  },
}

export const operationList = listQuery(contract.operationList, source)
export const operationExport = listQuery(contract.operationExport, source)

export const findOperation = (db: Database, organizationId: string, id: string): Promise<OperationRow> =>
  selectOperations(db, organizationId).where('o.id', '=', id).executeTakeFirstOrThrow()

/** Returns true if one of these imports has already been logged. */
export const findIsLogged = async (
  db: Database,
  organizationId: string,
  importIds: readonly string[],
): Promise<boolean> => {
  const found = await db
    .selectFrom('operation_log_entries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(sql<SqlBool>`kind = 'import'`)
    .where('import_id', 'in', importIds)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns true if a command with this id has already been logged. */
export const findIsLoggedAs = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  externalId: string,
): Promise<boolean> => {
  const found = await db
    .selectFrom('operation_log_entries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('external_id', '=', externalId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Inserts what is not known by its external id and position. @returns ids of the new rows */
export const insertExternalOperations = async (
  tx: Transaction,
  rows: readonly Insertable<OperationLogEntries>[],
): Promise<string[]> => {
  const inserted = await tx
    .insertInto('operation_log_entries')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'engagement_id', 'external_id', 'external_position'])
        .where(sql<SqlBool>`external_id is not null`)
        .doNothing(),
    )
    .returning('id')
    .execute()
  return inserted.map(({ id }) => id)
}

export const insertOperations = async (
  tx: Transaction,
  rows: readonly Insertable<OperationLogEntries>[],
): Promise<void> => {
  if (rows.length > 0) await tx.insertInto('operation_log_entries').values(rows).execute()
}
