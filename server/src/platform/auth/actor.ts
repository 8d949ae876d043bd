import type { Role, Scope } from '@sortie/contract/scopes.ts'
import { EVERY_ENGAGEMENT, type Viewer } from '../database/scope.ts'

/** Whoever acts inside one organization: a key, or a signed-in member. Made by a door, never looked up again. */
export interface Actor {
  kind: 'key' | 'user'
  /** Id of the key or of the user. */
  id: string
  /** Name of the key or of the person, as audit rows keep it. */
  name: string
  organizationId: string
  scopes: ReadonlySet<Scope>
  /** Which engagements the actor sees. */
  viewer: Viewer
  /** Of a signed-in member; a key has none. */
  role?: Role
  /** Of a key. */
  environment?: 'live' | 'test'
  /** Network address that the request came from. */
  address: string
}

/** Whether the actor is a key with a list of engagements: what belongs to the organization is not the key's to see or change. */
export const isLimitedKey = ({ kind, viewer, id }: Pick<Actor, 'kind' | 'viewer' | 'id'>): boolean => kind === 'key' && viewer === id

/** What a member sees: owner and admins every engagement, others those that are open to them. */
export const viewerOf = (role: Role, userId: string): Viewer => (role === 'member' ? userId : EVERY_ENGAGEMENT)

/** A signed-in person, whatever the organization. */
export interface Person {
  userId: string
  name: string
  email: string
  sessionId: string
  isInstanceAdmin: boolean
  address: string
  method: SignInMethod
  /** When the identity provider last made this person sign in anew; null without one. */
  confirmedAt: string | null
}

/** How a session was made. */
export type SignInMethod = 'password' | 'passkey' | 'oidc' | 'workos'

/** Whether the identity provider vouched for a session made in this way. */
export const isDelegated = (method: SignInMethod): boolean => method === 'oidc' || method === 'workos'
