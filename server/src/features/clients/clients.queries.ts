import * as contract from '@sortie/contract/clients/clients.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Clients } from '../../platform/database/types.gen.ts'
import { fieldsOf, hasFields } from '../../platform/fields/field-values.ts'
import { containsFolded } from '../../platform/lists/filters.ts'
import { listQuery } from '../../platform/lists/list.ts'

const COLUMNS = [
  'c.id',
  'c.name',
  'c.short_name',
  'c.domains',
  'c.contacts',
  'c.notes',
  'c.language',
  'c.retention',
  'c.created_by',
  'c.created_at',
  'c.updated_at',
] as const

/** Row-level security shows only the clients that the caller sees. */
const selectClients = (db: Database, organizationId: string) =>
  db
    .selectFrom('clients as c')
    .leftJoin('users as u', 'u.id', 'c.created_by')
    .select([...COLUMNS, 'u.name as creator_name', fieldsOf('c').as('fields')])
    .where('c.organization_id', '=', organizationId)

export type ClientRow = NonNullable<Awaited<ReturnType<typeof findClient>>>

export const clientList = listQuery(contract.clientList, {
  rows: selectClients,
  id: 'c.id',
  sorts: { createdAt: 'c.created_at', updatedAt: 'c.updated_at', name: 'c.name' },
  filters: { q: containsFolded('c.searched'), field: hasFields('client', 'c') },
})

export const findClient = (db: Database, organizationId: string, clientId: string) =>
  selectClients(db, organizationId).where('c.id', '=', clientId).executeTakeFirst()

/** Reads a client and locks it for a change of its columns: engagements can select it meanwhile. */
export const lockClient = async (
  tx: Transaction,
  organizationId: string,
  clientId: string,
): Promise<ClientRow | undefined> => {
  await tx
    .selectFrom('clients')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', clientId)
    .forNoKeyUpdate()
    .execute()
  return findClient(tx, organizationId, clientId)
}

/** Locks a client for its deletion: no engagement can select it meanwhile. */
export const lockClientForDeletion = async (
  tx: Transaction,
  organizationId: string,
  clientId: string,
): Promise<ClientRow | undefined> => {
  await tx
    .selectFrom('clients')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', clientId)
    .forUpdate()
    .execute()
  return findClient(tx, organizationId, clientId)
}

/** Reads a client and holds its name until the transaction ends. */
export const lockClientForShare = (tx: Transaction, organizationId: string, clientId: string) =>
  tx
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', clientId)
    .forShare()
    .executeTakeFirst()

/**
 * The oldest visible client of this name, in any letter case; the `preferred` one first. Holds its name until the
 * transaction ends.
 */
export const lockClientOfNameForShare = (
  tx: Transaction,
  organizationId: string,
  name: string,
  preferred: string | null,
) =>
  tx
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`lower(name collate names) = lower(${name}::text collate names)`)
    .orderBy(sql`id is distinct from ${preferred}::text`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .forShare()
    .executeTakeFirst()

/** Includes engagements that the caller does not see. */
export const findHasEngagements = async (
  tx: Transaction,
  organizationId: string,
  clientId: string,
): Promise<boolean> => {
  const { rows } = await sql<{
    has: boolean
  }>`select client_has_engagements(${organizationId}, ${clientId}) as has`.execute(tx)
  return rows[0]?.has ?? false
}

export const insertClient = async (tx: Transaction, client: Insertable<Clients>): Promise<void> => {
  await tx.insertInto('clients').values(client).execute()
}

export const updateClient = async (
  tx: Transaction,
  organizationId: string,
  clientId: string,
  clientColumns: Updateable<Clients>,
): Promise<void> => {
  await tx
    .updateTable('clients')
    .set(clientColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', clientId)
    .execute()
}

export const deleteClient = async (tx: Transaction, organizationId: string, clientId: string): Promise<void> => {
  await tx.deleteFrom('clients').where('organization_id', '=', organizationId).where('id', '=', clientId).execute()
}

const MAX_YEARS = 100

/**
 * Findings of a client in the engagements that the caller sees, newest year first; without withdrawn ones and the
 * trash.
 */
export const listFindingsByYear = async (db: Database, organizationId: string, clientId: string) => {
  const of = (severity: number) => sql<number>`count(*) filter (where f.severity = ${severity})::integer`
  const { rows } = await sql<Record<'year' | 'info' | 'low' | 'medium' | 'high' | 'critical' | 'open', number>>`
    select extract(year from f.created_at at time zone 'utc')::integer as year,
      ${of(0)} as info, ${of(1)} as low, ${of(2)} as medium, ${of(3)} as high, ${of(4)} as critical,
      count(*) filter (where f.status in ('open', 'partly_fixed'))::integer as open
    from findings f join engagements e on e.organization_id = f.organization_id and e.id = f.engagement_id
    where f.organization_id = ${organizationId} and e.client_id = ${clientId} and f.trashed_at is null and f.status <> 'withdrawn'
    group by 1 order by 1 desc limit ${MAX_YEARS}`.execute(db)
  return rows
}
