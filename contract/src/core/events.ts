import Type from 'typebox'
import { closedObject, endpoint, Id, NullableString, OneOf } from './endpoint.ts'

/**
 * The object type of an event; `engagement` includes its details, members and status; `member` is a person of the organization,
 * with name and role.
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
  'member',
] as const

export const EVENT_CHANGES = ['created', 'updated', 'moved', 'deleted'] as const

/** One server-sent event, as JSON in its `data`. A `reset` has the event name `reset` and no data. */
export const StreamedEvent = closedObject({
  type: OneOf(EVENT_TYPES),
  id: NullableString('id of the changed object; null: many of this type changed'),
  engagementId: NullableString('null for what belongs to the whole organization'),
  change: OneOf(EVENT_CHANGES),
})

export const streamEvents = endpoint({
  id: 'streamEvents',
  method: 'GET',
  path: '/events',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  summary: 'Receive changes as server-sent events.',
  description:
    'Each event names the changed object, without content: read it again. After `reset`, events may have been missed: reload the data that is shown. The stream ends within a second when the session, the membership or the access to the engagement does. A person has six streams at most.',
  doors: ['web'],
  query: closedObject({
    engagementId: Type.Optional(Id('eng', 'only what concerns this engagement')),
    viewing: Type.Optional(
      Id('wik', 'the wiki page that the person has open; others see this while the stream is open'),
    ),
  }),
  reply: StreamedEvent,
  produces: 'events',
})
