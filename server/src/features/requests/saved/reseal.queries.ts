import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

export const SEALED_COLUMNS = [
  'api_requests.auth_secret',
  'request_folders.auth_secret',
  'request_environments.secrets',
] as const

type SealedColumn = (typeof SEALED_COLUMNS)[number]

const nameOf = (column: SealedColumn) => {
  const [table = '', name = ''] = column.split('.')
  return { table: sql.table(table), name: sql.ref(name) }
}

/** Of every organization. @param after the last id of the page before */
export const listSealedSecrets = async (db: Database, column: SealedColumn, after: string, limit: number) => {
  const { table, name } = nameOf(column)
  const { rows } = await sql<{ id: string; organization_id: string; sealed: Buffer }>`
    select id, organization_id, ${name} as sealed from ${table}
    where id > ${after} and ${name} is not null order by id limit ${limit}`.execute(db)
  return rows
}

/** Does nothing if the secret was replaced meanwhile. */
export const updateSealedSecret = async (
  tx: Transaction,
  column: SealedColumn,
  of: { id: string; organizationId: string },
  before: Buffer,
  sealed: Buffer,
): Promise<void> => {
  const { table, name } = nameOf(column)
  await sql`update ${table} set ${name} = ${sealed}
    where organization_id = ${of.organizationId} and id = ${of.id} and ${name} = ${before}`.execute(tx)
}
