import * as contract from '@sortie/contract/tasks/methodologies.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Methodologies } from '../../platform/database/types.gen.ts'
import { contains } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'
import { BUILT_INS } from './built-in/index-of-built-ins.ts'

/** A methodology without its items. */
export interface HeadRow {
  id: string
  name: string
  description: string
  version: string
  item_count: number
  built_in: boolean
  created_at: string
  updated_at: string
}

export interface MethodologyRow extends HeadRow {
  items: readonly contract.MethodologyItem[]
}

/** A key that is limited to engagements does not see the organization's own methodologies. */
const isSeen = sql<boolean>`current_setting('sortie.viewer', true) not like 'key\\_%'`

const HEADS = ['id', 'name', 'description', 'version', 'item_count', 'created_at', 'updated_at'] as const
const BUILT_IN_HEADS = JSON.stringify(BUILT_INS.map(({ items: _, ...head }) => head))

/** The organization's own and the built-in ones. */
const selectHeads = (db: Database, organizationId: string) => {
  const all = sql<HeadRow>`(
    select ${sql.join(HEADS.map((column) => sql.ref(column)))}, false as built_in from methodologies where organization_id = ${organizationId} and ${isSeen}
    union all
    select ${sql.join(HEADS.map((column) => sql.ref(column)))}, built_in from jsonb_to_recordset(${BUILT_IN_HEADS}::jsonb)
      as b (id text, name text, description text, version text, item_count integer, created_at timestamptz(3), updated_at timestamptz(3), built_in boolean))`
  return db.selectFrom(all.as('m')).select([...HEADS, 'built_in'])
}

export const methodologyList = listQuery(contract.methodologyList, {
  rows: selectHeads,
  id: sql`m.id collate "C"`,
  sorts: { createdAt: byId, updatedAt: 'm.updated_at', name: sql`m.name collate names` },
  filters: { q: contains('m.name') },
})

export const findMethodology = async (
  db: Database,
  organizationId: string,
  methodologyId: string,
): Promise<MethodologyRow | undefined> => {
  const builtIn = BUILT_INS.find(({ id }) => id === methodologyId)
  if (builtIn) return { ...builtIn, items: builtIn.items.map((item) => ({ ...item, appliesTo: [...item.appliesTo] })) }
  const row = await own(db, organizationId, methodologyId).executeTakeFirst()
  return row && { ...row, built_in: false }
}

/** Locks one of the organization's own for a change. */
export const lockMethodology = async (
  tx: Transaction,
  organizationId: string,
  methodologyId: string,
): Promise<MethodologyRow | undefined> => {
  const row = await own(tx, organizationId, methodologyId).forUpdate().executeTakeFirst()
  return row && { ...row, built_in: false }
}

const own = (db: Database, organizationId: string, methodologyId: string) =>
  db
    .selectFrom('methodologies')
    .select(HEADS)
    .select(({ ref }) => ref('items').$castTo<contract.MethodologyItem[]>().as('items'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', methodologyId)
    .where(isSeen)

export const countMethodologies = async (tx: Transaction, organizationId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('methodologies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

export const insertMethodology = async (tx: Transaction, methodology: Insertable<Methodologies>): Promise<void> => {
  await tx.insertInto('methodologies').values(methodology).execute()
}

export const updateMethodology = async (
  tx: Transaction,
  organizationId: string,
  methodologyId: string,
  change: Updateable<Methodologies>,
): Promise<void> => {
  await tx
    .updateTable('methodologies')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', methodologyId)
    .execute()
}

export const deleteMethodology = async (
  tx: Transaction,
  organizationId: string,
  methodologyId: string,
): Promise<void> => {
  await tx
    .deleteFrom('methodologies')
    .where('organization_id', '=', organizationId)
    .where('id', '=', methodologyId)
    .execute()
}
