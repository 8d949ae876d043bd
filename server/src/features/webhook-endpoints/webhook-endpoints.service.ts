import type { Body } from '@sortie/contract/core/endpoint.ts'
import { SEVERITIES } from '@sortie/contract/core/values.ts'
import * as contract from '@sortie/contract/organization/webhook-endpoints.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { canonicalJson } from '../../platform/text/json.ts'
import { lockEngagementsForShare } from '../api-keys/api-keys.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { cancelPending, makePendingDue } from './deliveries/deliveries.queries.ts'
import { FORMER_SECRET_MS, newSecret, sealSecret } from './secrets.ts'
import { toEndpoint } from './show-endpoints.ts'
import * as query from './webhook-endpoints.queries.ts'
import { checkedUrl } from './webhook-url.ts'

/** The endpoint and, only in this answer, its secret. */
interface WithSecret {
  endpoint: query.EndpointRow
  secret: string
}

/** @throws ApiError VALIDATION_ERROR, CONFLICT beyond the limit */
export const createWebhookEndpoint = (
  { change, clock, keys, config }: Writer,
  actor: Actor,
  wanted: Body<typeof contract.createWebhookEndpoint>,
): Promise<WithSecret> =>
  change(async (tx) => {
    const { organizationId } = actor
    if ((await query.countWebhookEndpoints(tx, organizationId)) >= contract.MAX_WEBHOOK_ENDPOINTS)
      throw conflict(`An organization has at most ${contract.MAX_WEBHOOK_ENDPOINTS} webhook endpoints.`)
    const now = clock.now()
    const id = newId('whe', now)
    const secret = newSecret()
    await requireEngagements(tx, organizationId, wanted.engagementIds)
    await query.insertWebhookEndpoint(tx, {
      id,
      organization_id: organizationId,
      name: wanted.name,
      url: checkedUrl(wanted.url, config.EGRESS_ALLOW),
      events: wanted.events,
      ...accessOf(wanted.engagementIds),
      min_severity: severityOf(wanted.minSeverity),
      format: wanted.format ?? 'standard',
      detail: wanted.detail ?? 'thin',
      secret: sealSecret(keys, secret, id),
      maker_kind: actor.kind,
      maker_id: actor.id,
      maker_name: actor.name,
      created_at: isoTime(now),
      updated_at: isoTime(now),
    })
    const endpoint = await requireEndpoint(tx, organizationId, id)
    await recordAudit(tx, actor, clock, {
      action: 'webhook-endpoint.created',
      object: { type: 'webhook-endpoint', id },
      after: auditedOf(endpoint),
    })
    return { endpoint, secret }
  })

/**
 * What waits is sent at once to another address. It is cancelled if the endpoint is switched, or was written in a format or with details that it no longer has.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, CONFLICT for a stale change, VALIDATION_ERROR
 */
export const updateWebhookEndpoint = (
  { change, clock, config }: Writer,
  actor: Actor,
  endpointId: string,
  { ifUpdatedAt, ...wanted }: Body<typeof contract.updateWebhookEndpoint>,
): Promise<query.EndpointRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await lockEndpoint(tx, organizationId, endpointId)
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at)
      throw conflict('This endpoint was changed in the meantime. Read it again, then repeat the change.')
    await requireEngagements(tx, organizationId, wanted.engagementIds)
    const columns = {
      ...(wanted.name !== undefined && { name: wanted.name }),
      ...(wanted.url !== undefined && { url: checkedUrl(wanted.url, config.EGRESS_ALLOW) }),
      ...(wanted.events !== undefined && { events: wanted.events }),
      ...(wanted.engagementIds !== undefined && accessOf(wanted.engagementIds ?? undefined)),
      ...(wanted.minSeverity !== undefined && { min_severity: severityOf(wanted.minSeverity) }),
      ...(wanted.format !== undefined && { format: wanted.format }),
      ...(wanted.detail !== undefined && { detail: wanted.detail }),
      ...(wanted.enabled !== undefined && { is_enabled: wanted.enabled }),
    }
    const changed = Object.keys(columns).filter(
      (name) => canonicalJson(columns[name as 'name']) !== canonicalJson(before[name as 'name']),
    )
    if (changed.length === 0) return before
    if (changed.some((name) => name !== 'name' && name !== 'is_enabled')) requireOwnEndpoint(actor, before)
    const isSwitched = changed.includes('is_enabled')
    const isRewritten = changed.includes('format') || (changed.includes('detail') && columns.detail === 'thin')
    if (isSwitched || isRewritten) await cancelPending(tx, organizationId, endpointId)
    const isMoved = changed.includes('url')
    if (isMoved) await makePendingDue(tx, organizationId, endpointId, isoTime(clock.now()))
    await query.updateWebhookEndpoint(tx, organizationId, endpointId, {
      ...columns,
      ...(isMoved && { failing_since: null }),
      ...(isSwitched && { disabled_reason: null, failing_since: null }),
      updated_at: laterThan(before, clock.now()),
    })
    const endpoint = await requireEndpoint(tx, organizationId, endpointId)
    const [was, is] = [auditedOf(before), auditedOf(endpoint)]
    const differs = (name: string) => canonicalJson(was[name as 'name']) !== canonicalJson(is[name as 'name'])
    await recordAudit(tx, actor, clock, {
      action: 'webhook-endpoint.changed',
      object: { type: 'webhook-endpoint', id: endpointId },
      before: { name: before.name, ...Object.fromEntries(Object.entries(was).filter(([name]) => differs(name))) },
      after: Object.fromEntries(Object.entries(is).filter(([name]) => differs(name))),
    })
    return endpoint
  })

