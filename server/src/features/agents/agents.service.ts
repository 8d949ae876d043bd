import type { Body } from '@sortie/contract/core/endpoint.ts'
import { scopesOfRole } from '@sortie/contract/core/scopes.ts'
import type * as contract from '@sortie/contract/organization/identities/agents.ts'
import { type Actor, viewerOf } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { lockKeysForRevocation } from '../api-keys/api-keys.queries.ts'
import { endKey, issueKey, renameKey, stopKeys } from '../api-keys/api-keys.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { createAuthor, renameAuthor } from '../auth/accounts/accounts.service.ts'
import { lockMemberActor } from '../organizations/members/acting-member.service.ts'
import * as query from './agents.queries.ts'
import type { AgentRow } from './agents.queries.ts'

const MAX_AGENTS = 500
const DAY_MS = 24 * 60 * 60 * 1000
const DEFAULT_DAYS = 90
const MAX_DAYS = 366

type Wanted = Body<typeof contract.createAgent>

const isAdmin = ({ role }: Pick<Actor, 'role'>): boolean => role === 'owner' || role === 'admin'

/** Which agents a member manages: owner and admins all, others by the engagements that they lead, and their own. */
interface Manager {
  actor: Actor
  led: ReadonlySet<string>
}

const managerOf = async (db: Database, actor: Actor): Promise<Manager> => ({
  actor,
  led: isAdmin(actor) ? new Set() : await query.listLed(db, actor.organizationId, actor.id),
})

const engagementsOf = (agent: AgentRow): readonly string[] => agent.engagement_ids ?? []

/** An agent is seen, and can be stopped, by those who lead one of its engagements: stopping is the safe direction. */
const maySee = ({ actor, led }: Manager, agent: AgentRow): boolean =>
  isAdmin(actor) || agent.owner_id === actor.id || engagementsOf(agent).some((id) => led.has(id))

/** Its owner changes, starts and deletes it, while leading all its engagements that the owner sees. */
const mayChange = ({ actor, led }: Manager, agent: AgentRow): boolean =>
  isAdmin(actor) || (agent.owner_id === actor.id && engagementsOf(agent).every((id) => led.has(id)))

export const listAgents = async ({ db }: { db: Database }, actor: Actor): Promise<AgentRow[]> => {
  const manager = await managerOf(db, actor)
  return (await query.listAgents(db, actor.organizationId)).filter((agent) => maySee(manager, agent))
}

/** @throws ApiError NOT_FOUND */
export const readAgent = async ({ db }: { db: Database }, actor: Actor, agentId: string): Promise<AgentRow> => {
  const agent = await query.findAgent(db, actor.organizationId, agentId)
  if (!agent || !maySee(await managerOf(db, actor), agent)) throw notFound()
  return agent
}

/** @throws ApiError NOT_FOUND, FORBIDDEN for one that the actor sees but may not change */
const requireChangeable = async (tx: Transaction, actor: Actor, agentId: string): Promise<AgentRow> => {
  const agent = await readAgent({ db: tx }, actor, agentId)
  if (!mayChange(await managerOf(tx, actor), agent))
    throw forbidden('Only the owner, admins and the lead who owns it may change this agent.')
  return agent
}

/**
 * Creates an agent with its key.
 *
 * @param platform its database shows what the owner of the agent sees, who may be another person than the caller
 * @returns the agent and, only here, the value of its key
 * @throws ApiError VALIDATION_ERROR, FORBIDDEN, CONFLICT
 */
export const createAgent = (writer: Writer, platform: Platform, actor: Actor, wanted: Wanted) =>
  writer.change((tx) => makeAgent(tx, platform, { actor, isConfirmed: false }, wanted))

/**
 * Creates an agent in a transaction that has locked the actor's membership.
 *
 * @param platform its database shows what the owner of the agent sees
 * @param isConfirmed an owner or admin has confirmed that this actor creates it
 * @returns the agent and, only here, the value of its key
 * @throws ApiError VALIDATION_ERROR, FORBIDDEN, CONFLICT
 */
