import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Id,
  NullableString,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'

/** Fields of an object at one point in time. */
export const Snapshot = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true, description })

export const AuditEntry = closedObject({
  id: Id('aud'),
  createdAt: Timestamp(),
  actor: closedObject({
    type: OneOf(['user', 'key', 'agent', 'system']),
    id: NullableString('id of the user, key or agent'),
    name: Type.String({ description: 'name at the time of the action' }),
    environment: NullableString('`live` or `test` when a key acted'),
  }),
  action: Type.String({ examples: ['member.invited'] }),
  object: closedObject({
    type: Type.String(),
    id: NullableString('id of the changed object'),
    name: NullableString('its name or address: as recorded in the entry, otherwise the current one'),
  }),
  address: NullableString('network address that the request came from'),
  before: Snapshot('the changed fields before, without secrets'),
  after: Snapshot('the changed fields after, without secrets'),
})

const filters = {
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  actorId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  objectId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  from: Type.Optional(Timestamp('inclusive')),
  to: Type.Optional(Timestamp('exclusive')),
}

export const listAuditEntries = endpoint({
  id: 'listAuditEntries',
  method: 'GET',
  path: '/audit',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List who changed what, newest first.',
  query: closedObject({ ...CursorQuery, ...filters }),
  reply: cursorPage(AuditEntry),
})

export const listAuditFilters = endpoint({
  id: 'listAuditFilters',
  method: 'GET',
  path: '/audit/filters',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the actions and the actors that occur in the audit log.',
  reply: one(
    closedObject({
      actions: Type.Array(Type.String()),
      actors: Type.Array(
        closedObject({
          id: Type.String({ description: 'what `actorId` takes' }),
          type: OneOf(['user', 'key', 'agent']),
          name: Type.String({ description: 'name at the latest action' }),
        }),
      ),
    }),
  ),
})

export const exportAuditEntries = endpoint({
  id: 'exportAuditEntries',
  method: 'GET',
  path: '/audit/export',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'The filtered audit log as CSV (RFC 4180, UTF-8 with byte order mark), newest first.',
  description:
    'A cell that a spreadsheet would run as a formula begins with an apostrophe. The export itself is an entry of the log.',
  query: closedObject(filters),
  cost: { perHour: 30, atOnce: 2 },
  produces: { type: 'text/csv; charset=utf-8', fileName: 'audit-log.csv' },
  reply: Type.String(),
})
