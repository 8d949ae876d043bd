import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Nullable,
  NullableDay,
  NullableString,
  OneOf,
  Timestamp,
} from '../core/endpoint.ts'
import { AnyId, AnyOf, declareList, PartOfText } from '../core/lists.ts'
import { Flag } from '../core/lists.ts'
import { FieldFilter, Fields } from '../custom-fields/fields.ts'
import { ENGAGEMENT_KINDS, PersonReference } from './engagement-details.ts'
import { ENGAGEMENT_STATUSES } from './engagements.ts'

/** An engagement in its list: the six specified fields except the description, and the details that fit in a line. */
export const EngagementSummary = closedObject({
  id: Id('eng'),
  name: Type.String(),
  status: OneOf(ENGAGEMENT_STATUSES),
  clientId: NullableString('null without a client'),
  clientName: Type.String(),
  kind: OneOf(ENGAGEMENT_KINDS, { description: 'the first of `kinds`' }),
  kinds: Type.Array(OneOf(ENGAGEMENT_KINDS)),
  isTemplate: Type.Boolean(),
  prefix: Type.String(),
  startsOn: NullableDay('first day'),
  endsOn: NullableDay('last day'),
  lead: Nullable(PersonReference.properties, 'who leads it'),
  fields: Fields,
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

export const engagementSummaryList = declareList({
  name: 'engagement-summaries',
  item: EngagementSummary,
  sorts: ['createdAt', 'updatedAt', 'name', 'clientName', 'status', 'kind', 'startsOn', 'endsOn'],
  filters: {
    q: PartOfText('part of the name or of the client’s name, ignoring case'),
    status: AnyOf(ENGAGEMENT_STATUSES),
    kind: AnyOf(ENGAGEMENT_KINDS),
    leadId: AnyId('usr', { orNone: true, orMe: true }),
    template: Flag('only template engagements'),
    clientId: AnyId('cli', { orNone: true }),
    field: FieldFilter,
  },
  facets: ['status', 'kind', 'leadId'],
})

export const listEngagementSummaries = endpoint({
  id: 'listEngagementSummaries',
  method: 'GET',
  path: '/engagement-summaries',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'engagement',
  origin: 'extension',
  doors: ['web'],
  summary: 'List engagements by cursor, with client, kind, dates and lead.',
  query: engagementSummaryList.query,
  reply: engagementSummaryList.reply,
  example: {
    reply: {
      data: [
        {
          id: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
          name: 'Contoso external perimeter 2026',
          status: 'active',
          clientId: 'cli_01jd7w2v4pf1y8m3c6k9t0r5xz',
          clientName: 'Contoso Ltd.',
          kind: 'network',
          kinds: ['network', 'web'],
          isTemplate: false,
          prefix: 'CEP',
          startsOn: '2026-12-01',
          endsOn: '2026-12-12',
          lead: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
          fields: {},
          createdAt: '2026-11-21T08:30:00.000Z',
          updatedAt: '2026-11-21T08:30:00.000Z',
        },
      ],
      meta: { perPage: 20, nextCursor: null, total: 1 },
    },
  },
})

export const countEngagementSummaries = endpoint({
  id: 'countEngagementSummaries',
  method: 'GET',
  path: '/engagement-summaries/facets',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'engagement',
  origin: 'extension',
  doors: ['web'],
  summary: 'Count engagements by status, kind or lead.',
  query: engagementSummaryList.facetsQuery,
  reply: engagementSummaryList.facetsReply,
  example: { reply: { data: { status: { active: 3, completed: 1, archived: 0 } } } },
})
