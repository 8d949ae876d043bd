import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { declareList, Flag } from '../core/lists.ts'
import { PersonReference } from '../engagement/engagement-details.ts'

export const NOTICE_KINDS = ['mention', 'assignment', 'comment', 'reopened'] as const

/** An event that concerns a user. */
export const Notice = closedObject({
  id: Id('ntf'),
  kind: OneOf(NOTICE_KINDS),
  engagementId: Id('eng'),
  engagementName: Type.String(),
  task: Nullable({ id: Id('tsk'), title: Type.String() }, 'exactly one of task, result, finding and report is set'),
  result: Nullable({ id: Id('res'), title: Type.String() }, 'the result that it is about'),
  finding: Nullable({ id: Id('fnd'), title: Type.String() }, 'the finding that it is about'),
  report: Nullable({ id: Id('rpt'), title: Type.String() }, 'the report that it is about'),
  commentId: Type.Unsafe<string | null>({
    ...Id('cmt'),
    type: ['string', 'null'],
    description: 'the comment that mentions, or was written',
  }),
  excerpt: NullableString('the first 200 characters of the comment; null without one'),
  tasks: Type.Integer({
    minimum: 1,
    description: 'how many tasks, results or findings were assigned or reopened together',
  }),
  by: Nullable(PersonReference.properties, 'null for a key'),
  createdAt: Timestamp(),
  readAt: NullableTimestamp('null until it is read'),
})

const EXAMPLE_NOTICE = {
  id: 'ntf_01jd7w2v4pf1y8m3c6k9t0r5xz',
  kind: 'mention',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementName: 'Contoso external perimeter 2026',
  task: { id: 'tsk_01jd7w2v4pf1y8m3c6k9t0r5xz', title: 'Check the password reset for user enumeration' },
  result: null,
  finding: null,
  report: null,
  commentId: 'cmt_01jd7w2v4pf1y8m3c6k9t0r5xz',
  excerpt: '@Ada the reset answers differently for unknown addresses.',
  tasks: 1,
  by: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xa', name: 'Grace Hopper' },
  createdAt: '2026-11-21T08:30:00.000Z',
  readAt: null,
}

export const noticeList = declareList({
  name: 'notices',
  item: Notice,
  sorts: ['createdAt'],
  filters: { unread: Flag('only unread ones'), own: Flag('of the signed-in user') },
})

/** Members read only their own. */
const { own: _own, ...ownQuery } = noticeList.query.properties

export const listNotices = endpoint({
  id: 'listNotices',
  method: 'GET',
  path: '/notifications',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the notifications of the signed-in person in the organization, newest first.',
  description: 'Leaves out engagements that the person can no longer see.',
  query: closedObject(ownQuery),
  reply: noticeList.reply,
  example: { reply: { data: [EXAMPLE_NOTICE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const readNotices = endpoint({
  id: 'readNotices',
  method: 'POST',
  path: '/notifications/read',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary:
    'Mark notices as read: some, those about a task, a result, a finding or a report, or all of the organization.',
  body: closedObject({
    ids: Type.Optional(Type.Array(Id('ntf'), { minItems: 1, maxItems: 1_000 })),
    taskId: Type.Optional(Id('tsk')),
    resultId: Type.Optional(Id('res')),
    findingId: Type.Optional(Id('fnd')),
    reportId: Type.Optional(Id('rpt')),
    all: Type.Optional(Type.Boolean()),
  }),
  reply: one(closedObject({ read: Type.Integer({ minimum: 0, description: 'how many were unread' }) })),
  example: { body: { all: true }, reply: { data: { read: 3 } } },
})
