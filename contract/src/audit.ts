import Type from 'typebox'
import { CursorQuery, cursorPage, endpoint, Id, NullableString, OneOf, strict, Timestamp } from './endpoint.ts'

const Snapshot = (description: string) => Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true, description })

export const AuditEntry = strict({
  id: Id('aud'),
  createdAt: Timestamp(),
  actor: strict({
    type: OneOf(['user', 'key', 'system']),
    id: NullableString('id of the user or key'),
    name: Type.String({ description: 'name at the time of the action' }),
    environment: NullableString('`live` or `test` when a key acted'),
  }),
  action: Type.String({ examples: ['member.invited'] }),
  object: strict({ type: Type.String(), id: NullableString('id of what was changed') }),
  address: NullableString('network address that the request came from'),
  before: Snapshot('the changed fields before, without secrets'),
  after: Snapshot('the changed fields after, without secrets'),
})

export const listAuditEntries = endpoint({
  id: 'listAuditEntries',
  method: 'GET',
  path: '/audit',
  scope: 'role:admin',
  origin: 'extension',
  doors: ['web'],
  summary: 'List who changed what, newest first.',
  query: strict({
    ...CursorQuery,
    action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    actorId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    objectId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    from: Type.Optional(Timestamp('inclusive')),
    to: Type.Optional(Timestamp('exclusive')),
  }),
  reply: cursorPage(AuditEntry),
})
