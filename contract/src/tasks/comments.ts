import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Markdown,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { declareList, OneId } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { SECTIONS } from '../findings/finding-fields.ts'

const BODY = {
  ...Markdown(20_000),
  description: 'Markdown; `@[Name](usr_...)` mentions a member who sees the engagement',
}

export const CommentBody = Type.String({ ...BODY, minLength: 1 })

/** Of a comment that may have a suggestion. */
export const CommentBodyOrNone = Type.String({
  ...BODY,
  description: `${BODY.description}; empty only with a suggestion`,
})

/** Characters of the words that a comment is about. */
const MAX_QUOTE = 5_000

/** The words of a text that a comment is about. */
export const CommentAnchor = closedObject({
  section: OneOf(SECTIONS),
  quote: Type.String({
    minLength: 1,
    maxLength: MAX_QUOTE,
    description: 'words of the text; the first place where they occur counts',
  }),
})

/** The section of a report that a comment is about, or words of its text. */
export const ReportCommentAnchor = closedObject({
  section: Id('sec', 'a section of the report'),
  quote: Type.String({
    maxLength: MAX_QUOTE,
    description: 'words of its text; the first place where they occur counts. Empty: the whole section',
  }),
})

export const CommentSuggestion = Type.String({ maxLength: 20_000, description: 'what should replace the quote' })

const Done = (description: string) =>
  Nullable({ by: Nullable(PersonReference.properties, 'null for a key'), at: Timestamp() }, description)

export const Comment = closedObject({
  id: Id('cmt'),
  taskId: NullableString('the task that it is on; exactly one of these four is set'),
  resultId: NullableString('the result that it is on'),
  findingId: NullableString('the finding that it is on'),
  reportId: NullableString('the report that it is on'),
  body: CommentBodyOrNone,
  anchor: Nullable(
    {
      section: Type.String({
        maxLength: 30,
        description: 'the name of a text of the finding, or the id of a section of the report',
      }),
      quote: Type.String({ maxLength: MAX_QUOTE, description: 'empty: a whole section of a report' }),
    },
    'the words that it is about',
  ),
  suggestion: NullableString('what should replace the quote'),
  textChanged: Type.Boolean({ description: 'whether the quote is no longer in the text, or its section was deleted' }),
  resolved: Done('who closed it'),
  accepted: Done('who applied the suggestion'),
  author: Nullable(PersonReference.properties, 'null for a key'),
  mentions: Type.Array(PersonReference, {
    description: 'members whom the text mentions and who saw the engagement at that time',
  }),
  editedAt: NullableTimestamp('when its author last changed the text; null if never'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

export const EXAMPLE_COMMENT = {
  id: 'cmt_01jd7w2v4pf1y8m3c6k9t0r5xz',
  taskId: 'tsk_01jd7w2v4pf1y8m3c6k9t0r5xz',
  resultId: null,
  findingId: null,
  reportId: null,
  body: '@[Ada Lovelace](usr_01jd7w2v4pf1y8m3c6k9t0r5xz) the wording differs: see the screenshot.',
  anchor: null,
  suggestion: null,
  textChanged: false,
  resolved: null,
  accepted: null,
  author: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xa', name: 'Grace Hopper' },
  mentions: [{ id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' }],
  editedAt: null,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

/** Comments of one parent, which the path names. */
export const commentList = declareList({
  name: 'comments',
  item: Comment,
  sorts: ['createdAt'],
  filters: { taskId: OneId('tsk'), resultId: OneId('res'), findingId: OneId('fnd'), reportId: OneId('rpt') },
})

const {
  taskId: _task,
  resultId: _result,
  findingId: _finding,
  reportId: _report,
  ...parameters
} = commentList.query.properties
export const commentQuery = closedObject(parameters)

export const TOO_MANY_COMMENTS = 'A task, result, finding or report can have at most 10000 comments.'
export const OfComment = closedObject({ commentId: Id('cmt') })
export const COMMENT_IN_TRASH = 'This finding is in the trash: restore it first.'
/** The parent of a comment decides which scopes a change of it needs. */
const BY_PARENT =
  'Needs both scopes of its parent: those of tasks, of `targets` for a result, or of `reports` for a finding or a report.'

export const updateComment = endpoint({
  id: 'updateComment',
  method: 'PATCH',
  path: '/comments/:commentId',
  scope: 'any',
  about: 'engagement',
  origin: 'extension',
  summary: 'Edit your comment; only newly mentioned members are notified.',
  description: BY_PARENT,
  params: OfComment,
  body: closedObject({
    body: CommentBodyOrNone,
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(Comment),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    COMMENT_IN_TRASH,
    'Someone else changed this comment in the meantime. Reload it, then repeat the change.',
  ],
  example: { body: { body: EXAMPLE_COMMENT.body }, reply: { data: EXAMPLE_COMMENT } },
})

export const deleteComment = endpoint({
  id: 'deleteComment',
  method: 'DELETE',
  path: '/comments/:commentId',
  scope: 'any',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete your comment; admins can delete any.',
  description: BY_PARENT,
  params: OfComment,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('cmt') })),
  conflicts: [ENGAGEMENT_ARCHIVED, COMMENT_IN_TRASH],
  example: { reply: { data: { deleted: true, id: EXAMPLE_COMMENT.id } } },
})

export const resolveComment = endpoint({
  id: 'resolveComment',
  method: 'POST',
  path: '/comments/:commentId/resolve',
  scope: 'any',
  about: 'engagement',
  origin: 'extension',
  summary: 'Close a comment. Closing it again changes nothing.',
  description: BY_PARENT,
  params: OfComment,
  reply: one(Comment),
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED, COMMENT_IN_TRASH],
  example: {
    reply: { data: { ...EXAMPLE_COMMENT, resolved: { by: EXAMPLE_COMMENT.author, at: '2026-11-21T09:30:00.000Z' } } },
  },
})

export const reopenComment = endpoint({
  id: 'reopenComment',
  method: 'POST',
  path: '/comments/:commentId/reopen',
  scope: 'any',
  about: 'engagement',
  origin: 'extension',
  summary: 'Open a closed comment again.',
  description: BY_PARENT,
  params: OfComment,
  reply: one(Comment),
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED, COMMENT_IN_TRASH],
  example: { reply: { data: EXAMPLE_COMMENT } },
})
