import * as contract from '@sortie/contract/account/notifications.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { type NoticeRow, noticeList } from './notifications.queries.ts'
import { readNotices } from './notifications.service.ts'

export const noticeRoutes: Route[] = [
  route(contract.listNotices, async (context) => {
    const { rows, meta } = await noticeList.page(context, { ...context.query, own: true })
    return { data: rows.map(toNotice), meta }
  }),

  route(contract.readNotices, async (context) => ({
    data: { read: await readNotices(context, context.actor, context.body) },
  })),
]

const toNotice = (row: NoticeRow) => ({
  id: row.id,
  kind: row.kind,
  engagementId: row.engagement_id,
  engagementName: row.engagement_name,
  task: row.task_id === null ? null : { id: row.task_id, title: row.title },
  result: row.result_id === null ? null : { id: row.result_id, title: row.title },
  finding: row.finding_id === null ? null : { id: row.finding_id, title: row.title },
  report: row.report_id === null ? null : { id: row.report_id, title: row.title },
  commentId: row.comment_id,
  excerpt: row.excerpt,
  tasks: row.tasks,
  by: row.by_id === null ? null : { id: row.by_id, name: row.by_name },
  createdAt: row.created_at,
  readAt: row.read_at,
})