/** Once the transaction commits, no attempt begins. @throws ApiError NOT_FOUND */
export const deleteWebhookEndpoint = ({ change, clock }: Writer, actor: Actor, endpointId: string): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await lockEndpoint(tx, organizationId, endpointId)
    await cancelPending(tx, organizationId, endpointId)
    await query.updateWebhookEndpoint(tx, organizationId, endpointId, {
      is_enabled: false,
      deleted_at: isoTime(clock.now()),
      former_secret: null,
      former_secret_until: null,
    })
    await recordAudit(tx, actor, clock, {
      action: 'webhook-endpoint.deleted',
      object: { type: 'webhook-endpoint', id: endpointId },
      before: auditedOf(before),
    })
  })

/** Both secrets sign for a day. @throws ApiError NOT_FOUND, FORBIDDEN */
export const rotateWebhookSecret = (
  { change, clock, keys }: Writer,
  actor: Actor,
  endpointId: string,
): Promise<WithSecret> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await lockEndpoint(tx, organizationId, endpointId)
    requireOwnEndpoint(actor, before)
    const secret = newSecret()
    await query.updateWebhookEndpoint(tx, organizationId, endpointId, {
      secret: sealSecret(keys, secret, endpointId),
      former_secret: before.secret,
      former_secret_until: isoTime(clock.now() + FORMER_SECRET_MS),
      updated_at: laterThan(before, clock.now()),
    })
    await recordAudit(tx, actor, clock, {
      action: 'webhook-endpoint.secret-rotated',
      object: { type: 'webhook-endpoint', id: endpointId },
      after: { name: before.name },
    })
    return { endpoint: await requireEndpoint(tx, organizationId, endpointId), secret }
  })

/**
 * An endpoint receives with the rights of its maker. A key that could direct another's endpoint to itself would receive
 * what it may not see; owner and admins see everything.
 *
 * @throws ApiError FORBIDDEN
 */
const requireOwnEndpoint = (
  actor: Actor,
  { maker_kind: kind, maker_id: id }: Pick<query.EndpointRow, 'maker_kind' | 'maker_id'>,
): void => {
  if (actor.kind === 'key' && (kind !== 'key' || id !== actor.id))
    throw forbidden('A key changes what an endpoint receives, and its secret, only if it created the endpoint.')
}

type WantedEngagements = 'open' | readonly string[] | null | undefined

const accessOf = (wanted: WantedEngagements) => ({
  engagement_access: wanted == null ? ('all' as const) : wanted === 'open' ? ('open' as const) : ('listed' as const),
  engagement_ids: typeof wanted === 'object' && wanted !== null ? [...wanted] : [],
})

/** @throws ApiError VALIDATION_ERROR for an engagement that the caller does not see */
const requireEngagements = async (
  tx: Transaction,
  organizationId: string,
  wanted: WantedEngagements,
): Promise<void> => {
  if (wanted == null || typeof wanted === 'string') return
  const known = await lockEngagementsForShare(tx, organizationId, wanted)
  const unknown = wanted.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw invalid(`engagementIds.${unknown}: must be an engagement of this organization`)
}

const severityOf = (wanted: (typeof SEVERITIES)[number] | null | undefined): number | null =>
  wanted == null ? null : SEVERITIES.indexOf(wanted)

const lockEndpoint = async (tx: Transaction, organizationId: string, endpointId: string) => {
  const row = await query.lockWebhookEndpoint(tx, organizationId, endpointId)
  if (!row) throw notFound()
  return row
}

const requireEndpoint = async (
  tx: Transaction,
  organizationId: string,
  endpointId: string,
): Promise<query.EndpointRow> => {
  const row = await query.findWebhookEndpoint(tx, organizationId, endpointId)
  if (!row) throw notFound()
  return row
}

const auditedOf = (row: query.EndpointRow) => {
  const {
    id: _id,
    createdBy: _by,
    createdAt: _at,
    updatedAt: _changed,
    failingSince: _since,
    ...fields
  } = toEndpoint(row)
  return fields
}

/** Two changes within a millisecond still get different times. */
const laterThan = ({ updated_at }: { updated_at: string }, now: number): string =>
  isoTime(Math.max(now, Date.parse(updated_at) + 1))
