import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { hasWords, isWords } from '../../../platform/search/conditions.ts'
import type { Found } from '../../../platform/search/part.ts'

/** Engagements with all these words. Matches of the name come first, the exact name before all, then the newest. */
export const listEngagementsWithWords = async (
  db: Database,
  organizationId: string,
  words: readonly string[],
  engagementId: string | undefined,
  limit: number,
): Promise<Found[]> => {
  const name = sql<string>`search_text(name)`
  const rows = await db
    .selectFrom('engagements')
    .select([
      'id',
      'name',
      sql<string>`client_name || case when client_name <> '' then ': ' else '' end || description`.as('text'),
    ])
    .where('organization_id', '=', organizationId)
    .where(hasWords(sql.ref('search_text'), words))
    .where(engagementId === undefined ? sql<SqlBool>`true` : sql<SqlBool>`id = ${engagementId}`)
    .orderBy(isWords(name, words), 'desc')
    .orderBy(hasWords(name, words), 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, name, text }) => ({ id, engagementId: id, title: name, text }))
}