export const makeAgent = async (
  tx: Transaction,
  platform: Platform,
  { actor, isConfirmed }: { actor: Actor; isConfirmed: boolean },
  wanted: Wanted,
) => {
  const { clock } = platform
  const { organizationId } = actor
  const now = clock.now()
  const ends = wanted.expiresAt === undefined ? now + DEFAULT_DAYS * DAY_MS : Date.parse(wanted.expiresAt)
  if (ends <= now) throw invalid('expiresAt: must be in the future')
  if (ends > now + MAX_DAYS * DAY_MS) throw invalid(`expiresAt: must be within ${MAX_DAYS} days`)
  const ownerId = wanted.ownerId ?? actor.id
  if (ownerId !== actor.id && !isAdmin(actor)) throw invalid('ownerId: must be you')
  const owner = await lockMemberActor(tx, { organizationId, id: ownerId, address: actor.address })
  if (!owner || owner.role === undefined) throw invalid('ownerId: must be a member of this organization')
  const permitted = scopesOfRole(owner.role)
  const excess = wanted.scopes.findIndex((scope) => !permitted.includes(scope))
  if (excess >= 0) throw invalid(`scopes.${excess}: must be a scope that the owner of the agent has`)
  const visible = await query.listVisible(
    platform.scopedTo(organizationId, viewerOf(owner.role, ownerId)),
    organizationId,
    wanted.engagementIds,
  )
  const unknown = wanted.engagementIds.findIndex((id) => !visible.has(id))
  if (unknown >= 0) throw invalid(`engagementIds.${unknown}: must be an engagement that the owner of the agent sees`)
  if (!isConfirmed && !(await mayCreateFor(tx, actor, wanted.engagementIds)))
    throw forbidden('Only the owner, admins and the leads of these engagements may create an agent for them.')
  if ((await query.countAgents(tx, organizationId)) >= MAX_AGENTS)
    throw conflict(`This organization has ${MAX_AGENTS} agents, which is the limit. Delete those that are unused.`)
  const id = newId('agt', now)
  const times = { created_at: isoTime(now), updated_at: isoTime(now) }
  await createAuthor(tx, id, wanted.name, times.created_at)
  await recordAudit(tx, actor, clock, {
    action: 'agent.created',
    object: { type: 'agent', id },
    after: {
      name: wanted.name,
      ownerId,
      engagementIds: wanted.engagementIds,
      scopes: wanted.scopes,
      expiresAt: isoTime(ends),
    },
  })
  const { key, value } = await issueKey(
    tx,
    platform,
    { by: actor, createdBy: actor.id, owner: { kind: 'agent', ownerId, agentId: id } },
    {
      name: wanted.name,
      environment: 'live',
      scopes: wanted.scopes,
      engagementIds: wanted.engagementIds,
      expiresAt: isoTime(ends),
    },
  )
  await query.insertAgent(tx, {
    id,
    organization_id: organizationId,
    name: wanted.name,
    owner_id: ownerId,
    key_id: key.id,
    description: wanted.description ?? '',
    model: wanted.model ?? '',
    created_by: actor.id,
    ...times,
  })
  return { agent: await requireAgent(tx, organizationId, id), value }
}

/** Owner and admins create agents for any engagements, others for those that they lead. */
export const mayCreateFor = async (db: Database, actor: Actor, engagementIds: readonly string[]): Promise<boolean> => {
  const { led } = await managerOf(db, actor)
  return isAdmin(actor) || engagementIds.every((id) => led.has(id))
}

const requireAgent = async (tx: Transaction, organizationId: string, agentId: string): Promise<AgentRow> => {
  const agent = await query.findAgent(tx, organizationId, agentId)
  if (!agent) throw notFound()
  return agent
}

/** @throws ApiError NOT_FOUND, FORBIDDEN */
export const updateAgent = (
  { change, clock }: Writer,
  actor: Actor,
  agentId: string,
  wanted: Body<typeof contract.updateAgent>,
): Promise<AgentRow> =>
  change(async (tx) => {
    const { name, description, model, key_id: keyId } = await requireChangeable(tx, actor, agentId)
    const now = isoTime(clock.now())
    const before: Record<string, string> = { name, description, model }
    const changed = Object.entries(wanted).filter(([field, value]) => value !== before[field])
    if (changed.length > 0) {
      await query.updateAgent(tx, actor.organizationId, agentId, { ...wanted, updated_at: now })
      if (wanted.name !== undefined) {
        await renameAuthor(tx, agentId, wanted.name, now)
        await renameKey(tx, actor.organizationId, keyId, wanted.name)
      }
      await recordAudit(tx, actor, clock, {
        action: 'agent.updated',
        object: { type: 'agent', id: agentId },
        before: Object.fromEntries(changed.map(([field]) => [field, before[field]])),
        after: Object.fromEntries(changed),
      })
    }
    return requireAgent(tx, actor.organizationId, agentId)
  })

