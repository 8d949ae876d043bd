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

const AuditLogEntry = closedObject({
  ...AuditEntry.properties,
  cursor: Type.String({ description: 'where to go on after this entry: the `cursor` of the next request' }),
})

const EXAMPLE_LOG_ENTRY = {
  id: 'aud_01jd7w2v4pf1y8m3c6k9t0r5xz',
  createdAt: '2026-11-21T08:30:00.000Z',
  actor: { type: 'user', id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace', environment: null },
  action: 'member.invited',
  object: { type: 'invitation', id: 'inv_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'grace@contoso.example' },
  address: '192.0.2.7',
  before: null,
  after: { email: 'grace@contoso.example', role: 'member' },
  cursor: '0.81274.aud_01jd7w2v4pf1y8m3c6k9t0r5xz',
}

export const listAuditLogs = endpoint({
  id: 'listAuditLogs',
  method: 'GET',
  path: '/audit-logs',
  scope: 'organizations:read',
  about: 'organization',
  origin: 'extension',
  doors: ['key'],
  summary: 'Read the audit log from the oldest entry to the newest, as JSON or as JSON lines.',
  description:
    'For programs that keep a copy of the log, such as a SIEM. Store the `cursor` of the last entry, and poll with it: each entry is read once, none is left out, and the order never changes. An entry appears when every change that was under way at its time has ended, usually within a second. `format=jsonl` answers one entry a line; an empty body means that there is nothing new. The log itself does not record these reads. Only a key that sees every engagement may read it, and no key of a member or of a member’s agent.',
  query: closedObject({
    ...CursorQuery,
    ...filters,
    format: Type.Optional(OneOf(['jsonl'], { description: 'JSON lines; without it, JSON' })),
  }),
  reply: cursorPage(AuditLogEntry),
  produces: { byFormat: { jsonl: { type: 'application/jsonl; charset=utf-8', fileName: 'audit-log.jsonl' } } },
  cost: { perHour: 6_000, atOnce: 2 },
  example: { reply: { data: [EXAMPLE_LOG_ENTRY], meta: { perPage: 20, nextCursor: null } } },
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

const instanceFilters = { action: filters.action, actorId: filters.actorId, from: filters.from, to: filters.to }

export const listInstanceAuditEntries = endpoint({
  id: 'listInstanceAuditEntries',
  method: 'GET',
  path: '/instance/audit',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List what happened to accounts and to the instance itself, newest first.',
  description:
    'Sign-ins, changes of accounts, and what the operator does with the instance. What happens in an organization is in its own audit log, which only its owner and admins read.',
  query: closedObject({ ...CursorQuery, ...instanceFilters }),
  reply: cursorPage(AuditEntry),
})

export const exportInstanceAuditEntries = endpoint({
  id: 'exportInstanceAuditEntries',
  method: 'GET',
  path: '/instance/audit/export',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'The filtered audit log of the instance as CSV (RFC 4180, UTF-8 with byte order mark), newest first.',
  description:
    'A cell that a spreadsheet would run as a formula begins with an apostrophe. The export itself is an entry of the log.',
  query: closedObject(instanceFilters),
  cost: { perHour: 30, atOnce: 2 },
  produces: { type: 'text/csv; charset=utf-8', fileName: 'instance-audit-log.csv' },
  reply: Type.String(),
})
