import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { scopesOfRole } from '@sortie/contract/core/scopes.ts'
import { isPermitted } from '../../../src/platform/auth/guard.ts'
import { RIGHTS, acquireFairLocks } from '../../../src/platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../../src/platform/database/transaction.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type Caller, type Kind, kindFor, sessionOf } from '../app/callers.ts'
import { isNightly } from '../app/nightly.ts'
import { PASSWORD, type TestApp } from '../app/test-app.ts'
import type { TestResponse } from '../app/test-client.ts'
import type { Mounted } from '../walks/walk.ts'

/** One way in which a caller loses a right. */
export interface Revocation {
  name: string
  from: readonly Kind[]
  /** Routes that stay open without the right; none by default. */
  sparesRoute?(route: Mounted): boolean
  /** The revocation over HTTP. */
  request(app: TestApp, caller: Caller): Promise<TestResponse>
  /** The revocation of several callers in the server's own transaction. */
  rows(tx: Transaction, callers: readonly Caller[]): Promise<unknown>
}

const PEOPLE: readonly Kind[] = ['admin', 'owner', 'person', 'instance admin']
const MEMBERS = '/api/web/organizations/current/members'
const MEMBER = { role: 'member', scopes: new Set(scopesOfRole('member')) } as const

const ids = (callers: readonly Caller[]) => callers.map(({ user }) => user.id)
const organizations = (callers: readonly Caller[]) => callers.map(({ organization }) => organization.id)
const ownerOf = (app: TestApp, { organization }: Caller) => sessionOf(app, organization.owner, organization)

/** A passkey without an authenticator counts as a second factor. */
export const passkeyOf = (userId: string) => ({
  id: newId('pky'),
  user_id: userId,
  name: 'a key',
  credential_id: randomBytes(16),
  public_key: randomBytes(32),
  sign_count: 0,
  transports: [],
  created_at: '2026-01-01T00:00:00.000Z',
})

const endSessions = (tx: Transaction, callers: readonly Caller[]) =>
  tx.deleteFrom('sessions').where('user_id', 'in', ids(callers)).execute()

/** The memberships of callers in their organizations: no two share one. */
const lockMembers = (tx: Transaction, callers: readonly Caller[]) =>
  tx
    .selectFrom('memberships')
    .select('user_id')
    .where('user_id', 'in', ids(callers))
    .where('organization_id', 'in', organizations(callers))
    .orderBy('user_id')
    .forUpdate()
    .execute()

export const REVOCATIONS: readonly Revocation[] = [
  {
    name: 'the key is deleted',
    from: ['key'],
    request: async (app, caller) => (await ownerOf(app, caller)).delete(`/api/web/api-keys/${caller.keyId}`),
    rows: (tx, callers) =>
      tx
        .deleteFrom('api_keys')
        .where(
          'id',
          'in',
          callers.map(({ keyId }) => keyId),
        )
        .execute(),
  },
  {
    name: 'the member is removed',
    from: ['admin'],
    request: async (app, caller) => (await ownerOf(app, caller)).delete(`${MEMBERS}/${caller.user.id}`),
    rows: (tx, callers) => tx.deleteFrom('memberships').where('user_id', 'in', ids(callers)).execute(),
  },
  {
    name: 'the admin is made a member',
    from: ['admin'],
    sparesRoute: ({ requirement }) => isPermitted(MEMBER, requirement),
    request: async (app, caller) =>
      (await ownerOf(app, caller)).patch(`${MEMBERS}/${caller.user.id}`, { role: 'member' }),
    rows: async (tx, callers) => {
      await lockMembers(tx, callers)
      await tx.updateTable('memberships').set({ role: 'member' }).where('user_id', 'in', ids(callers)).execute()
    },
  },
  {
    name: 'the organization is handed on',
    from: ['owner'],
    request: async (app, caller) => {
      const { id } = await app.createMember('member', caller.organization)
      return (await ownerOf(app, caller)).post('/api/web/organizations/current/transfer-ownership', {
        userId: id,
        password: PASSWORD,
      })
    },
    rows: async (tx, callers) => {
      await lockMembers(tx, callers)
      await tx.updateTable('memberships').set({ role: 'admin' }).where('user_id', 'in', ids(callers)).execute()
    },
  },
  {
    name: 'single sign-on is demanded of who came in with a password',
    from: ['admin'],
    request: async (app, caller) => {
      const owner = await ownerOf(app, caller)
      await app.db
        .updateTable('sessions')
        .set({ method: 'oidc' })
        .where('user_id', '=', caller.organization.owner.id)
        .execute()
      return owner.patch('/api/web/organizations/current/settings', { ssoEnabled: true })
    },
    rows: async (tx, callers) => {
      const own = organizations(callers)
      await acquireFairLocks(tx, { exclusive: own.map(RIGHTS.rules) })
      await tx.updateTable('organizations').set({ sso_enabled: true }).where('id', 'in', own).execute()
    },
  },
  {
    name: 'signed out',
    from: PEOPLE,
    request: (_app, { client }) => client.post('/api/auth/sign-out'),
    rows: endSessions,
  },
  {
    name: 'every session is ended by a change of the password',
    from: PEOPLE,
    request: async (app, { user, organization }) =>
      (await sessionOf(app, user, organization)).post('/api/web/account/password', {
        currentPassword: PASSWORD,
        newPassword: 'another password for a test',
      }),
    rows: async (tx, callers) => {
      await tx.selectFrom('users').select('id').where('id', 'in', ids(callers)).orderBy('id').forUpdate().execute()
      await endSessions(tx, callers)
    },
  },
  {
    name: 'administering the instance is taken away',
    from: ['instance admin'],
    request: async (app, { user, organization }) => {
      const other = await app.createUser(undefined, { isInstanceAdmin: true })
      return (await sessionOf(app, other, organization)).patch(`/api/web/instance/accounts/${user.id}`, {
        isInstanceAdmin: false,
      })
    },
    rows: async (tx, callers) => {
      await tx.selectFrom('users').select('id').where('id', 'in', ids(callers)).orderBy('id').forUpdate().execute()
      await tx.updateTable('users').set({ is_instance_admin: false }).where('id', 'in', ids(callers)).execute()
    },
  },
]

interface Concerned {
  revocation: Revocation
  kind: Kind
  routes: Mounted[]
}

/** Every revocation with its routes; a commit tests each route with one of the revocations, the night with all. */
export const concernedBy = (routes: readonly Mounted[]): Concerned[] => {
  const all = REVOCATIONS.flatMap((revocation) =>
    revocation.from.map((kind): Concerned => ({
      revocation,
      kind,
      routes: routes.filter((route) => kindFor(route) === kind && !revocation.sparesRoute?.(route)),
    })),
  )
  if (isNightly) return all
  const chosen = new Map(
    routes.map((route) => {
      const concerning = all.filter((concerned) => concerned.routes.includes(route))
      return [route, concerning[crc32(route.name) % concerning.length]]
    }),
  )
  return all
    .map((concerned) => ({ ...concerned, routes: concerned.routes.filter((route) => chosen.get(route) === concerned) }))
    .filter(({ routes: some }) => some.length > 0)
}
