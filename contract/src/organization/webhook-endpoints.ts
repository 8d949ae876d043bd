import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { IN_SAFE_MODE } from '../core/errors.ts'
import { AnyId, AnyOf, declareList } from '../core/lists.ts'
import { SEVERITIES, type Severity } from '../core/values.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { DELIVERED_EVENTS, WEBHOOK_EVENTS, WEBHOOK_EXAMPLES } from './webhook-events.ts'

export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams', 'mattermost', 'matrix'] as const
export const WEBHOOK_DETAILS = ['thin', 'full'] as const
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const
/** Endpoints of one organization. */
export const MAX_WEBHOOK_ENDPOINTS = 50

const STALE = 'This endpoint was changed in the meantime. Read it again, then repeat the change.'
const DISABLED = 'This endpoint is disabled: enable it first.'
const TOO_MANY = `An organization has at most ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints.`

const name = Line(100, { examples: ['Ticket system'] })
const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  examples: ['https://hooks.contoso.example/sortie'],
  description: '`https`, or `http` with an address that EGRESS_ALLOW opens; without user name and password',
})
const events = Type.Array(OneOf(WEBHOOK_EVENTS), {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  uniqueItems: true,
  description: 'the events that it receives',
})
const EngagementList = { items: Id('eng'), maxItems: 100, uniqueItems: true }
const wantedEngagementIds = Type.Unsafe<'open' | string[]>({
  type: ['string', 'array'],
  pattern: '^open$',
  maxLength: 4,
  ...EngagementList,
  minItems: 1,
  examples: ['open'],
  description:
    'absent: every engagement; `open`: those that the whole organization sees; otherwise only these, and no events of the organization',
})
const minSeverity = Type.Unsafe<Severity | null>({
  type: ['string', 'null'],
  enum: [...SEVERITIES, null],
  description: 'the lowest severity of `result.created`; null: any',
})
const format = OneOf(WEBHOOK_FORMATS, {
  description: '`standard`: Standard Webhooks 1.0; the others are messages of chat services',
})
const detail = OneOf(WEBHOOK_DETAILS, {
  description: '`thin`: ids and links; `full`: also the object, as the API shows it to the creator of the endpoint',
})

