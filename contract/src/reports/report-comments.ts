import Type from 'typebox'
import { closedObject, endpoint, one } from '../core/endpoint.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import {
  Comment,
  CommentBodyOrNone,
  commentList,
  commentQuery,
  CommentSuggestion,
  EXAMPLE_COMMENT,
  ReportCommentAnchor,
  TOO_MANY_COMMENTS,
} from '../tasks/comments.ts'
import { EXAMPLE_REPORT, EXAMPLE_SECTION, OfReport } from './report-fields.ts'

const EXAMPLE_ON_REPORT = {
  ...EXAMPLE_COMMENT,
  taskId: null,
  reportId: EXAMPLE_REPORT.id,
  body: 'Weaknesses of what?',
  mentions: [],
  anchor: { section: EXAMPLE_SECTION.id, quote: 'weaknesses' },
  suggestion: 'weaknesses of the shop',
}

export const listReportComments = endpoint({
  id: 'listReportComments',
  method: 'GET',
  path: '/reports/:reportId/comments',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the comments on a report and its sections.',
  params: OfReport,
  query: commentQuery,
  reply: commentList.reply,
  example: { reply: { data: [EXAMPLE_ON_REPORT], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const createReportComment = endpoint({
  id: 'createReportComment',
  method: 'POST',
  path: '/reports/:reportId/comments',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Comment on a report, on a section or some of its words, or suggest others for them.',
  description:
    'Mentioned members are notified, and so are the authors and earlier commenters. With a suggestion the text may be empty; a suggestion needs words to replace.',
  params: OfReport,
  body: closedObject({
    body: CommentBodyOrNone,
    anchor: Type.Optional(ReportCommentAnchor),
    suggestion: Type.Optional(CommentSuggestion),
  }),
  reply: one(Comment),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_COMMENTS],
  example: {
    body: {
      body: EXAMPLE_ON_REPORT.body,
      anchor: EXAMPLE_ON_REPORT.anchor,
      suggestion: EXAMPLE_ON_REPORT.suggestion,
    },
    reply: { data: EXAMPLE_ON_REPORT },
  },
})
