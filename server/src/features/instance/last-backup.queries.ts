import { type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { LastBackup } from '../../platform/database/types.gen.ts'

/** The last complete backup; undefined if there is none. */
export const findLastBackup = (db: Database): Promise<Pick<Selectable<LastBackup>, 'taken_at' | 'bytes'> | undefined> =>
  db.selectFrom('last_backup').select(['taken_at', 'bytes']).executeTakeFirst()

/** When the schema was created or restored: no backup of this database can be older. */
export const findFirstStart = async (db: Database): Promise<string | null> => {
  const { rows } = await sql<{ at: string | null }>`select min(applied_at) as at from schema_migrations`.execute(db)
  return rows[0]?.at ?? null
}

export const writeLastBackup = async (db: Database, backup: { taken_at: string; bytes: number }): Promise<void> => {
  await db
    .insertInto('last_backup')
    .values(backup)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(backup))
    .execute()
}
