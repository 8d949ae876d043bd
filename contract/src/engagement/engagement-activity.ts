import Type from 'typebox'
import { closedObject, endpoint, Id, NullableString, OneOf, Timestamp } from '../core/endpoint.ts'
import { declareList } from '../core/lists.ts'
import { Snapshot } from '../organization/audit.ts'

export const ActivityEntry = closedObject({
  id: Id('aud'),
  createdAt: Timestamp(),
  actor: closedObject({
    type: OneOf(['user', 'key', 'agent', 'system']),
    id: NullableString('id of the user or key'),
    name: Type.String({ description: 'name at the time of the action' }),
  }),
  action: Type.String({ examples: ['engagement.changed'] }),
  object: closedObject({
    type: Type.String(),
    id: NullableString('id of the changed object'),
    name: NullableString(
      'its name; for a comment, that of its task. null if that is gone, or the caller lacks the scope of its type',
    ),
  }),
  before: Snapshot('the changed fields before'),
  after: Snapshot('the changed fields after'),
  references: Type.Array(closedObject({ id: Type.String(), name: Type.String() }), {
    description:
      'current names of the folders, wiki pages and people whose ids are in `before` and `after`, as far as the caller may read them',
  }),
})

export const activityList = declareList({ name: 'activity', item: ActivityEntry, sorts: ['createdAt'], counted: false })

export const listEngagementActivity = endpoint({
  id: 'listEngagementActivity',
  method: 'GET',
  path: '/engagements/:engagementId/activity',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'List who changed what in an engagement, newest first.',
  description:
    'The entries of the audit log about the engagement that the scopes of the caller can read, without network addresses.',
  params: closedObject({ engagementId: Id('eng') }),
  query: activityList.query,
  reply: activityList.reply,
  example: {
    reply: {
      data: [
        {
          id: 'aud_01jd7w2v4pf1y8m3c6k9t0r5xz',
          createdAt: '2026-11-21T08:30:00.000Z',
          actor: { type: 'user', id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
          action: 'engagement.created',
          object: { type: 'engagement', id: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Contoso external perimeter 2026' },
          before: null,
          after: { name: 'Contoso external perimeter 2026', status: 'active' },
          references: [],
        },
      ],
      meta: { perPage: 20, nextCursor: null },
    },
  },
})
