import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { WikiRevisions } from '../../../platform/database/types.gen.ts'

const COLUMNS = ['r.revision', 'r.size', 'r.created_at', 'r.author as author_id', 'u.name as author_name'] as const

export interface RevisionRow {
  revision: number
  /** Bytes of the text. */
  size: number
  created_at: string
  /** Null for a key. */
  author_id: string | null
  author_name: string | null
}

const selectRevisions = (db: Database, organizationId: string, pageId: string) =>
  db
    .selectFrom('wiki_revisions as r')
    .leftJoin('users as u', 'u.id', 'r.author')
    .select(COLUMNS)
    .where('r.organization_id', '=', organizationId)
    .where('r.page_id', '=', pageId)

/** The history, newest first; `before` continues after this revision. */
export const listRevisions = (
  db: Database,
  organizationId: string,
  pageId: string,
  before: number | undefined,
  limit: number,
): Promise<RevisionRow[]> => {
  const entries = selectRevisions(db, organizationId, pageId).where('r.is_squashed', '=', false)
  return (before === undefined ? entries : entries.where('r.revision', '<', before))
    .orderBy('r.revision', 'desc')
    .limit(limit)
    .execute()
}

export const findRevision = (
  db: Database,
  organizationId: string,
  pageId: string,
  revision: number,
): Promise<(RevisionRow & { body: string }) | undefined> =>
  selectRevisions(db, organizationId, pageId).select('r.body').where('r.revision', '=', revision).executeTakeFirst()

/** The text of an existing page's revision. */
export const readText = async (
  tx: Transaction,
  organizationId: string,
  pageId: string,
  revision: number,
): Promise<string> => {
  const { body } = await tx
    .selectFrom('wiki_revisions')
    .select('body')
    .where('organization_id', '=', organizationId)
    .where('page_id', '=', pageId)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow()
  return body
}

/** A text that others may still be editing from; undefined if it was replaced at or before `since`. */
export const findBase = (
  db: Database,
  organizationId: string,
  pageId: string,
  revision: number,
  since: string,
): Promise<{ body: string } | undefined> =>
  db
    .selectFrom('wiki_revisions')
    .select('body')
    .where('organization_id', '=', organizationId)
    .where('page_id', '=', pageId)
    .where('revision', '=', revision)
    .where(sql<SqlBool>`coalesce(superseded_at, 'infinity') > ${since}`)
    .executeTakeFirst()

export const insertRevisions = async (tx: Transaction, revisions: Insertable<WikiRevisions>[]): Promise<void> => {
  await tx.insertInto('wiki_revisions').values(revisions).execute()
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
  pageId: string,
  revision: number,
  next: { author: string | null; now: string; since: string },
): Promise<string | undefined> => {
  const row = await tx
    .updateTable('wiki_revisions')
    .set({
      superseded_at: next.now,
      is_squashed: sql<boolean>`author is not distinct from ${next.author}::text and author is not null and edit_started_at >= ${next.since}`,
    })
    .where('organization_id', '=', organizationId)
    .where('page_id', '=', pageId)
    .where('revision', '=', revision)
    .returning(['is_squashed', 'edit_started_at'])
    .executeTakeFirstOrThrow()
  return row.is_squashed ? row.edit_started_at : undefined
}

/** Deletes squashed texts that can no longer be the base of an edit. @returns how many, at most `limit` */
export const deleteJoinedBefore = async (db: Database, before: string, limit: number): Promise<number> => {
  const columns = ['organization_id', 'page_id', 'revision'] as const
  const result = await db
    .deleteFrom('wiki_revisions')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple(...columns),
        'in',
        selectFrom('wiki_revisions')
          .select(columns)
          .where('is_squashed', '=', true)
          .where('superseded_at', '<', before)
          .limit(limit)
          .$asTuple(...columns),
      ),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
