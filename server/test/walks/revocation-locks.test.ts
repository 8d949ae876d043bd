import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invitationToken } from '../../src/features/organizations/invitations/invitations.service.ts'
import { type OpenDatabase, openDatabase } from '../../src/platform/database/connection/open.ts'
import { RIGHTS, acquireFairLocks } from '../../src/platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../src/platform/database/transaction.ts'
import { type Caller, type Kind, kindFor, newCaller, prepareEach, sessionOf } from '../support/app/callers.ts'
import { sampleOf } from '../support/app/nightly.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import type { TestResponse } from '../support/app/test-client.ts'
import { checksums } from '../support/inputs/snapshot.ts'
import { OpenIdProvider } from '../support/providers/openid-provider.ts'
import { concernedBy, REVOCATIONS, type Revocation } from '../support/races/revocations.ts'
import { prepareCallerChange } from '../support/walks/caller-changes.ts'
import { atOneDoor, changesSomething, type Mounted, mountedRoutes } from '../support/walks/walk.ts'

/** Few enough that all of them wait within `WAIT_MS` on a slow machine. */
const AT_ONCE = 4
/** Shorter than the server's own lock timeout. */
const WAIT_MS = 1_700
/** For a write that works before it locks, such as compiling a template; its lock timeout begins after that. */
const WORK_MS = 60_000

