import { SECTIONS } from '@sortie/contract/findings/finding-fields.ts'
import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { FindingRevisions } from '../../../platform/database/types.gen.ts'

const COLUMNS = ['r.revision', 'r.size', 'r.created_at', 'r.author as author_id', 'u.name as author_name'] as const

const selectRevisions = (db: Database, organizationId: string, findingId: string) =>
  db
    .selectFrom('finding_revisions as r')
    .leftJoin('users as u', 'u.id', 'r.author')
    .select(COLUMNS)
    .where('r.organization_id', '=', organizationId)
    .where('r.finding_id', '=', findingId)

export type RevisionRow = Awaited<ReturnType<typeof listRevisions>>[number]

/** The history, newest first; `beforeRevision` continues after this revision. */
export const listRevisions = (
  db: Database,
  organizationId: string,
  findingId: string,
  beforeRevision: number | undefined,
  limit: number,
) =>
  selectRevisions(db, organizationId, findingId)
    .where('r.is_squashed', '=', false)
    .$if(beforeRevision !== undefined, (query) => query.where('r.revision', '<', beforeRevision as number))
    .orderBy('r.revision', 'desc')
    .limit(limit)
    .execute()

export const findRevision = (db: Database, organizationId: string, findingId: string, revision: number) =>
  selectRevisions(db, organizationId, findingId)
    .select(SECTIONS.map((section) => `r.${section}` as const))
    .where('r.revision', '=', revision)
    .executeTakeFirst()

/** Texts that others may still be editing from; undefined if they were replaced at or before `since`. */
export const findBase = (tx: Transaction, organizationId: string, findingId: string, revision: number, since: string) =>
  tx
    .selectFrom('finding_revisions')
    .select(SECTIONS)
    .where('organization_id', '=', organizationId)
    .where('finding_id', '=', findingId)
    .where('revision', '=', revision)
    .where(sql<SqlBool>`coalesce(superseded_at, 'infinity') > ${since}`)
    .executeTakeFirst()

export const insertRevision = async (tx: Transaction, row: Insertable<FindingRevisions>): Promise<void> => {
  await tx.insertInto('finding_revisions').values(row).execute()
}

/**
 * Ends the current revision before the next one is added. If it has the same author and its entry started at or after
 * `since`, it is squashed into the next.
 *
 * @returns the start of the entry that the next revision continues; undefined if it starts a new one
 */
export const supersede = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
  revision: number,
  next: { author: string | null; now: string; since: string },
): Promise<string | undefined> => {
  const row = await tx
    .updateTable('finding_revisions')
    .set({
      superseded_at: next.now,
      is_squashed: sql<boolean>`author is not distinct from ${next.author}::text and author is not null and edit_started_at >= ${next.since}`,
    })
    .where('organization_id', '=', organizationId)
    .where('finding_id', '=', findingId)
    .where('revision', '=', revision)
    .returning(['is_squashed', 'edit_started_at'])
    .executeTakeFirstOrThrow()
  return row.is_squashed ? row.edit_started_at : undefined
}

/**
 * Deletes squashed texts that can no longer be the base of an edit, except approved and published ones.
 *
 * @returns how many, at most `limit`
 */
export const deleteSquashedBefore = async (db: Database, moment: string, limit: number): Promise<number> => {
  const result = await sql`delete from finding_revisions where (organization_id, finding_id, revision) in (
    select r.organization_id, r.finding_id, r.revision from finding_revisions r
    join findings f on f.organization_id = r.organization_id and f.id = r.finding_id
    where r.is_squashed and r.superseded_at < ${moment}
      and r.revision is distinct from f.approved_revision and r.revision is distinct from f.published_revision
    limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
