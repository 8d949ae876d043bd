import { SEVERITIES } from '@sortie/contract/core/values.ts'
import type * as contract from '@sortie/contract/organization/webhook-endpoints.ts'
import type { Static } from 'typebox'
import type { DeliveryRow } from './deliveries/deliveries.queries.ts'
import type { EndpointRow } from './webhook-endpoints.queries.ts'

type ShownEndpoint = Static<typeof contract.WebhookEndpoint>
type ShownDelivery = Static<typeof contract.WebhookDelivery>

/** @param seen engagements that the reader sees, of those that the endpoint lists; all without it */
export const toEndpoint = (row: EndpointRow, seen?: ReadonlySet<string>): ShownEndpoint => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: row.events as ShownEndpoint['events'],
  engagementIds:
    row.engagement_access === 'all'
      ? null
      : row.engagement_access === 'open'
        ? 'open'
        : row.engagement_ids.filter((id) => seen?.has(id) ?? true),
  minSeverity: row.min_severity === null ? null : (SEVERITIES[row.min_severity] ?? null),
  format: row.format,
  detail: row.detail,
  enabled: row.is_enabled,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  createdBy: row.maker_kind === 'user' ? { id: row.maker_id, name: row.maker_name } : null,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const toDelivery = (row: DeliveryRow): ShownDelivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  event: row.event as ShownDelivery['event'],
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  createdAt: row.created_at,
})