interface Locks {
  /** Runs `work` while a test transaction that did `revoke` is open; then it ends as `end` says. */
  during<T>(
    revoke: (tx: Transaction) => Promise<unknown>,
    end: 'commit' | 'rollback',
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T>
  /** Waits until this number of the server's statements wait for a lock, at most `maxMs`. @returns how many do */
  waiting(count: number, maxMs?: number): Promise<number>
  close(): Promise<void>
}

const openLocks = async (app: TestApp): Promise<Locks> => {
  const other: OpenDatabase = openDatabase(app.settings, () => undefined)
  const watcher = new pg.Client(app.settings)
  await watcher.connect()
  const count = async () => {
    const { rows } = await watcher.query(
      "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return Number(rows[0].count)
  }
  return {
    during: async (revoke, end, work) => {
      const tx = await other.db.startTransaction().execute()
      try {
        await revoke(tx)
        return await work(tx)
      } finally {
        await tx[end]().execute()
      }
    },
    waiting: async (wanted, maxMs = WAIT_MS) => {
      const deadline = performance.now() + maxMs
      let found = await count()
      while (found < wanted && performance.now() < deadline) found = await count()
      return found
    },
    close: async () => {
      await watcher.end()
      await other.close()
    },
  }
}

interface Prepared {
  name: string
  caller: Caller
  route: Mounted
  send: () => Promise<TestResponse>
}

/**
 * Writes that may work for a while before they lock, such as those that hash a password: the lock timeout of others that
 * wait meanwhile would end.
 */
const worksFirst = ({ endpoint }: Mounted): boolean =>
  endpoint.externalEffect !== undefined ||
  endpoint.responseTimeout !== undefined ||
  JSON.stringify(endpoint.body ?? {}).includes('assword')

/** Routes whose requests wait together: few at once, and each that works first by itself. */
const chunked = (routes: readonly Mounted[]): Mounted[][] => {
  const together = routes.filter((route) => !worksFirst(route))
  return [
    ...Array.from({ length: Math.ceil(together.length / AT_ONCE) }, (_, chunk) =>
      together.slice(chunk * AT_ONCE, (chunk + 1) * AT_ONCE),
    ),
    ...routes.filter(worksFirst).map((route) => [route]),
  ]
}

const prepare = (app: TestApp, routes: readonly Mounted[], revocation: Revocation, kind: Kind): Promise<Prepared[]> =>
  prepareEach(routes, async (route) => {
    const caller = await newCaller(app, kind)
    return {
      name: `${route.name}: ${revocation.name}`,
      caller,
      route,
      send: await prepareCallerChange(app, caller, route),
    }
  })

/** Sends changes while their right is being revoked: all of them wait. @returns their final answers */
const sendMeanwhile = async (
  app: TestApp,
  locks: Locks,
  { rows }: Revocation,
  end: 'commit' | 'rollback',
  prepared: readonly Prepared[],
) => {
  let before: Record<string, string> = {}
  const sent = await locks.during(
    (tx) =>
      rows(
        tx,
        prepared.map(({ caller }) => caller),
      ),
    end,
    async (tx) => {
      before = await checksums(tx, ['throttle_buckets'])
      const answered: string[] = []
      const answers = prepared.map(({ name, send }) => send().finally(() => answered.push(name)))
      const maxMs = prepared.some(({ route }) => worksFirst(route)) ? WORK_MS : WAIT_MS
      const waiting = await locks.waiting(prepared.length, maxMs)
      expect(waiting, prepared.map(({ name }) => name).join(', ')).toBeGreaterThanOrEqual(prepared.length)
      expect(answered).toEqual([])
      return { answers }
    },
  )
  return { answers: await Promise.all(sent.answers), before }
}

/** Every route, with ways in which the right to it is revoked. @returns the routes */
const walk = async (app: TestApp, locks: Locks, routes: readonly Mounted[]): Promise<Set<string>> => {
  const covered = new Set<string>()
  for (const { revocation, kind, routes: concerned } of concernedBy(routes)) {
    for (const some of chunked(concerned)) {
      const chunk = await prepare(app, some, revocation, kind)
      const { answers, before } = await sendMeanwhile(app, locks, revocation, 'commit', chunk)
      for (const [i, { name, caller, route }] of chunk.entries()) {
        const { status, text } = answers[i] as TestResponse
        expect([401, 403, 404], `${name}: ${text}`).toContain(status)
        const now = await caller.client.request(route.method, route.path, { body: {} })
        expect({ status, text }, name).toEqual({ status: now.status, text: now.text })
        covered.add(route.name)
      }
      expect(await checksums(app.db, ['throttle_buckets'])).toEqual(before)
    }
  }
  return covered
}

/** Every route once, with a revocation that is rolled back. */
const walkKept = async (app: TestApp, locks: Locks, routes: readonly Mounted[]): Promise<void> => {
  for (const kind of new Set(routes.map(kindFor))) {
    if (!kind) continue
    const revocation = REVOCATIONS.find(({ from }) => from.includes(kind)) as Revocation
    for (const some of chunked(routes.filter((route) => kindFor(route) === kind && !revocation.sparesRoute?.(route)))) {
      const chunk = await prepare(app, some, revocation, kind)
      const { answers } = await sendMeanwhile(app, locks, revocation, 'rollback', chunk)
      for (const [i, { name, route }] of chunk.entries()) {
        const { status, text } = answers[i] as TestResponse
        expect(status, `${name}: ${text}`).toBe(route.endpoint.status)
      }
    }
  }
}

/** The locks that a change of this caller holds while it is made. */
const lockAllForShare = async (tx: Transaction, { user, organization, keyId }: Caller) => {
  await tx.selectFrom('users').select('id').where('id', '=', user.id).forKeyShare().execute()
  await tx.selectFrom('organizations').select('id').where('id', '=', organization.id).forKeyShare().execute()
  await acquireFairLocks(tx, { shared: [RIGHTS.rules(organization.id)] })
  await tx.selectFrom('sessions').select('id').where('user_id', '=', user.id).forKeyShare().execute()
  await tx.selectFrom('memberships').select('role').where('user_id', '=', user.id).forKeyShare().execute()
  await tx.selectFrom('api_keys').select('id').where('id', '=', keyId).forKeyShare().execute()
}

/** Need an identity provider. */
const DELEGATED = ['startLinking', 'startConfirming']

describe('a change waits for the transaction that revokes its right', () => {
  let app: TestApp
  let locks: Locks
  let routes: Mounted[]

  beforeAll(async () => {
    app = await testApp({
      workers: false,
      env: { EGRESS_ALLOW: '127.0.0.1', DNS_SERVERS: '127.0.0.1:1', INVITATION_LIMIT_PER_HOUR: '1000' },
    })
    locks = await openLocks(app)
    routes = atOneDoor(
      mountedRoutes(app).filter(
        (route) => changesSomething(route) && kindFor(route) && !DELEGATED.includes(route.endpoint.id),
      ),
    )
  })
  afterAll(async () => {
    await locks.close()
    await app.close()
  })

  test('K14: after a commit, every route refuses every write like a new one, and changes nothing', async () => {
    // held-bodies.test.ts tests the other revocation during a request, with a held body, for every write.
    const some = sampleOf(2, routes)
    const covered = await walk(app, locks, some)
    expect([...covered].toSorted()).toEqual(some.map(({ name }) => name).toSorted())
  }, 600_000)

  test('K14: after a rollback, every write is made', () => walkKept(app, locks, sampleOf(6, routes)))

  test('K14: every revocation waits for changes that depend on the right: it bypasses neither their locks nor those of foreign keys', async () => {
    for (const revocation of REVOCATIONS) {
      for (const kind of revocation.from) {
        const caller = await newCaller(app, kind)
        const waits = await locks.during(
          (tx) => lockAllForShare(tx, caller),
          'commit',
          async () => {
            let answered = false
            const answer = revocation.request(app, caller).finally(() => {
              answered = true
            })
            expect(await locks.waiting(1), `${kind}: ${revocation.name}`).toBeGreaterThanOrEqual(1)
            expect(answered, `${kind}: ${revocation.name}`).toBe(false)
            return { answer }
          },
        )
        expect((await waits.answer).status, `${kind}: ${revocation.name}`).toBe(200)
      }
    }
  })

  test('K14: a change that waits for another lock is made before its key is deleted', async () => {
    const caller = await newCaller(app, 'key')
    const owner = await sessionOf(app, caller.organization.owner, caller.organization)
    const { id } = (await caller.client.post('/api/v1/engagements', { name: 'Before' })).body.data
    const order: string[] = []
    const sent = await locks.during(
      (tx) => tx.selectFrom('engagements').select('id').where('id', '=', id).forUpdate().execute(),
      'commit',
      async () => {
        const change = caller.client
          .patch(`/api/v1/engagements/${id}`, { name: 'After' })
          .finally(() => order.push('changed'))
        expect(await locks.waiting(1)).toBe(1)
        const deletion = owner.delete(`/api/web/api-keys/${caller.keyId}`).finally(() => order.push('deleted'))
        expect(await locks.waiting(2)).toBe(2)
        return { change, deletion }
      },
    )
    expect([(await sent.change).status, (await sent.deletion).status]).toEqual([200, 200])
    expect(order).toEqual(['changed', 'deleted'])
    expect((await caller.client.patch(`/api/v1/engagements/${id}`, { name: 'Later' })).status).toBe(401)
    expect((await owner.get(`/api/web/engagements/${id}`)).body.data.name).toBe('After')
  })

  test('K14: an invitation cannot be accepted by a session that ends during the request', async () => {
    const caller = await newCaller(app, 'person')
    const owner = await sessionOf(app, caller.organization.owner, caller.organization)
    const { data } = (
      await owner.post('/api/web/organizations/current/members/invite', { email: caller.user.email, role: 'admin' })
    ).body
    const token = invitationToken(app.platform.keys, data.id, 1)
    const send = () => caller.client.post('/api/web/invitations/accept', { token })
    const route = mountedRoutes(app).find(({ endpoint }) => endpoint.id === 'acceptInvitation') as Mounted
    const signedOut = REVOCATIONS.find(({ name }) => name === 'signed out') as Revocation
    const prepared = [{ name: route.name, caller, route, send }]
    const refused = await sendMeanwhile(app, locks, signedOut, 'commit', prepared)
    expect(refused.answers[0]?.status).toBe(401)
    expect(await checksums(app.db, ['throttle_buckets'])).toEqual(refused.before)
    const again = { ...caller, client: await sessionOf(app, caller.user, caller.organization) }
    const accept = () => again.client.post('/api/web/invitations/accept', { token })
    const kept = await sendMeanwhile(app, locks, signedOut, 'rollback', [
      { name: route.name, caller: again, route, send: accept },
    ])
    expect(kept.answers[0]?.status).toBe(200)
  })
})

describe('with an identity provider', () => {
  const FRONTEND = 'http://localhost:3001'
  const provider = new OpenIdProvider([FRONTEND])
  let app: TestApp
  let locks: Locks

  beforeAll(async () => {
    await provider.up()
    app = await testApp({ workers: false, env: { ...provider.settings, FRONTEND_URL: FRONTEND } })
    locks = await openLocks(app)
  })
  afterAll(async () => {
    await locks.close()
    await app.close()
    await provider.down()
  })

  test('K14: linking and confirming wait in the same way, and are refused or done', async () => {
    const routes = mountedRoutes(app).filter(({ endpoint }) => DELEGATED.includes(endpoint.id))
    expect((await walk(app, locks, routes)).size).toBe(DELEGATED.length)
    await walkKept(app, locks, routes)
  })
})