export const WebhookEndpoint = closedObject({
  id: Id('whe'),
  name,
  url: Type.String(),
  events,
  engagementIds: Type.Unsafe<'open' | string[] | null>({
    anyOf: [{ type: 'string', enum: ['open'] }, { type: 'array', ...EngagementList }, { type: 'null' }],
    description: 'null: every engagement; `open`: those that the whole organization sees; otherwise only these',
  }),
  minSeverity,
  format,
  detail,
  enabled: Type.Boolean(),
  disabledReason: NullableString('why the server disabled it; null if a person did'),
  failingSince: NullableTimestamp('the first failed attempt since the last success; null without one'),
  createdBy: Nullable(PersonReference.properties, 'null for a key; it receives with the rights of its creator'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

const secret = Type.String({
  description: '`whsec_` and 32 bytes in Base64, shown only here',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const WebhookDelivery = closedObject({
  id: Id('whd', 'the header `webhook-id` of every attempt'),
  endpointId: Id('whe'),
  event: OneOf(DELIVERED_EVENTS),
  state: OneOf(DELIVERY_STATES),
  attempts: Type.Array(
    closedObject({
      at: Timestamp(),
      status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'null without an answer' }),
      durationMs: Type.Integer({ minimum: 0 }),
      answer: NullableString('the first 4 kB of the answer'),
      error: NullableString('why it failed; null for a success'),
    }),
  ),
  nextAttemptAt: NullableTimestamp('null once it has ended'),
  createdAt: Timestamp(),
})

const SUFFIX = '01jd7w2v4pf1y8m3c6k9t0r5xz'
const EXAMPLE = {
  id: `whe_${SUFFIX}`,
  name: 'Ticket system',
  url: 'https://hooks.contoso.example/sortie',
  events: ['finding.created', 'finding.status_changed'] as ('finding.created' | 'finding.status_changed')[],
  engagementIds: null,
  minSeverity: null,
  format: 'standard' as const,
  detail: 'thin' as const,
  enabled: true,
  disabledReason: null,
  failingSince: null,
  createdBy: { id: `usr_${SUFFIX}`, name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}
const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const EXAMPLE_DELIVERY = {
  id: `whd_${SUFFIX}`,
  endpointId: EXAMPLE.id,
  event: 'finding.created' as const,
  state: 'pending' as const,
  attempts: [],
  nextAttemptAt: '2026-11-21T08:30:00.000Z',
  createdAt: '2026-11-21T08:30:00.000Z',
}

const OfEndpoint = closedObject({ endpointId: Id('whe') })

export const webhookEndpointList = declareList({
  name: 'webhook-endpoints',
  item: WebhookEndpoint,
  sorts: ['createdAt'],
})

export const webhookDeliveryList = declareList({
  name: 'webhook-deliveries',
  item: WebhookDelivery,
  sorts: ['createdAt'],
  filters: { endpointId: AnyId('whe'), event: AnyOf(DELIVERED_EVENTS), state: AnyOf(DELIVERY_STATES) },
})

const EXAMPLES_OF_EVENTS = Object.entries(WEBHOOK_EXAMPLES)
  .map(([type, data]) => `- \`${type}\`: \`${JSON.stringify(data)}\``)
  .join('\n')

export const listWebhookEndpoints = endpoint({
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/webhook-endpoints',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'List the webhook endpoints, without their secrets.',
  query: webhookEndpointList.query,
  reply: webhookEndpointList.reply,
  example: { reply: { data: [EXAMPLE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const createWebhookEndpoint = endpoint({
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints',
  scope: 'organizations:write',
  readBy: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Create a webhook endpoint; the answer is the only place that ever shows its secret.',
  description: `Messages are \`{"type", "timestamp", "data"}\`, signed by Standard Webhooks 1.0. The \`data\` of each event, thin:\n\n${EXAMPLES_OF_EVENTS}`,
  body: closedObject({
    name,
    url,
    events,
    engagementIds: Type.Optional(wantedEngagementIds),
    minSeverity: Type.Optional(minSeverity),
    format: Type.Optional(format),
    detail: Type.Optional(detail),
  }),
  reply: one(closedObject({ ...WebhookEndpoint.properties, secret })),
  status: 201,
  conflicts: [TOO_MANY],
  example: {
    body: { name: EXAMPLE.name, url: EXAMPLE.url, events: EXAMPLE.events },
    reply: { data: { ...EXAMPLE, secret: EXAMPLE_SECRET } },
  },
})

export const getWebhookEndpoint = endpoint({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/webhook-endpoints/:endpointId',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Read one webhook endpoint, without its secret.',
  params: OfEndpoint,
  reply: one(WebhookEndpoint),
  example: { reply: { data: EXAMPLE } },
})

export const updateWebhookEndpoint = endpoint({
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/webhook-endpoints/:endpointId',
  scope: 'organizations:write',
  readBy: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Change, disable or enable a webhook endpoint.',
  description:
    'Deliveries that wait are cancelled when the endpoint is disabled, gets another `format`, or changes from `full` to `thin`. A key changes what an endpoint receives only if it created the endpoint.',
  params: OfEndpoint,
  body: closedObject({
    name: Type.Optional(name),
    url: Type.Optional(url),
    events: Type.Optional(events),
    engagementIds: Type.Optional(
      Type.Unsafe<'open' | string[] | null>({
        ...wantedEngagementIds,
        type: ['string', 'array', 'null'],
        description: 'as at the creation; null: every engagement',
      }),
    ),
    minSeverity: Type.Optional(minSeverity),
    format: Type.Optional(format),
    detail: Type.Optional(detail),
    enabled: Type.Optional(Type.Boolean()),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  reply: one(WebhookEndpoint),
  conflicts: [STALE],
  example: { body: { events: ['finding.created'] }, reply: { data: { ...EXAMPLE, events: ['finding.created'] } } },
})

export const deleteWebhookEndpoint = endpoint({
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/webhook-endpoints/:endpointId',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Delete a webhook endpoint: it receives nothing more.',
  params: OfEndpoint,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('whe') })),
  example: { reply: { data: { deleted: true, id: EXAMPLE.id } } },
})

export const rotateWebhookSecret = endpoint({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhook-endpoints/:endpointId/rotate-secret',
  scope: 'organizations:write',
  readBy: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Replace the secret of a webhook endpoint; for 24 hours, messages are signed with both.',
  description: 'A key replaces only the secrets of endpoints that it created.',
  params: OfEndpoint,
  reply: one(closedObject({ ...WebhookEndpoint.properties, secret })),
  example: { reply: { data: { ...EXAMPLE, secret: EXAMPLE_SECRET } } },
})

export const testWebhookEndpoint = endpoint({
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: '/webhook-endpoints/:endpointId/test',
  scope: 'organizations:write',
  readBy: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Send the event `ping` to a webhook endpoint.',
  params: OfEndpoint,
  reply: one(WebhookDelivery),
  status: 201,
  conflicts: [DISABLED, IN_SAFE_MODE],
  example: { reply: { data: { ...EXAMPLE_DELIVERY, event: 'ping' } } },
})

export const listWebhookDeliveries = endpoint({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhook-deliveries',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'List the deliveries of the last 30 days, with their attempts.',
  query: webhookDeliveryList.query,
  reply: webhookDeliveryList.reply,
  example: { reply: { data: [EXAMPLE_DELIVERY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const resendWebhookDelivery = endpoint({
  id: 'resendWebhookDelivery',
  method: 'POST',
  path: '/webhook-deliveries/:deliveryId/resend',
  scope: 'organizations:write',
  readBy: 'organizations:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Send a delivery again, with the same id and body.',
  params: closedObject({ deliveryId: Id('whd') }),
  reply: one(WebhookDelivery),
  conflicts: [DISABLED, IN_SAFE_MODE],
  example: { reply: { data: EXAMPLE_DELIVERY } },
})
