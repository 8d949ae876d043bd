import * as contract from '@sortie/contract/tasks/task-comments.ts'
import { notFound } from '../../../platform/errors.ts'
import { readPage } from '../../../platform/http/answers/pages.ts'
import { type Route, route } from '../../../platform/http/routes/context.ts'
import { showActivity } from '../../audit/show-activity.ts'
import { listTaskHistory } from '../bulk/bulk.queries.ts'
import { findEngagementOfTask } from '../tasks.queries.ts'
import { type CommentRow, commentList } from './comments.queries.ts'
import { createComment, deleteComment, updateComment } from './comments.service.ts'

export const commentRoutes: Route[] = [
  route(contract.listComments, async (context) => {
    const { db, actor, params, query } = context
    const { rows, meta } = await commentList.page(context, { ...query, taskId: params.taskId })
    if (!(await findEngagementOfTask(db, actor.organizationId, params.taskId))) throw notFound()
    return { data: rows.map(toComment), meta }
  }),

  route(contract.createComment, async (context) => ({
    data: toComment(await createComment(context, context.actor, context.params.taskId, context.body.body)),
  })),

  route(contract.updateComment, async (context) => ({
    data: toComment(await updateComment(context, context.actor, context.params.commentId, context.body)),
  })),

  route(contract.deleteComment, async (context) => {
    const { actor, params } = context
    await deleteComment(context, actor, params.commentId)
    return { data: { deleted: true, id: params.commentId } }
  }),

  route(contract.listTaskHistory, async ({ db, actor, params, query }) => {
    const read = (before: string | undefined, limit: number) =>
      listTaskHistory(db, actor.organizationId, params.taskId, before, limit)
    const { rows, meta } = await readPage(query, 'aud', read, ({ id }) => id)
    if (!(await findEngagementOfTask(db, actor.organizationId, params.taskId))) throw notFound()
    return { data: await showActivity(db, actor, rows), meta }
  }),
]

const toComment = (row: CommentRow) => ({
  id: row.id,
  taskId: row.task_id,
  body: row.body,
  author: row.author_id === null ? null : { id: row.author_id, name: row.author_name as string },
  mentions: row.mentions,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
