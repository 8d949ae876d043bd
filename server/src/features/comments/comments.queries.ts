import * as contract from '@sortie/contract/tasks/comments.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Comments } from '../../platform/database/types.gen.ts'
import { anyOf } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'

const COLUMNS = [
  'c.id',
  'c.engagement_id',
  'c.task_id',
  'c.result_id',
  'c.finding_id',
  'c.report_id',
  'c.body',
  'c.anchor_section',
  'c.anchor_section_id',
  'c.anchor_quote',
  'c.suggestion',
  'c.resolved_by',
  'c.resolved_at',
  'c.accepted_by',
  'c.accepted_at',
  'c.author_id',
  'c.written_by',
  'c.edited_at',
  'c.created_at',
  'c.updated_at',
] as const

const selectComments = (db: Database, organizationId: string) =>
  db
    .selectFrom('comments as c')
    .leftJoin('users as author', 'author.id', 'c.author_id')
    .leftJoin('users as resolver', 'resolver.id', 'c.resolved_by')
    .leftJoin('users as acceptor', 'acceptor.id', 'c.accepted_by')
    .select(COLUMNS)
    .select(['author.name as author_name', 'resolver.name as resolver_name', 'acceptor.name as acceptor_name'])
    .select([
      sql<
        { id: string; name: string }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by m.place), '[]')
      from unnest(c.mentions) with ordinality as m (id, place) join users u on u.id = m.id)`.as('mentions'),
      sql<boolean>`(c.anchor_quote is not null and not exists (select from report_sections s
        where s.organization_id = c.organization_id and s.report_id = c.report_id and s.id = c.anchor_section_id
          and strpos(s.body, c.anchor_quote) > 0) and not exists (select from findings f
        where f.organization_id = c.organization_id and f.id = c.finding_id and strpos(case c.anchor_section
          when 'summary' then f.summary when 'description' then f.description when 'impact' then f.impact
          when 'reproduction' then f.reproduction else f.recommendation end, c.anchor_quote) > 0))`.as('text_changed'),
    ])
    .where('c.organization_id', '=', organizationId)
    // Comments of a task or result in the trash are hidden with it.
    .where(
      sql<boolean>`(c.task_id is null or exists (select from tasks t where t.organization_id = c.organization_id and t.id = c.task_id))
        and (c.result_id is null or exists (select from results r where r.organization_id = c.organization_id and r.id = c.result_id))`,
    )

export type CommentRow = NonNullable<Awaited<ReturnType<typeof findComment>>>

export const findComment = (db: Database, organizationId: string, commentId: string) =>
  selectComments(db, organizationId).where('c.id', '=', commentId).executeTakeFirst()

export const commentList = listQuery(contract.commentList, {
  rows: selectComments,
  id: 'c.id',
  sorts: { createdAt: byId },
  filters: {
    taskId: anyOf('c.task_id'),
    resultId: anyOf('c.result_id'),
    findingId: anyOf('c.finding_id'),
    reportId: anyOf('c.report_id'),
  },
})

/** Reads a comment and locks it for a change; lock its engagement first. */
export const lockComment = async (
  tx: Transaction,
  organizationId: string,
  commentId: string,
): Promise<CommentRow | undefined> => {
  await tx
    .selectFrom('comments')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', commentId)
    .forUpdate()
    .execute()
  return findComment(tx, organizationId, commentId)
}

/** What a comment is on. */
export interface CommentParent {
  type: 'task' | 'result' | 'finding' | 'report'
  id: string
}

const PARENT_COLUMNS = { task: 'task_id', result: 'result_id', finding: 'finding_id', report: 'report_id' } as const

/** Counting stops at `max`. */
export const countComments = async (
  tx: Transaction,
  organizationId: string,
  parent: CommentParent,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from comments where organization_id = ${organizationId} and ${sql.ref(PARENT_COLUMNS[parent.type])} = ${parent.id} limit ${max}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

const PARENT_TABLES = { task: 'tasks', result: 'results', finding: 'findings', report: 'reports' } as const

/** The engagement of a visible parent, and whether it is in the trash. */
export const findParent = async (
  db: Database,
  organizationId: string,
  parent: CommentParent,
): Promise<{ engagement_id: string; is_trashed: boolean } | undefined> => {
  const { type, id } = parent
  const trashed = type === 'finding' ? sql<boolean>`trashed_at is not null` : sql<boolean>`false`
  return db
    .selectFrom(PARENT_TABLES[type])
    .select(['engagement_id', trashed.as('is_trashed')])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Who takes part in the review of a parent: author and reviewer, or the authors; and earlier commenters. */
export const listParticipants = async (
  tx: Transaction,
  organizationId: string,
  { type, id }: CommentParent,
): Promise<string[]> => {
  if (type === 'report') return listReportParticipants(tx, organizationId, id)
  return type === 'finding' ? listFindingParticipants(tx, organizationId, id) : []
}

const listReportParticipants = async (tx: Transaction, organizationId: string, reportId: string) => {
  const { rows } = await sql<{ id: string }>`
    select unnest(r.author_ids) as id from reports r where r.organization_id = ${organizationId} and r.id = ${reportId}
    union select c.author_id from comments c where c.organization_id = ${organizationId} and c.report_id = ${reportId} and c.author_id is not null`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

const listFindingParticipants = async (tx: Transaction, organizationId: string, findingId: string) => {
  const { rows } = await sql<{ id: string }>`
    select f.author_id as id from findings f where f.organization_id = ${organizationId} and f.id = ${findingId} and f.author_id is not null
    union select f.reviewer_id from findings f where f.organization_id = ${organizationId} and f.id = ${findingId} and f.reviewer_id is not null
    union select c.author_id from comments c where c.organization_id = ${organizationId} and c.finding_id = ${findingId} and c.author_id is not null`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Whether a report has this section. */
export const hasSection = async (
  tx: Transaction,
  organizationId: string,
  reportId: string,
  sectionId: string,
): Promise<boolean> =>
  (await tx
    .selectFrom('report_sections')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('report_id', '=', reportId)
    .where('id', '=', sectionId)
    .executeTakeFirst()) !== undefined

export const insertComment = async (tx: Transaction, comment: Insertable<Comments>): Promise<void> => {
  await tx.insertInto('comments').values(comment).execute()
}

export const updateComment = async (
  tx: Transaction,
  organizationId: string,
  commentId: string,
  edit: Updateable<Comments>,
): Promise<void> => {
  await tx
    .updateTable('comments')
    .set(edit)
    .where('organization_id', '=', organizationId)
    .where('id', '=', commentId)
    .execute()
}

export const deleteComment = async (tx: Transaction, organizationId: string, commentId: string): Promise<void> => {
  await tx.deleteFrom('comments').where('organization_id', '=', organizationId).where('id', '=', commentId).execute()
}