/** Waits for the changes that the agent is making. @throws ApiError NOT_FOUND, FORBIDDEN */
export const deleteAgent = ({ change, clock }: Writer, actor: Actor, agentId: string): Promise<void> =>
  change(async (tx) => {
    const agent = await requireChangeable(tx, actor, agentId)
    await lockKeysForRevocation(tx, actor.organizationId, [agent.key_id])
    await endKey(tx, actor.organizationId, agent.key_id)
    await recordAudit(tx, actor, clock, {
      action: 'agent.deleted',
      object: { type: 'agent', id: agentId },
      before: { name: agent.name, ownerId: agent.owner_id, scopes: agent.scopes },
    })
  })

/** @throws ApiError NOT_FOUND, FORBIDDEN, CONFLICT if it is not stopped */
export const startAgent = ({ change, clock }: Writer, actor: Actor, agentId: string): Promise<AgentRow> =>
  change(async (tx) => {
    const seen = await requireChangeable(tx, actor, agentId)
    await lockKeysForRevocation(tx, actor.organizationId, [seen.key_id])
    const agent = await requireAgent(tx, actor.organizationId, agentId)
    if (agent.stopped_at === null) throw conflict('This agent is not stopped.')
    await query.setStopped(tx, actor.organizationId, [agentId], undefined, isoTime(clock.now()))
    await stopKeys(tx, actor.organizationId, [agent.key_id], null)
    await recordAudit(tx, actor, clock, {
      action: 'agent.started',
      object: { type: 'agent', id: agentId },
      before: { stopReason: agent.stop_reason },
    })
    return requireAgent(tx, actor.organizationId, agentId)
  })

/**
 * Stops agents: after this returns, no request with their keys succeeds. Waits for the changes that they are making.
 *
 * @returns how many were active
 * @throws ApiError VALIDATION_ERROR unless exactly one of the three is given, NOT_FOUND, FORBIDDEN
 */
export const stopAgents = (
  { change, clock }: Writer,
  actor: Actor,
  { agentId, engagementId, all, reason }: Body<typeof contract.stopAgents>,
): Promise<number> => {
  if ([agentId, engagementId, all].filter((given) => given !== undefined).length !== 1)
    throw invalid('agentId: exactly one of agentId, engagementId and all can be given')
  return change(async (tx) => {
    const manager = await managerOf(tx, actor)
    const chosen = await chooseAgents(tx, manager, { agentId, engagementId })
    await lockKeysForRevocation(
      tx,
      actor.organizationId,
      chosen.map(({ key_id }) => key_id),
    )
    const current = await query.listAgents(tx, actor.organizationId)
    const active = current.filter(({ id, stopped_at }) => stopped_at === null && chosen.some((one) => one.id === id))
    const now = isoTime(clock.now())
    const ids = active.map(({ id }) => id)
    await query.setStopped(tx, actor.organizationId, ids, { userId: actor.id, reason }, now)
    await stopKeys(
      tx,
      actor.organizationId,
      active.map(({ key_id }) => key_id),
      now,
    )
    for (const { id, name } of active)
      await recordAudit(tx, actor, clock, {
        action: 'agent.stopped',
        object: { type: 'agent', id },
        after: { name, stopReason: reason },
      })
    return active.length
  })
}

const chooseAgents = async (
  tx: Transaction,
  manager: Manager,
  { agentId, engagementId }: { agentId: string | undefined; engagementId: string | undefined },
): Promise<AgentRow[]> => {
  const { actor, led } = manager
  if (agentId !== undefined) return [await readAgent({ db: tx }, actor, agentId)]
  const agents = await query.listAgents(tx, actor.organizationId)
  if (engagementId === undefined) {
    if (!isAdmin(actor)) throw forbidden('Only the owner and admins may stop all agents.')
    return agents
  }
  if (!(await query.isEngagement(tx, actor.organizationId, engagementId)))
    throw invalid('engagementId: there is no such engagement')
  if (!isAdmin(actor) && !led.has(engagementId))
    throw forbidden('Only the owner, admins and the lead may stop the agents of an engagement.')
  return agents.filter((agent) => engagementsOf(agent).includes(engagementId))
}
