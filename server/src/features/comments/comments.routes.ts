import * as onFindings from '@sortie/contract/findings/comments.ts'
import * as onReports from '@sortie/contract/reports/report-comments.ts'
import * as contract from '@sortie/contract/tasks/comments.ts'
import * as onTasks from '@sortie/contract/tasks/task-comments.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Keys } from '../../platform/crypto.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { type CommentParent, commentList, findParent } from './comments.queries.ts'
import { createComment, createReportComment, deleteComment, setResolved, updateComment } from './comments.service.ts'
import { toComment } from './show-comments.ts'

interface Reader {
  db: Database
  keys: Keys
  actor: Actor
  query: { perPage: number }
}

const pageOf = async (reader: Reader, parent: CommentParent) => {
  const { rows, meta } = await commentList.page(reader, { ...reader.query, [`${parent.type}Id`]: parent.id })
  if (!(await findParent(reader.db, reader.actor.organizationId, parent))) throw notFound()
  return { data: rows.map(toComment), meta }
}

export const commentRoutes: Route[] = [
  route(onTasks.listComments, (context) => pageOf(context, { type: 'task', id: context.params.taskId })),
  route(onFindings.listFindingComments, (context) =>
    pageOf(context, { type: 'finding', id: context.params.findingId }),
  ),
  route(onFindings.listResultComments, (context) => pageOf(context, { type: 'result', id: context.params.resultId })),
  route(onReports.listReportComments, (context) => pageOf(context, { type: 'report', id: context.params.reportId })),

  route(onTasks.createComment, async (context) => ({
    data: toComment(
      await createComment(context, context.actor, { type: 'task', id: context.params.taskId }, context.body),
    ),
  })),
  route(onFindings.createFindingComment, async (context) => ({
    data: toComment(
      await createComment(context, context.actor, { type: 'finding', id: context.params.findingId }, context.body),
    ),
  })),
  route(onFindings.createResultComment, async (context) => ({
    data: toComment(
      await createComment(context, context.actor, { type: 'result', id: context.params.resultId }, context.body),
    ),
  })),
  route(onReports.createReportComment, async (context) => {
    const { actor, params, body } = context
    return { data: toComment(await createReportComment(context, actor, params.reportId, body)) }
  }),

  route(contract.updateComment, async (context) => ({
    data: toComment(await updateComment(context, context.actor, context.params.commentId, context.body)),
  })),
  route(contract.deleteComment, async (context) => {
    await deleteComment(context, context.actor, context.params.commentId)
    return { data: { deleted: true, id: context.params.commentId } }
  }),
  route(contract.resolveComment, async (context) => ({
    data: toComment(await setResolved(context, context.actor, context.params.commentId, true)),
  })),
  route(contract.reopenComment, async (context) => ({
    data: toComment(await setResolved(context, context.actor, context.params.commentId, false)),
  })),
]
