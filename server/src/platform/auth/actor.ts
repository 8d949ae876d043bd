import type { Role, Scope } from '@sortie/contract/core/scopes.ts'
import { EVERY_ENGAGEMENT, type EngagementVisibility } from '../database/scope/tenant-scope.ts'

/**
 * What a key is for: `key` for a program that people set up, `login` for a person's terminal, `agent` for an agent.
 */
export type KeyKind = 'key' | 'login' | 'agent'

/** The caller inside one organization: a key, or a signed-in member. A door creates it; it is not looked up again. */
export interface Actor {
  kind: 'key' | 'user'
  /** Id of the key or of the user. */
  id: string
  /** Name of the key or of the person, as stored in audit rows. */
  name: string
  organizationId: string
  scopes: ReadonlySet<Scope>
  /** The engagements that the actor sees. */
  viewer: EngagementVisibility
  /** For a signed-in member; a key has none. */
  role?: Role
  /**
   * For a key that acts within a person's rights: the person's role at this moment. The key may do nothing that needs a
   * higher one.
   */
  ownerRole?: Role
  /** For a key: the id of that person, which never changes; null for a key of the organization. */
  ownerId?: string | null
  /** For the key of an agent: who its writings name as the author. */
  agent?: { id: string; name: string }
  /** For a key. */
  environment?: 'live' | 'test'
  /** Network address that the request came from. */
  address: string
}

/**
 * Reports whether the actor is a key with a list of engagements: it may not see or change objects of the organization
 * itself.
 */
export const isLimitedKey = ({ kind, viewer, id }: Pick<Actor, 'kind' | 'viewer' | 'id'>): boolean =>
  kind === 'key' && viewer === id

/** Whom a writing names as its author: a person or an agent; null for a key. */
export const authorOf = ({ kind, id, agent }: Pick<Actor, 'kind' | 'id' | 'agent'>): string | null =>
  kind === 'user' ? id : (agent?.id ?? null)

/** The name of that author. */
export const authorNameOf = (actor: Pick<Actor, 'kind' | 'id' | 'name' | 'agent'>): string | null =>
  authorOf(actor) === null ? null : actor.name

/** Reports whether the id of an author or an assignee is that of an agent. */
export const isAgentId = (id: string): boolean => id.startsWith('agt_')

/** Engagements that a member sees: owner and admins see every engagement, others those that are open to them. */
export const viewerOf = (role: Role, userId: string): EngagementVisibility =>
  role === 'member' ? userId : EVERY_ENGAGEMENT

/** A signed-in person, in any organization. */
export interface Person {
  userId: string
  name: string
  email: string
  sessionId: string
  isInstanceAdmin: boolean
  address: string
  method: SignInMethod
  /** When the identity provider last made this person sign in again; null without one. */
  confirmedAt: string | null
}

/** How a session was made. */
export type SignInMethod = 'password' | 'passkey' | 'oidc' | 'workos'

/** Reports whether the identity provider authenticated a session of this method. */
export const isDelegated = (method: SignInMethod): boolean => method === 'oidc' || method === 'workos'
