import { MAX_WEBHOOK_IDS } from '@sortie/contract/organization/webhook-events.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import type { Worker } from '../../../platform/feature.ts'
import { newId } from '../../../platform/ids.ts'
import type { TitleSources } from '../../../platform/text/titles.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { deleteDeliveriesAbout, insertDelivery } from '../deliveries/deliveries.queries.ts'
import { lockMaker, MakerGone, mayLearn } from '../deliveries/maker.service.ts'
import { disableEndpoint } from '../deliveries/record-attempt.service.ts'
import { messageOf } from '../messages/message.ts'
import {
  deleteListedEngagement,
  type EndpointRow,
  findOrganizationSlug,
  listListeningEndpoints,
} from '../webhook-endpoints.queries.ts'
import * as query from './events.queries.ts'
import { readObject } from './read-object.ts'

/** Events about many objects: those of one engagement within a minute are one message. */
export const BATCHED = ['target.created', 'result.created'] as const
export const BATCH_MS = 60_000
/** Organizations of one turn, and events of one transaction. */
const ORGANIZATIONS_AT_ONCE = 50
const EVENTS_AT_ONCE = 100

/**
 * Turns events into deliveries, whose bodies are fixed by that.
 *
 * @param troubled organizations that had an error, until when they are left out; updated in place
 * @returns whether there may be more
 */
export const fanOut = async (
  worker: Worker,
  sources: TitleSources,
  troubled: Map<string, number>,
  pauseMs: number,
): Promise<boolean> => {
  const now = worker.clock.now()
  const before = isoTime(now - BATCH_MS)
  for (const [id, until] of troubled) if (until <= now) troubled.delete(id)
  const organizations = await query.listOrganizationsWithEvents(
    worker.db,
    BATCHED,
    before,
    [...troubled.keys()],
    ORGANIZATIONS_AT_ONCE,
  )
  let hasMore = organizations.length === ORGANIZATIONS_AT_ONCE
  for (const organizationId of organizations) {
    try {
      const taken = await fanOutOf(worker, sources, organizationId, before)
      hasMore ||= taken === EVENTS_AT_ONCE
    } catch (error) {
      // The events stay; those of others go on.
      troubled.set(organizationId, now + pauseMs)
      worker.log.error({ err: error, organization: organizationId }, 'events could not be turned into webhooks')
    }
  }
  return hasMore
}

/** @returns how many events were taken */
const fanOutOf = (worker: Worker, sources: TitleSources, organizationId: string, before: string): Promise<number> =>
  transaction(worker.scopedTo(organizationId), async (tx) => {
    if (!(await query.findIsOurTurn(tx, organizationId))) return 0
    const events = await query.consumeEvents(tx, organizationId, BATCHED, before, EVENTS_AT_ONCE)
    const slug = await findOrganizationSlug(tx, organizationId)
    const base = `${worker.config.FRONTEND_URL}/o/${slug}`
    const place: Place = { organizationId, base, makers: new Map(), gone: new Map() }
    for (const event of joined(events)) await fanOutEvent(tx, worker, sources, place, event)
    // Last, because rights are locked before objects.
    for (const { endpoint, reason } of place.gone.values()) await disableEndpoint(tx, worker, endpoint, reason, true)
    return events.length
  })

/** Joins batches, and changes of one scope. */
const joined = (events: readonly query.EventRow[]): query.EventRow[] => {
  const groups = Map.groupBy(events, ({ number, type, about_engagement_id: engagement }) =>
    type === 'scope.changed' || BATCHED.some((each) => each === type) ? `${type} ${engagement}` : String(number),
  )
  return [...groups.values()].map((group) => {
    const first = group[0] as query.EventRow
    if (first.data.ids === undefined) return first
    const ids = group.flatMap(({ data }) => data.ids ?? [])
    return { ...first, data: { ids, severities: group.flatMap(({ data }) => data.severities ?? []) } }
  })
}

interface Place {
  organizationId: string
  /** Address of the organization in the web interface. */
  base: string
  /** By the id of their endpoint: locked until the transaction ends, so that they are read once. */
  makers: Map<string, Actor>
  /** Endpoints whose makers are gone, by id. */
  gone: Map<string, { endpoint: EndpointRow; reason: string }>
}

