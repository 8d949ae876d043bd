import { CursorQuery, closedObject, cursorPage, endpoint, Id, one } from '../core/endpoint.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { ActivityEntry } from '../engagement/engagement-activity.ts'
import { Comment, CommentBody, commentList, commentQuery, EXAMPLE_COMMENT, TOO_MANY_COMMENTS } from './comments.ts'

const OfTask = closedObject({ taskId: Id('tsk') })

export const listComments = endpoint({
  id: 'listComments',
  method: 'GET',
  path: '/tasks/:taskId/comments',
  scope: 'tasks:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the comments on a task.',
  params: OfTask,
  query: commentQuery,
  reply: commentList.reply,
  example: { reply: { data: [EXAMPLE_COMMENT], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const createComment = endpoint({
  id: 'createComment',
  method: 'POST',
  path: '/tasks/:taskId/comments',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Comment on a task; mentioned members are notified.',
  params: OfTask,
  body: closedObject({ body: CommentBody }),
  reply: one(Comment),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_COMMENTS],
  example: { body: { body: EXAMPLE_COMMENT.body }, reply: { data: EXAMPLE_COMMENT } },
})

export const listTaskHistory = endpoint({
  id: 'listTaskHistory',
  method: 'GET',
  path: '/tasks/:taskId/history',
  scope: 'tasks:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List what was changed in a task, newest first.',
  description: 'A bulk change is one entry, whose object is the engagement.',
  params: OfTask,
  query: closedObject(CursorQuery),
  reply: cursorPage(ActivityEntry),
  example: {
    reply: {
      data: [
        {
          id: 'aud_01jd7w2v4pf1y8m3c6k9t0r5xz',
          createdAt: '2026-11-21T08:30:00.000Z',
          actor: { type: 'user', id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
          action: 'task.changed',
          object: {
            type: 'task',
            id: 'tsk_01jd7w2v4pf1y8m3c6k9t0r5xz',
            name: 'Check the password reset for user enumeration',
          },
          before: { status: 'open' },
          after: { status: 'done' },
          references: [],
        },
      ],
      meta: { perPage: 20, nextCursor: null },
    },
  },
})
