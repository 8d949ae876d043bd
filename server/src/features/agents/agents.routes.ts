import type { Scope } from '@sortie/contract/core/scopes.ts'
import * as contract from '@sortie/contract/organization/identities/agents.ts'
import type { Platform } from '../../platform/context.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import type { AgentRow } from './agents.queries.ts'
import {
  createAgent,
  deleteAgent,
  listAgents,
  readAgent,
  startAgent,
  stopAgents,
  updateAgent,
} from './agents.service.ts'

export const agentRoutes = ({ platform }: { platform: Platform }): Route[] => [
  route(contract.listAgents, async (context) => ({ data: (await listAgents(context, context.actor)).map(shown) })),

  route(contract.createAgent, async (context) => {
    const { agent, value } = await createAgent(context, platform, context.actor, context.body)
    return { data: { ...shown(agent), value } }
  }),

  route(contract.getAgent, async (context) => ({
    data: shown(await readAgent(context, context.actor, context.params.agentId)),
  })),

  route(contract.updateAgent, async (context) => ({
    data: shown(await updateAgent(context, context.actor, context.params.agentId, context.body)),
  })),

  route(contract.deleteAgent, async (context) => {
    await deleteAgent(context, context.actor, context.params.agentId)
    return { data: { deleted: true, id: context.params.agentId } }
  }),

  route(contract.startAgent, async (context) => ({
    data: shown(await startAgent(context, context.actor, context.params.agentId)),
  })),

  route(contract.stopAgents, async (context) => ({
    data: { stopped: await stopAgents(context, context.actor, context.body) },
  })),
]

const shown = (agent: AgentRow) => ({
  id: agent.id,
  name: agent.name,
  owner: { id: agent.owner_id, name: agent.owner_name },
  description: agent.description,
  model: agent.model,
  engagementIds: agent.engagement_ids ?? [],
  scopes: agent.scopes as Scope[],
  state: agent.stopped_at === null ? ('active' as const) : ('stopped' as const),
  stoppedBy: agent.stopped_by === null ? null : { id: agent.stopped_by, name: agent.stopped_by_name ?? '' },
  stopReason: agent.stop_reason,
  stoppedAt: agent.stopped_at,
  expiresAt: agent.expires_at,
  lastSeenAt: agent.last_used_at,
  createdAt: agent.created_at,
  updatedAt: agent.updated_at,
})
