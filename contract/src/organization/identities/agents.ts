import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  list,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Text,
  Timestamp,
} from '../../core/endpoint.ts'
import { KeyScopes } from '../api-keys.ts'

export const AGENT_STATES = ['active', 'stopped'] as const

const AgentName = Line(100, { examples: ['recon-1'] })
const Description = Text(2_000, { description: 'what it is for' })
const Model = Text(100, {
  description: 'the model behind it, as its people name it',
  examples: ['in-house 7b'],
})
const EngagementIds = Type.Array(Id('eng'), { minItems: 1, maxItems: 100, uniqueItems: true })

const agentFields = {
  id: Id('agt'),
  name: AgentName,
  owner: closedObject({ id: Id('usr'), name: Type.String() }),
  description: Description,
  model: Model,
  engagementIds: Type.Array(Id('eng'), { description: 'those of its engagements that the caller sees' }),
  scopes: KeyScopes,
  state: OneOf(AGENT_STATES, { description: '`stopped`: its key is refused until it is started' }),
  stoppedBy: Nullable({ id: Id('usr'), name: Type.String() }, 'null unless stopped'),
  stopReason: NullableString('null unless stopped'),
  stoppedAt: NullableTimestamp('null unless stopped'),
  expiresAt: NullableTimestamp('its key is refused from then on'),
  lastSeenAt: NullableTimestamp('last request with its key; null for never'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
}

export const Agent = closedObject(agentFields)

export const CreatedAgent = closedObject({
  ...agentFields,
  value: Type.String({ description: 'its whole key, shown only here' }),
})

const AgentId = closedObject({ agentId: Id('agt') })
const door = { scope: 'any', about: 'organization', origin: 'extension', doors: ['web'] } as const

export const listAgents = endpoint({
  ...door,
  id: 'listAgents',
  method: 'GET',
  path: '/agents',
  summary:
    'List agents, newest first: all for owner and admins, for others their own and those of engagements they lead.',
  reply: list(Agent),
})

export const createAgent = endpoint({
  ...door,
  id: 'createAgent',
  method: 'POST',
  path: '/agents',
  summary: 'Create an agent; the answer is the only place that ever shows the value of its key.',
  description:
    'Owner and admins create agents for any engagement, leads for the engagements that they lead. The key never has more rights than the owner of the agent has at that moment, and ends with the membership.',
  body: closedObject({
    name: AgentName,
    ownerId: Type.Optional(
      Type.String({ ...Id('usr'), description: 'a member; absent: the caller; only owner and admins name others' }),
    ),
    description: Type.Optional(Description),
    model: Type.Optional(Model),
    engagementIds: EngagementIds,
    scopes: KeyScopes,
    expiresAt: Type.Optional(Timestamp('absent: in 90 days; at most 366 days from now')),
  }),
  reply: one(CreatedAgent),
  status: 201,
  conflicts: ['This organization has 500 agents, which is the limit. Delete those that are unused.'],
})

export const getAgent = endpoint({
  ...door,
  id: 'getAgent',
  method: 'GET',
  path: '/agents/:agentId',
  summary: 'Read an agent.',
  params: AgentId,
  reply: one(Agent),
})

export const updateAgent = endpoint({
  ...door,
  id: 'updateAgent',
  method: 'PATCH',
  path: '/agents/:agentId',
  summary: 'Change name, description and model of an agent. Its engagements and scopes are fixed at creation.',
  params: AgentId,
  body: closedObject({
    name: Type.Optional(AgentName),
    description: Type.Optional(Description),
    model: Type.Optional(Model),
  }),
  reply: one(Agent),
})

export const deleteAgent = endpoint({
  ...door,
  id: 'deleteAgent',
  method: 'DELETE',
  path: '/agents/:agentId',
  summary: 'Delete an agent and its key; what it wrote keeps its name.',
  params: AgentId,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('agt') })),
})

export const startAgent = endpoint({
  ...door,
  id: 'startAgent',
  method: 'POST',
  path: '/agents/:agentId/start',
  summary: 'Start a stopped agent: its key works again.',
  params: AgentId,
  reply: one(Agent),
  conflicts: ['This agent is not stopped.'],
})

export const stopAgents = endpoint({
  ...door,
  id: 'stopAgents',
  method: 'POST',
  path: '/agents/stop',
  summary: 'Stop an agent, the agents of an engagement, or all: their keys are refused until they are started.',
  body: closedObject({
    agentId: Type.Optional(Id('agt')),
    engagementId: Type.Optional(Id('eng')),
    all: Type.Optional(Type.Literal(true)),
    reason: Line(500, { examples: ['The client asked for a pause'] }),
  }),
  reply: one(closedObject({ stopped: Type.Integer({ description: 'agents that were active' }) })),
})