const fanOutEvent = async (
  tx: Transaction,
  worker: Worker,
  sources: TitleSources,
  place: Place,
  event: query.EventRow,
): Promise<void> => {
  const { organizationId, gone } = place
  const { type, about_engagement_id: engagementId } = event
  // Nothing leaves a copy of the instance: neither what happened before it, nor while it is one.
  const isOutdated = await worker.safeMode.isOutdated(event.created_at)
  const endpoints = isOutdated ? [] : await listListeningEndpoints(tx, organizationId, type, engagementId)
  for (const endpoint of endpoints) {
    if (gone.has(endpoint.id)) continue
    try {
      await fanOutTo(tx, worker, sources, place, event, endpoint)
    } catch (error) {
      if (!(error instanceof MakerGone)) throw error
      gone.set(endpoint.id, { endpoint, reason: error.message })
    }
  }
  if (type !== 'engagement.deleted' || engagementId === null) return
  await deleteDeliveriesAbout(tx, organizationId, engagementId)
  await deleteListedEngagement(tx, organizationId, engagementId)
}

const fanOutTo = async (
  tx: Transaction,
  worker: Worker,
  sources: TitleSources,
  { base, makers }: Place,
  event: query.EventRow,
  endpoint: EndpointRow,
): Promise<void> => {
  const { type, about_engagement_id: engagementId, object_id: objectId } = event
  const { organization_id: organizationId } = endpoint
  const data = dataOf(base, event, endpoint)
  if (!data) return
  const maker = makers.get(endpoint.id) ?? (await lockMaker(tx, worker, endpoint))
  makers.set(endpoint.id, maker)
  const about = { event: type, engagementId, wasOpen: event.data.open ?? true }
  if (!(await mayLearn(tx, worker, endpoint, maker, about))) return
  const isFull = endpoint.detail === 'full' && type !== 'engagement.deleted'
  const object = isFull && objectId !== null ? await readObject(tx, maker, objectId, sources) : undefined
  const engagement =
    isFull && engagementId !== null ? await findEngagement(tx, organizationId, engagementId) : undefined
  const now = worker.clock.now()
  const id = newId('whd', now)
  await insertDelivery(tx, {
    id,
    organization_id: organizationId,
    endpoint_id: endpoint.id,
    event: type,
    object_id: objectId ?? engagementId ?? id,
    about_engagement_id: engagementId,
    body: messageOf(endpoint, { type, timestamp: event.created_at, data, object, engagementName: engagement?.name }),
    next_attempt_at: isoTime(now),
    created_at: isoTime(now),
  })
}

/** Paths of the web interface by the prefix of an id. */
const PATHS: Readonly<Record<string, string>> = {
  eng: 'engagements',
  fnd: 'findings',
  imp: 'imports',
  rpt: 'reports',
  rts: 'retests',
  scn: 'scans',
  tsk: 'tasks',
}

/** What a thin message says; undefined if the endpoint waits for other severities only. */
const dataOf = (
  base: string,
  { type, about_engagement_id: engagementId, object_id: objectId, data }: query.EventRow,
  { min_severity: minSeverity }: EndpointRow,
): Record<string, unknown> | undefined => {
  const { ids, severities, open: _open, ...facts } = data
  if (ids) {
    const wanted = ids.filter(
      (_id, index) => type !== 'result.created' || minSeverity === null || (severities?.[index] ?? -1) >= minSeverity,
    )
    if (wanted.length === 0) return undefined
    const list = type === 'target.created' ? 'targets' : 'results'
    const url = `${base}/engagements/${engagementId}/${list}`
    return { engagementId, url, ids: wanted.slice(0, MAX_WEBHOOK_IDS), count: wanted.length }
  }
  const id = objectId ?? ''
  if (type.startsWith('member.')) return { id, ...facts, url: `${base}/settings/members` }
  if (type.startsWith('api_key.')) return { id, ...facts, url: `${base}/settings/api-keys` }
  if (type === 'agent.stopped') return { id, ...facts, url: `${base}/settings/agents` }
  if (type === 'engagement.deleted') return { id, engagementId }
  return { id, engagementId, url: `${base}/${PATHS[id.slice(0, 3)]}/${id}`, ...facts }
}
