import Type from 'typebox'
import { closedObject, endpoint, Id, Line, OneOf, one, PageQuery, page, Text, Timestamp } from '../core/endpoint.ts'
import { ENGAGEMENT_KINDS, EngagementDetailsChange } from './engagement-details.ts'

/** `active` is specified; the others and their transitions are this project's decision (open point 4). */
export const ENGAGEMENT_STATUSES = ['active', 'completed', 'archived'] as const
export const ENGAGEMENT_SORTS = ['createdAt', 'updatedAt', 'name', 'status'] as const

export const EngagementName = Line(200, { examples: ['Contoso external perimeter 2026'] })
const EngagementDescription = Text(10_000, { description: 'Markdown' })

export const Engagement = closedObject({
  id: Id('eng'),
  name: EngagementName,
  description: EngagementDescription,
  status: OneOf(ENGAGEMENT_STATUSES),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

export const EXAMPLE_ENGAGEMENT = {
  id: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Contoso external perimeter 2026',
  description: 'Black box, two weeks, report in English.',
  status: 'active',
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

export const createEngagement = endpoint({
  id: 'createEngagement',
  method: 'POST',
  path: '/engagements',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  about: 'organization',
  origin: 'specified',
  summary: 'Create an engagement.',
  description:
    '`name` is required, `description` is not (open point 3). `details` is an extension: set at creation, so that an engagement that only its team sees is never visible to others. A key that is limited to engagements may not create any. In the web interface members may do this where the organization allows it; they lead what they create.',
  body: closedObject({
    name: EngagementName,
    description: Type.Optional(EngagementDescription),
    details: Type.Optional(EngagementDetailsChange),
  }),
  reply: one(Engagement),
  status: 201,
  example: {
    body: { name: EXAMPLE_ENGAGEMENT.name, description: EXAMPLE_ENGAGEMENT.description },
    reply: { data: EXAMPLE_ENGAGEMENT },
  },
})

export const listEngagements = endpoint({
  id: 'listEngagements',
  method: 'GET',
  path: '/engagements',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'engagement',
  origin: 'specified',
  summary: 'List engagements, newest first unless asked otherwise.',
  description:
    'Sort fields and the values of `status` are this project’s decisions (open points 4 and 5). Equal rows are ordered by id.',
  query: closedObject({
    ...PageQuery,
    status: Type.Optional(OneOf(ENGAGEMENT_STATUSES)),
    q: Type.Optional(Line(200, { description: 'part of the name or of the client’s name, ignoring case (extension)' })),
    kind: Type.Optional(OneOf(ENGAGEMENT_KINDS, { description: 'extension' })),
    leadId: Type.Optional(Id('usr', 'extension')),
    sort: Type.Optional(OneOf(ENGAGEMENT_SORTS, { default: 'createdAt' })),
    order: Type.Optional(OneOf(['asc', 'desc'], { default: 'desc' })),
  }),
  reply: page(Engagement),
  example: { reply: { data: [EXAMPLE_ENGAGEMENT], meta: { total: 1, page: 1, perPage: 20, totalPages: 1 } } },
})

export const getEngagement = endpoint({
  id: 'getEngagement',
  method: 'GET',
  path: '/engagements/:engagementId',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read one engagement.',
  params: closedObject({ engagementId: Id('eng') }),
  reply: one(Engagement),
  example: { reply: { data: EXAMPLE_ENGAGEMENT } },
})

export const updateEngagement = endpoint({
  id: 'updateEngagement',
  method: 'PATCH',
  path: '/engagements/:engagementId',
  scope: 'setting:ENGAGEMENT_WRITE_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change the name, the description or the status of an engagement.',
  description:
    'Status goes from `active` to `completed` to `archived`, and from either back to `active`; any other step answers 409 (open point 4). With `ifUpdatedAt`, the change is refused with 409 if someone else has changed the engagement since.',
  params: closedObject({ engagementId: Id('eng') }),
  body: closedObject({
    name: Type.Optional(EngagementName),
    description: Type.Optional(EngagementDescription),
    status: Type.Optional(OneOf(ENGAGEMENT_STATUSES)),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(Engagement),
  conflicts: [
    'status: cannot go from active to archived; from active it goes to completed',
    'Someone else changed this engagement in the meantime. Reload it, then repeat the change.',
  ],
  example: {
    body: { status: 'completed' },
    reply: { data: { ...EXAMPLE_ENGAGEMENT, status: 'completed' } },
  },
})
