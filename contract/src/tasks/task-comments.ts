import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Id,
  Markdown,
  Nullable,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { declareList, OneId } from '../core/lists.ts'
import { ActivityEntry } from '../engagement/engagement-activity.ts'
import { PersonReference } from '../engagement/engagement-details.ts'

const CommentBody = Type.String({
  ...Markdown(20_000),
  minLength: 1,
  description: 'Markdown; `@[Name](usr_...)` mentions a member who sees the engagement',
})

export const Comment = closedObject({
  id: Id('cmt'),
  taskId: Id('tsk'),
  body: CommentBody,
  author: Nullable(PersonReference.properties, 'null for a key'),
  mentions: Type.Array(PersonReference, {
    description: 'members whom the text mentions and who saw the engagement at that time',
  }),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

const EXAMPLE_COMMENT = {
  id: 'cmt_01jd7w2v4pf1y8m3c6k9t0r5xz',
  taskId: 'tsk_01jd7w2v4pf1y8m3c6k9t0r5xz',
  body: '@[Ada Lovelace](usr_01jd7w2v4pf1y8m3c6k9t0r5xz) the wording differs: see the screenshot.',
  author: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xa', name: 'Grace Hopper' },
  mentions: [{ id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' }],
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

const ARCHIVED = 'This engagement is archived: reopen it first.'
const OfTask = closedObject({ taskId: Id('tsk') })
const OfComment = closedObject({ commentId: Id('cmt') })

export const commentList = declareList({
  name: 'comments',
  item: Comment,
  sorts: ['createdAt'],
  filters: { taskId: OneId('tsk') },
})

/** The path names the task. */
const { taskId: _taskId, ...commentQuery } = commentList.query.properties

export const listComments = endpoint({
  id: 'listComments',
  method: 'GET',
  path: '/tasks/:taskId/comments',
  scope: 'tasks:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the comments on a task.',
  params: OfTask,
  query: closedObject(commentQuery),
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
  conflicts: [ARCHIVED, 'A task can have at most 10000 comments.'],
  example: { body: { body: EXAMPLE_COMMENT.body }, reply: { data: EXAMPLE_COMMENT } },
})

export const updateComment = endpoint({
  id: 'updateComment',
  method: 'PATCH',
  path: '/comments/:commentId',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Edit your comment; only newly mentioned members are notified.',
  params: OfComment,
  body: closedObject({
    body: CommentBody,
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(Comment),
  conflicts: [ARCHIVED, 'Someone else changed this comment in the meantime. Reload it, then repeat the change.'],
  example: { body: { body: EXAMPLE_COMMENT.body }, reply: { data: EXAMPLE_COMMENT } },
})

export const deleteComment = endpoint({
  id: 'deleteComment',
  method: 'DELETE',
  path: '/comments/:commentId',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete your comment; admins can delete any.',
  params: OfComment,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('cmt') })),
  conflicts: [ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_COMMENT.id } } },
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
        },
      ],
      meta: { perPage: 20, nextCursor: null },
    },
  },
})
