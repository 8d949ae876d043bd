import Type from 'typebox'
import { closedObject, endpoint, Id, one } from '../core/endpoint.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import {
  Comment,
  COMMENT_IN_TRASH,
  CommentAnchor,
  CommentBody,
  CommentBodyOrNone,
  commentList,
  commentQuery,
  CommentSuggestion,
  EXAMPLE_COMMENT,
  OfComment,
  TOO_MANY_COMMENTS,
} from '../tasks/comments.ts'
import { IN_TRASH, IN_TURN, OfFinding } from './finding-fields.ts'

const EXAMPLE_ON_FINDING = {
  ...EXAMPLE_COMMENT,
  taskId: null,
  findingId: 'fnd_01jd7w2v4pf1y8m3c6k9t0r5xz',
  body: 'Say whose orders.',
  mentions: [],
  anchor: { section: 'impact', quote: 'Anyone can read every order.' },
  suggestion: 'Anyone can read the orders of every customer.',
}
const EXAMPLE_ON_RESULT = { ...EXAMPLE_COMMENT, taskId: null, resultId: 'res_01jd7w2v4pf1y8m3c6k9t0r5xz' }
const OfResult = closedObject({ resultId: Id('res') })

export const listFindingComments = endpoint({
  id: 'listFindingComments',
  method: 'GET',
  path: '/findings/:findingId/comments',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the comments on a finding.',
  params: OfFinding,
  query: commentQuery,
  reply: commentList.reply,
  example: { reply: { data: [EXAMPLE_ON_FINDING], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const createFindingComment = endpoint({
  id: 'createFindingComment',
  method: 'POST',
  path: '/findings/:findingId/comments',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Comment on a finding, on some of its words, or suggest others for them.',
  description:
    'Mentioned members are notified, and so are the author, the reviewer and earlier commenters. With a suggestion the text may be empty.',
  params: OfFinding,
  body: closedObject({
    body: CommentBodyOrNone,
    anchor: Type.Optional(CommentAnchor),
    suggestion: Type.Optional(CommentSuggestion),
  }),
  reply: one(Comment),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH, TOO_MANY_COMMENTS],
  example: {
    body: {
      body: EXAMPLE_ON_FINDING.body,
      anchor: EXAMPLE_ON_FINDING.anchor,
      suggestion: EXAMPLE_ON_FINDING.suggestion,
    },
    reply: { data: EXAMPLE_ON_FINDING },
  },
})

export const acceptComment = endpoint({
  id: 'acceptComment',
  method: 'POST',
  path: '/comments/:commentId/accept',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Apply the suggestion of a comment to the text, and close the comment.',
  description:
    'The first place of the quote is replaced. Both people count as writers of the text; an approved finding or report returns to review. Also needs `reports:read`.',
  params: OfComment,
  responseTimeout: IN_TURN,
  reply: one(Comment),
  status: 200,
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    COMMENT_IN_TRASH,
    'This comment suggests no other text.',
    'This suggestion has already been accepted.',
    'The text has changed: it no longer contains the quote.',
    'With the suggestion the text would have more than 50000 characters.',
    'With the suggestion the text would have more than 100000 characters.',
  ],
  example: {
    reply: {
      data: { ...EXAMPLE_ON_FINDING, accepted: { by: EXAMPLE_COMMENT.author, at: '2026-11-21T09:30:00.000Z' } },
    },
  },
})

export const listResultComments = endpoint({
  id: 'listResultComments',
  method: 'GET',
  path: '/results/:resultId/comments',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the comments on a result.',
  params: OfResult,
  query: commentQuery,
  reply: commentList.reply,
  example: { reply: { data: [EXAMPLE_ON_RESULT], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const createResultComment = endpoint({
  id: 'createResultComment',
  method: 'POST',
  path: '/results/:resultId/comments',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Comment on a result; mentioned members are notified.',
  params: OfResult,
  body: closedObject({ body: CommentBody }),
  reply: one(Comment),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_COMMENTS],
  example: { body: { body: EXAMPLE_COMMENT.body }, reply: { data: EXAMPLE_ON_RESULT } },
})
