import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Nullable,
  NullableDay,
  OneOf,
  one,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { Fields, FieldsChange } from '../custom-fields/fields.ts'

export const ENGAGEMENT_KINDS = ['web', 'network', 'mobile', 'cloud', 'red-team', 'social', 'recon', 'other'] as const
export const ENGAGEMENT_ACCESS = ['organization', 'team'] as const

/** A member of the organization, as other objects refer to it. */
export const PersonReference = closedObject({ id: AuthorId(), name: Type.String() })

const TimeOfDay = (example: string, description: string) =>
  Type.String({ pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$', maxLength: 5, examples: [example], description })

const testingWindow = {
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: '1 is Monday',
  }),
  from: TimeOfDay('09:00', 'in the time zone'),
  to: TimeOfDay('18:00', 'before `from`: on the next day'),
}

const TestingHours = Nullable(
  {
    timeZone: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
      maxLength: 64,
      examples: ['UTC', 'Europe/Berlin'],
      description: 'IANA name',
    }),
    windows: Type.Array(closedObject(testingWindow), { minItems: 1, maxItems: 20 }),
  },
  'when testing is allowed; null for any time',
)

export const OptionalLine = (maxLength: number, options: object = {}) =>
  Type.String({ maxLength, format: 'single-line', ...options })

export const Contact = closedObject({
  name: Line(100),
  role: OptionalLine(100),
  phone: OptionalLine(50),
  email: OptionalLine(254),
})

const ClientId = (description: string) =>
  Type.Unsafe<string | null>({ ...Id('cli'), type: ['string', 'null'], description })

const plainFields = {
  clientName: OptionalLine(200),
  kind: OneOf(ENGAGEMENT_KINDS, { description: 'the first of `kinds`; setting it replaces them' }),
  kinds: Type.Array(OneOf(ENGAGEMENT_KINDS), {
    minItems: 1,
    maxItems: ENGAGEMENT_KINDS.length,
    uniqueItems: true,
    description: 'the first is `kind`',
  }),
  isTemplate: Type.Boolean({ description: 'whether it is a template: clone it to start another' }),
  startsOn: NullableDay('first day'),
  endsOn: NullableDay('last day, not before the first'),
  testingHours: TestingHours,
  contacts: Type.Array(Contact, { maxItems: 20, description: 'people to call when something breaks' }),
  prefix: Type.String({
    pattern: '^[A-Z][A-Z0-9]{0,9}$',
    maxLength: 10,
    examples: ['MF'],
    description: 'of the short ids of its tasks (MF-12); derived from the name of a new engagement',
  }),
  reportWords: Type.Array(Line(100), {
    maxItems: 500,
    uniqueItems: true,
    examples: [['Contopay']],
    description: 'that the spelling check of its reports accepts, in addition to the words of `/report-settings`',
  }),
  access: OneOf(ENGAGEMENT_ACCESS, {
    description: '`team`: only the lead, the team, the owner and the admins see the engagement and anything in it',
  }),
}

/** A legal hold, which blocks the deletion of an engagement. */
export const LegalHold = closedObject({
  reason: Line(500, { examples: ['Contoso v. Fabrikam, matter 2026-117'] }),
  heldBy: PersonReference,
  heldAt: Timestamp(),
})

export const EngagementDetails = closedObject({
  engagementId: Id('eng'),
  ...plainFields,
  clientId: ClientId('its name is `clientName`; null without a client'),
  lead: Nullable(PersonReference.properties, 'who leads it'),
  team: Type.Array(PersonReference),
  fields: Fields,
  hold: Nullable(LegalHold.properties, 'the legal hold: as long as there is one, the engagement cannot be deleted'),
  updatedAt: Timestamp(),
})

/** The fields that can be set: members by their ids. */
export const EngagementDetailsChange = Type.Partial(
  closedObject({
    ...plainFields,
    clientName: OptionalLine(200, {
      description: 'selects the visible client of this name, in any letter case, or creates one; empty: no client',
    }),
    clientId: ClientId('a client that you can see, or null'),
    lead: Type.Unsafe<string | null>({
      ...Id('usr'),
      type: ['string', 'null'],
      description: 'id of a member, or null',
    }),
    team: Type.Array(Id('usr'), { maxItems: 100, uniqueItems: true, description: 'ids of members' }),
    fields: FieldsChange,
  }),
  { additionalProperties: false },
)

export type DetailsChange = Type.Static<typeof EngagementDetailsChange>

const EXAMPLE_DETAILS = {
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  clientId: 'cli_01jd7w2v4pf1y8m3c6k9t0r5xz',
  clientName: 'Contoso Ltd.',
  kind: 'network',
  kinds: ['network', 'web'],
  isTemplate: false,
  startsOn: '2026-12-01',
  endsOn: '2026-12-12',
  testingHours: { timeZone: 'Europe/Berlin', windows: [{ days: [1, 2, 3, 4, 5], from: '20:00', to: '06:00' }] },
  contacts: [{ name: 'Noa Night', role: 'SOC on call', phone: '+49 30 123456', email: 'soc@contoso.example' }],
  prefix: 'CEP',
  reportWords: ['Contopay'],
  access: 'organization',
  lead: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  team: [],
  fields: { cost_center: '4711' },
  hold: null,
  updatedAt: '2026-11-21T08:30:00.000Z',
}

const CONFLICTS = [
  'Someone else changed this engagement in the meantime. Reload it, then repeat the change.',
  ENGAGEMENT_ARCHIVED,
]

export const getEngagementDetails = endpoint({
  id: 'getEngagementDetails',
  method: 'GET',
  path: '/engagements/:engagementId/details',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read the details of an engagement.',
  params: closedObject({ engagementId: Id('eng') }),
  reply: one(EngagementDetails),
  example: { reply: { data: EXAMPLE_DETAILS } },
})

export const updateEngagementDetails = endpoint({
  id: 'updateEngagementDetails',
  method: 'PATCH',
  path: '/engagements/:engagementId/details',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change the details of an engagement.',
  description:
    'In the web interface the lead may do this as well. With `ifUpdatedAt`, the change is refused with 409 if someone else has changed the details since.',
  params: closedObject({ engagementId: Id('eng') }),
  body: closedObject({
    ...EngagementDetailsChange.properties,
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(EngagementDetails),
  conflicts: CONFLICTS,
  example: {
    body: { kind: 'network', startsOn: '2026-12-01', endsOn: '2026-12-12' },
    reply: { data: EXAMPLE_DETAILS },
  },
})
