import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { lockAccount } from '../../../src/features/auth/accounts/accounts.queries.ts'
import { startSession } from '../../../src/features/auth/sessions/sessions.service.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { cookieName } from '../../../src/platform/http/answers/cookies.ts'
import type { Mounted } from '../walks/walk.ts'
import type { TestApp, TestOrganization, TestUser } from './test-app.ts'
import { TestClient } from './test-client.ts'

/** The kind of caller that a route needs. */
export type Kind = 'key' | 'admin' | 'owner' | 'person' | 'instance admin'

/** A caller with a separate organization, who shares nothing with other callers. */
export interface Caller {
  kind: Kind
  client: TestClient
  organization: TestOrganization
  /** The owner of the session; for a key, its creator. */
  user: TestUser
  /** Set for a key. */
  keyId: string
}

/** The kind of caller that a route refuses after a revocation; undefined if it lets everyone through. */
export const kindFor = ({ door, requirement }: Mounted): Kind | undefined => {
  if (door === 'key') return 'key'
  if (requirement === 'public') return undefined
  if (requirement === 'session') return 'person'
  if (requirement === 'instance-admin') return 'instance admin'
  return typeof requirement === 'object' && 'role' in requirement && requirement.role === 'owner' ? 'owner' : 'admin'
}

export const newCaller = async (app: TestApp, kind: Kind): Promise<Caller> => {
  const organization = await app.createOrganization()
  const { owner } = organization
  if (kind === 'key') {
    const client = await app.withKey(SCOPE_NAMES, organization)
    return { kind, client, organization, user: owner, keyId: client.keyId }
  }
  const user =
    kind === 'owner'
      ? owner
      : kind === 'admin'
        ? await app.createMember('admin', organization)
        : await newPerson(app, kind)
  return { kind, client: await sessionOf(app, user, organization), organization, user, keyId: '' }
}

const newPerson = (app: TestApp, kind: Kind): Promise<TestUser> =>
  app.createUser(undefined, { isInstanceAdmin: kind === 'instance admin' })

/** Creates a session of this person without the cost of a password check. */
export const sessionOf = async (app: TestApp, user: TestUser, organization: TestOrganization): Promise<TestClient> => {
  const { db, keys, clock, config } = app.platform
  const token = await transaction(db, async (tx) =>
    startSession(tx, keys, clock, await lockAccount(tx, user.id), { userAgent: 'test', address: '127.0.0.1' }),
  )
  return new TestClient(app.origin, {
    cookie: `${cookieName('sid', config)}=${token}`,
    'x-organization': organization.id,
  })
}

/** Prepares a few at a time, so that the server is not overloaded. */
export const prepareEach = async <T, Result>(
  all: readonly T[],
  prepare: (one: T) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (let i = 0; i < all.length; i += 4) results.push(...(await Promise.all(all.slice(i, i + 4).map(prepare))))
  return results
}

/** The app with this organization as its first one. */
export const appOf = (app: TestApp, organization: TestOrganization): TestApp => ({
  ...app,
  organization,
  createMember: (role, of = organization) => app.createMember(role, of),
  signedIn: (role, of = organization) => app.signedIn(role, of),
  withKey: (scopes, of = organization) => app.withKey(scopes, of),
})
