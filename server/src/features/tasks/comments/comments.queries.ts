import * as contract from '@sortie/contract/tasks/task-comments.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { TaskComments } from '../../../platform/database/types.gen.ts'
import { anyOf } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'

const selectComments = (db: Database, organizationId: string) =>
  db
    .selectFrom('task_comments as c')
    .leftJoin('users as author', 'author.id', 'c.author_id')
    .select([
      'c.id',
      'c.engagement_id',
      'c.task_id',
      'c.body',
      'c.author_id',
      'c.written_by',
      'c.created_at',
      'c.updated_at',
      'author.name as author_name',
    ])
    .select(
      sql<
        { id: string; name: string }[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by m.place), '[]')
      from unnest(c.mentions) with ordinality as m (id, place) join users u on u.id = m.id)`.as('mentions'),
    )
    .where('c.organization_id', '=', organizationId)

export type CommentRow = NonNullable<Awaited<ReturnType<typeof findComment>>>

export const findComment = (db: Database, organizationId: string, commentId: string) =>
  selectComments(db, organizationId).where('c.id', '=', commentId).executeTakeFirst()

export const commentList = listQuery(contract.commentList, {
  rows: selectComments,
  id: 'c.id',
  sorts: { createdAt: byId },
  filters: { taskId: anyOf('c.task_id') },
})

/** Reads a comment and locks it for a change; lock its engagement first. */
export const lockComment = async (
  tx: Transaction,
  organizationId: string,
  commentId: string,
): Promise<CommentRow | undefined> => {
  await tx
    .selectFrom('task_comments')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', commentId)
    .forUpdate()
    .execute()
  return findComment(tx, organizationId, commentId)
}

/** Counting stops at `max`. */
export const countComments = async (
  tx: Transaction,
  organizationId: string,
  taskId: string,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from task_comments where organization_id = ${organizationId} and task_id = ${taskId} limit ${max}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export const insertComment = async (tx: Transaction, comment: Insertable<TaskComments>): Promise<void> => {
  await tx.insertInto('task_comments').values(comment).execute()
}

export const updateComment = async (
  tx: Transaction,
  organizationId: string,
  commentId: string,
  edit: Updateable<TaskComments>,
): Promise<void> => {
  await tx
    .updateTable('task_comments')
    .set(edit)
    .where('organization_id', '=', organizationId)
    .where('id', '=', commentId)
    .execute()
}

export const deleteComment = async (tx: Transaction, organizationId: string, commentId: string): Promise<void> => {
  await tx
    .deleteFrom('task_comments')
    .where('organization_id', '=', organizationId)
    .where('id', '=', commentId)
    .execute()
}
