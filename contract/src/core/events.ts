import Type from 'typebox'
import { closedObject, endpoint, Id, NullableString, OneOf } from './endpoint.ts'

/**
 * The object type of an event; `engagement` includes its details, members and status; `member` is a person of the
 * organization, with name and role; `setting` is anything else of the organization: its settings, clients,
 * methodologies, custom fields, domains, invitations, keys, repositories and views, always without an id.
 */
export const EVENT_TYPES = [
  'engagement',
  'file',
  'target',
  'scope',
  'result',
  'scan',
  'schedule',
  'import',
  'operation',
  'task',
  'page',
  'request',
  'finding',
  'library_entry',
  'retest',
  'report',
  'member',
  'setting',
] as const

export const EVENT_CHANGES = ['created', 'updated', 'moved', 'deleted'] as const

/** One server-sent event, as JSON in its `data`. A `reset` has the event name `reset` and no data. */
export const StreamedEvent = closedObject({
  type: OneOf(EVENT_TYPES),
  id: NullableString('id of the changed object; null: many of this type changed'),
  engagementId: NullableString('null for what belongs to the whole organization'),
  change: OneOf(EVENT_CHANGES),
})

/** A person who has an object open. */
export const Viewer = closedObject({
  id: Id('usr'),
  name: Type.String(),
  editing: Type.Boolean({ description: 'whether the editor is open' }),
})

export const EXAMPLE_VIEWER = { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace', editing: true }

export const streamEvents = endpoint({
  id: 'streamEvents',
  method: 'GET',
  path: '/events',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  summary: 'Receive changes as server-sent events.',
  description:
    'Each event names the changed object, without content: read it again. After `reset`, events may have been missed: reload the data that is shown. The stream ends within a second when the session, the membership, the key or the access to the engagement does. A person and a key can have at most six streams. A key hears of the types of objects that its scopes let it read; one that is limited to engagements hears of these only, and not when one of them is deleted or closed to it.',
  query: closedObject({
    engagementId: Type.Optional(Id('eng', 'only what concerns this engagement')),
    viewing: Type.Optional(
      Type.String({
        pattern: '^(?:wik|fnd)_[0-9a-z]{26}$',
        maxLength: 30,
        examples: ['wik_01jd7w2v4pf1y8m3c6k9t0r5xz'],
        description:
          'the wiki page or finding that the person has open; others see this while the stream is open; not with a key',
      }),
    ),
    editing: Type.Optional(Type.Boolean({ description: 'whether its editor is open' })),
  }),
  reply: StreamedEvent,
  produces: 'events',
})
