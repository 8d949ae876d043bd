import Type from 'typebox'
import { closedObject, endpoint, Id, Line, list, Markdown, Nullable, one, Timestamp } from '../core/endpoint.ts'
import { fileEndpointsOf } from '../core/files.ts'
import { declareList, PartOfText } from '../core/lists.ts'
import { FieldFilter, Fields, FieldsChange } from '../custom-fields/fields.ts'
import { Contact, OptionalLine, PersonReference } from '../engagement/engagement-details.ts'

const MAX_DAYS = 36_500

const Days = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: MAX_DAYS, description })

const ClientName = Line(200, { examples: ['Contoso Ltd.'] })

const plainFields = {
  shortName: OptionalLine(40),
  domains: Type.Array(Line(253, { examples: ['contoso.example'] }), {
    maxItems: 100,
    uniqueItems: true,
    description: 'domain names, in their ASCII form',
  }),
  contacts: Type.Array(Contact, { maxItems: 20 }),
  notes: Markdown(20_000),
  language: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$',
    maxLength: 35,
    examples: ['en-GB'],
    description: 'language of texts for the client, as in BCP 47',
  }),
  retention: Nullable(
    {
      archiveAfterDays: Days('days after the end of an engagement; null: never'),
      deleteAfterDays: Days('days after the end of an engagement; null: never'),
    },
    'null: the rule of the organization',
  ),
}

export const Client = closedObject({
  id: Id('cli'),
  name: ClientName,
  ...plainFields,
  fields: Fields,
  createdBy: Nullable(PersonReference.properties, 'null for a key'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

export const EXAMPLE_CLIENT = {
  id: 'cli_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Contoso Ltd.',
  shortName: 'CON',
  domains: ['contoso.example'],
  contacts: [{ name: 'Noa Night', role: 'CISO', phone: '+49 30 123456', email: 'noa@contoso.example' }],
  notes: 'Reports in English.',
  language: 'en-GB',
  retention: null,
  fields: { cost_center: '4711' },
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

const STALE = 'This client was changed in the meantime. Read it again, then repeat the change.'
const OfClient = closedObject({ clientId: Id('cli') })
const VISIBLE =
  'A client is visible to the owner, to admins, to its creator, and to everyone who sees one of its engagements.'

export const clientList = declareList({
  name: 'clients',
  item: Client,
  sorts: ['createdAt', 'updatedAt', 'name'],
  filters: { q: PartOfText('part of the name or the short name'), field: FieldFilter },
})

export const createClient = endpoint({
  id: 'createClient',
  method: 'POST',
  path: '/clients',
  scope: 'setting:ENGAGEMENT_WRITE_SCOPE',
  about: 'organization',
  readBy: 'setting:ENGAGEMENT_READ_SCOPE',
  origin: 'extension',
  summary: 'Create a client.',
  description: `Names are not unique. ${VISIBLE}`,
  body: closedObject({
    name: ClientName,
    ...Type.Partial(closedObject({ ...plainFields, fields: FieldsChange })).properties,
  }),
  reply: one(Client),
  status: 201,
  example: { body: { name: EXAMPLE_CLIENT.name, domains: EXAMPLE_CLIENT.domains }, reply: { data: EXAMPLE_CLIENT } },
})

export const listClients = endpoint({
  id: 'listClients',
  method: 'GET',
  path: '/clients',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'either',
  origin: 'extension',
  summary: 'List clients.',
  description: VISIBLE,
  query: clientList.query,
  reply: clientList.reply,
  example: { reply: { data: [EXAMPLE_CLIENT], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getClient = endpoint({
  id: 'getClient',
  method: 'GET',
  path: '/clients/:clientId',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'either',
  origin: 'extension',
  summary: 'Read one client.',
  params: OfClient,
  reply: one(Client),
  example: { reply: { data: EXAMPLE_CLIENT } },
})

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const listClientFindingsByYear = endpoint({
  id: 'listClientFindingsByYear',
  method: 'GET',
  path: '/clients/:clientId/findings-by-year',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'Count the findings of a client by year and severity, newest year first.',
  description:
    'Of engagements that the caller sees; without withdrawn findings and the trash. The year is that of their creation in UTC.',
  params: OfClient,
  reply: list(
    closedObject({
      year: Type.Integer({ examples: [2026] }),
      info: Count('of this severity'),
      low: Count('of this severity'),
      medium: Count('of this severity'),
      high: Count('of this severity'),
      critical: Count('of this severity'),
      open: Count('of any severity that are open or partly fixed'),
    }),
  ),
  example: { reply: { data: [{ year: 2026, info: 2, low: 4, medium: 7, high: 3, critical: 1, open: 9 }] } },
})

export const updateClient = endpoint({
  id: 'updateClient',
  method: 'PATCH',
  path: '/clients/:clientId',
  scope: 'setting:ENGAGEMENT_WRITE_SCOPE',
  about: 'organization',
  readBy: 'setting:ENGAGEMENT_READ_SCOPE',
  origin: 'extension',
  summary: 'Change a client.',
  description:
    'A new name is the `clientName` of all its engagements. With `ifUpdatedAt`, a change of an outdated version is 409.',
  params: OfClient,
  body: closedObject({
    ...Type.Partial(closedObject({ name: ClientName, ...plainFields, fields: FieldsChange })).properties,
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  reply: one(Client),
  conflicts: [STALE],
  example: { body: { shortName: 'CON' }, reply: { data: EXAMPLE_CLIENT } },
})

export const deleteClient = endpoint({
  id: 'deleteClient',
  method: 'DELETE',
  path: '/clients/:clientId',
  scope: 'setting:ENGAGEMENT_WRITE_SCOPE',
  about: 'organization',
  origin: 'extension',
  summary: 'Delete a client that has no engagements.',
  params: OfClient,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('cli') })),
  conflicts: ['This client has engagements: delete them, or give them another client first.'],
  example: { reply: { data: { deleted: true, id: EXAMPLE_CLIENT.id } } },
})

const FILES = {
  noun: 'Client',
  name: 'a client',
  path: '/clients/:clientId',
  params: { clientId: Id('cli') },
  read: 'setting:ENGAGEMENT_READ_SCOPE',
  write: 'setting:ENGAGEMENT_WRITE_SCOPE',
} as const

const written = fileEndpointsOf({ ...FILES, about: 'organization' })
const read = fileEndpointsOf({ ...FILES, about: 'either' })

export const uploadClientFile = written.upload
export const listClientFiles = read.list
export const downloadClientFile = read.download
export const deleteClientFile = written.remove
