import type { Guard } from '@sortie/contract/core/scopes.ts'
import type { DELIVERED_EVENTS } from '@sortie/contract/organization/webhook-events.ts'
import { type Actor, isLimitedKey } from '../../../platform/auth/actor.ts'
import { isPermitted, requirementOf } from '../../../platform/auth/guard.ts'
import type { EngagementVisibility } from '../../../platform/database/scope/tenant-scope.ts'
import { enterView, type Transaction } from '../../../platform/database/transaction.ts'
import type { Worker } from '../../../platform/feature.ts'
import { type EndpointRow, listSeenEngagements } from '../webhook-endpoints.queries.ts'

type DeliveredEvent = (typeof DELIVERED_EVENTS)[number]

/** What a caller needs to read the object of an event. */
const GUARDS: Readonly<Record<DeliveredEvent, Guard>> = {
  'engagement.created': 'setting:ENGAGEMENT_READ_SCOPE',
  'engagement.status_changed': 'setting:ENGAGEMENT_READ_SCOPE',
  'engagement.deleted': 'setting:ENGAGEMENT_READ_SCOPE',
  'engagement.restored': 'setting:ENGAGEMENT_READ_SCOPE',
  'scope.changed': 'targets:read',
  'target.created': 'targets:read',
  'scan.finished': 'targets:read',
  'import.finished': 'targets:read',
  'result.created': 'targets:read',
  'finding.created': 'reports:read',
  'finding.state_changed': 'reports:read',
  'finding.published': 'reports:read',
  'finding.status_changed': 'reports:read',
  'finding.client_status_changed': 'reports:read',
  'task.created': 'tasks:read',
  'task.assigned': 'tasks:read',
  'task.done': 'tasks:read',
  'report.delivered': 'reports:read',
  'retest.requested': 'reports:read',
  'member.joined': 'organizations:read',
  'member.removed': 'organizations:read',
  'api_key.created': 'organizations:write',
  'api_key.deleted': 'organizations:write',
  'agent.stopped': 'organizations:write',
  ping: 'organizations:write',
}

/** The endpoint's maker can no longer manage it: it stops. */
export class MakerGone extends Error {}

type Maker = Pick<EndpointRow, 'organization_id' | 'maker_kind' | 'maker_id' | 'maker_name'>

/** The maker of an endpoint with the current rights, locked until the transaction ends. @throws MakerGone */
export const lockMaker = async (tx: Transaction, { actors, config }: Worker, maker: Maker): Promise<Actor> => {
  const asker = { id: maker.maker_id, organizationId: maker.organization_id, address: '' }
  const isKey = maker.maker_kind === 'key'
  const actor = isKey ? await actors.lockKey(tx, asker) : await actors.lockMember(tx, asker)
  if (!actor)
    throw new MakerGone(
      isKey
        ? `The API key ${maker.maker_name}, which made it, was deleted.`
        : `${maker.maker_name}, who made it, left the organization.`,
    )
  if (!isPermitted(actor, requirementOf('organizations:write', config)) || isLimitedKey(actor))
    throw new MakerGone(`${maker.maker_name}, who made it, may no longer manage webhooks.`)
  return actor
}

/** The engagements whose events an endpoint may receive. */
const viewOf = (endpoint: Pick<EndpointRow, 'engagement_access'>, maker: Actor): EngagementVisibility =>
  endpoint.engagement_access === 'open' ? 'open' : maker.viewer

interface About {
  event: string
  engagementId: string | null
  /** For a deleted engagement: whether the whole organization saw it. */
  wasOpen?: boolean
}

/**
 * Reports whether an endpoint may learn of an event: its maker has the scope, and sees the engagement; of a deleted
 * one, saw it. From here on the transaction sees what the endpoint may see.
 */
export const mayLearn = async (
  tx: Transaction,
  { config }: Worker,
  endpoint: Pick<EndpointRow, 'engagement_access' | 'organization_id'>,
  maker: Actor,
  { event, engagementId, wasOpen = true }: About,
): Promise<boolean> => {
  const guard = GUARDS[event as DeliveredEvent]
  if (!isPermitted(maker, requirementOf(guard, config))) return false
  const view = viewOf(endpoint, maker)
  if (engagementId === null) return true
  if (event === 'engagement.deleted') return wasOpen || view !== 'open'
  await enterView(tx, view)
  return (await listSeenEngagements(tx, endpoint.organization_id, [engagementId])).has(engagementId)
}
