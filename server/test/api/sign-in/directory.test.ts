import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openWorkos } from '../../../src/features/auth/linked-accounts/providers/workos.ts'
import { readDirectoryEvents } from '../../../src/features/organizations/directory/directory.jobs.ts'
import { linkDirectory } from '../../../src/features/organizations/directory/links.service.ts'
import { verifyWorkosSignature } from '../../../src/features/organizations/directory/workos/workos-signature.ts'
import { operatorOf } from '../../support/app/operator-platform.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { finish, passwordSession, START } from '../../support/providers/provider-visit.ts'
import {
  directoryDeleted,
  directoryUser,
  groupMember,
  membership,
  nextId,
  sessionCreated,
  userEvent,
  type WorkosEvent,
} from '../../support/providers/workos-events.ts'
import { CLIENT_ID, hmac, post, WEBHOOK_SECRET, WorkosCounterpart } from '../../support/providers/workos.ts'

const FRONTEND = 'http://localhost:3001'
const ACCOUNT = '/api/web/account'
const CURRENT = '/api/web/organizations/current'
const workos = new WorkosCounterpart()
let app: TestApp
beforeAll(async () => {
  await workos.up()
  app = await testApp({ env: { ...workos.settings, FRONTEND_URL: FRONTEND } })
})
afterAll(async () => {
  await app.close()
  await workos.down()
})
afterEach(() => {
  expect(workos.problems.splice(0)).toEqual([])
})

const signInThere = async (userId: string, browser = new TestBrowser(app.origin)) => {
  const started = await browser.post(START, {})
  const answer = await finish(browser, await workos.signIn(started.body.data.url, userId))
  return { browser, answer }
}

const inside = (browser: TestBrowser, organizationId: string): TestBrowser => {
  const other = new TestBrowser(app.origin, { 'x-organization': organizationId })
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  return other
}

/** An organization here that is linked to one of WorkOS. */
const linked = async (): Promise<TestOrganization & { providerId: string }> => {
  const organization = await app.createOrganization()
  const providerId = nextId('org')
  await linkDirectory(operatorOf(app), { system: 'test', organizationId: organization.id }, providerId)
  return { ...organization, providerId }
}

/** Waits until the jobs of these events have run. */
const applied = async (...events: WorkosEvent[]): Promise<(string | null)[]> => {
  const ids = events.map(({ id }) => id)
  for (;;) {
    const rows = await app.db.selectFrom('directory_events').select(['id', 'outcome']).where('id', 'in', ids).execute()
    const outcomes = ids.map((id) => rows.find((row) => row.id === id)?.outcome ?? null)
    if (!outcomes.includes(null)) return outcomes
    await sleep(20)
  }
}

const userIdOf = async (browser: TestBrowser): Promise<string> => (await browser.get(ACCOUNT)).body.data.id

const roleOf = async (organizationId: string, userId: string): Promise<string | undefined> => {
  const rows = app.db
    .selectFrom('memberships')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
  return (await rows.executeTakeFirst())?.role
}

describe('the signature of the webhook', () => {
  test('is HMAC-SHA-256 over time and body: the published vector', () => {
    expect(hmac('whsec', '1700000000000', '{"id":"event_1"}')).toBe(
      '0cc6341d1652f589f5f51d97ffce04fb8e34c6f975794fc17f77da2a02c5519d',
    )
  })

  test('of the vector is valid from 5 minutes before its time to 5 minutes after, for its own body only', async () => {
    const sdk = await openWorkos(app.platform.config)
    if (!sdk) throw new Error('this server has WorkOS')
    const header = 't=1700000000000, v1=0cc6341d1652f589f5f51d97ffce04fb8e34c6f975794fc17f77da2a02c5519d'
    for (const now of [1_700_000_000_000 - 300_000, 1_700_000_000_000 + 300_000]) {
      await verifyWorkosSignature(sdk, '{"id":"event_1"}', header, ['whsec'], now)
    }
    for (const now of [1_700_000_000_000 - 300_001, 1_700_000_000_000 + 300_001]) {
      await expect(verifyWorkosSignature(sdk, '{"id":"event_1"}', header, ['whsec'], now)).rejects.toThrow(
        'seconds from the server',
      )
    }
    await expect(verifyWorkosSignature(sdk, '{"id":"event_2"}', header, ['whsec'], 1_700_000_000_000)).rejects.toThrow(
      'does not match',
    )
  })

  const body = JSON.stringify({
    id: 'event_of_the_signature',
    event: 'session.created',
    created_at: new Date().toISOString(),
    data: {},
  })

  test.each([
    ['none', () => undefined],
    ['another secret', (now: number) => `t=${now}, v1=${hmac('another secret', now, body)}`],
    ['another body', (now: number) => `t=${now}, v1=${hmac(WEBHOOK_SECRET, now, `${body} `)}`],
    ['another time than the signed one', (now: number) => `t=${now + 1}, v1=${hmac(WEBHOOK_SECRET, now, body)}`],
    ['a time 5 minutes old', (now: number) => `t=${now - 300_001}, v1=${hmac(WEBHOOK_SECRET, now - 300_001, body)}`],
    ['a time 5 minutes ahead', (now: number) => `t=${now + 300_001}, v1=${hmac(WEBHOOK_SECRET, now + 300_001, body)}`],
    [
      'a time in seconds',
      (now: number) => `t=${Math.floor(now / 1000)}, v1=${hmac(WEBHOOK_SECRET, Math.floor(now / 1000), body)}`,
    ],
    ['something behind its digits', (now: number) => `t=${now}, v1=${hmac(WEBHOOK_SECRET, now, body)}00`],
    ['no time', (now: number) => `v1=${hmac(WEBHOOK_SECRET, now, body)}`],
  ])('with %s: 400, and nothing is stored', async (_what, headerAt) => {
    app.clock.freeze()
    expect((await post(app, body, headerAt(app.clock.now()))).status).toBe(400)
    expect(
      await app.db.selectFrom('directory_events').select('id').where('id', '=', 'event_of_the_signature').execute(),
    ).toEqual([])
  })

  test('4 minutes and 59 seconds off, in either direction, is accepted', async () => {
    app.clock.freeze()
    for (const offset of [-299_000, 299_000]) {
      const text = JSON.stringify(sessionCreated())
      const time = app.clock.now() + offset
      expect((await post(app, text, `t=${time}, v1=${hmac(WEBHOOK_SECRET, time, text)}`)).status).toBe(200)
    }
  })
})

describe('memberships of the directory', () => {
  test('make a signed-in user a member, change the role, and end with their sessions within the request', async () => {
    const organization = await linked()
    const user = workos.addUser({ id: nextId('user') })
    const { browser } = await signInThere(user.id)
    const userId = await userIdOf(browser)
    const created = membership('created', organization, user.id)
    expect((await workos.deliver(app, created)).status).toBe(200)
    expect(await applied(created)).toEqual(['applied'])
    expect(await roleOf(organization.id, userId)).toBe('member')
    expect((await inside(browser, organization.id).get(CURRENT)).status).toBe(200)
    const promoted = membership('updated', organization, user.id, 'admin')
    await workos.deliver(app, promoted)
    await applied(promoted)
    expect(await roleOf(organization.id, userId)).toBe('admin')

    const deleted = membership('deleted', organization, user.id)
    expect((await workos.deliver(app, deleted)).status).toBe(200)
    // Without waiting for a job.
    expect((await browser.get(ACCOUNT)).status).toBe(401)
    await applied(deleted)
    expect(await roleOf(organization.id, userId)).toBeUndefined()
  })

  test("that arrive before the user's first sign-in wait for it", async () => {
    const organization = await linked()
    const user = workos.addUser({ id: nextId('user') })
    const created = membership('created', organization, user.id, 'admin')
    await workos.deliver(app, created)
    await applied(created)
    const { browser } = await signInThere(user.id)
    expect(await roleOf(organization.id, await userIdOf(browser))).toBe('admin')
  })

  test('are applied once: a duplicate from the webhook or the list changes nothing', async () => {
    const organization = await linked()
    const user = workos.addUser({ id: nextId('user') })
    const userId = await userIdOf((await signInThere(user.id)).browser)
    const created = membership('created', organization, user.id)
    const answers = await Promise.all([
      workos.deliver(app, created),
      workos.deliver(app, created),
      workos.deliver(app, created),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await applied(created)
    const joined = () =>
      app.db
        .selectFrom('audit_entries')
        .select('id')
        .where('action', '=', 'member.joined')
        .where('object_id', '=', userId)
        .execute()
    expect(await joined()).toHaveLength(1)
    await workos.deliver(app, created)
    expect(await joined()).toHaveLength(1)
  })

  test('out of order: an older event that arrives late does not undo a newer one, in either direction', async () => {
    const organization = await linked()
    const user = workos.addUser({ id: nextId('user') })
    const userId = await userIdOf((await signInThere(user.id)).browser)
    const [created, promoted, deleted, again] = [
      membership('created', organization, user.id),
      membership('updated', organization, user.id, 'admin'),
      membership('deleted', organization, user.id),
      membership('created', organization, user.id, 'admin'),
    ]
    await workos.deliver(app, deleted)
    await workos.deliver(app, created)
    await workos.deliver(app, promoted)
    expect(await applied(deleted, created, promoted)).toEqual(['applied', 'superseded', 'superseded'])
    expect(await roleOf(organization.id, userId)).toBeUndefined()
    await workos.deliver(app, again)
    expect(await applied(again)).toEqual(['applied'])
    expect(await roleOf(organization.id, userId)).toBe('admin')
  })

  test('M12: do not bring back a user whom an administrator removed; only an invitation does', async () => {
    const organization = await linked()
    const user = workos.addUser({ id: nextId('user') })
    const userId = await userIdOf((await signInThere(user.id)).browser)
    const created = membership('created', organization, user.id)
    await workos.deliver(app, created)
    await applied(created)
    const owner = await passwordSession(app, organization.owner, organization.id)
    expect((await owner.delete(`/api/web/organizations/current/members/${userId}`)).status).toBe(200)
    const events = [
      membership('updated', organization, user.id, 'admin'),
      membership('deleted', organization, user.id),
      membership('created', organization, user.id),
    ]
    for (const one of events) {
      await workos.deliver(app, one)
      await applied(one)
    }
    await signInThere(user.id)
    expect(await roleOf(organization.id, userId)).toBeUndefined()
  })

  test('never move the owner, and leave an unlinked organization unchanged', async () => {
    const organization = await linked()
    const stranger = await app.createOrganization()
    const user = workos.addUser({ id: nextId('user') })
    const userId = organization.owner.id
    const now = new Date().toISOString()
    await app.db
      .insertInto('linked_accounts')
      .values({
        id: 'idn_owner',
        user_id: userId,
        issuer: `workos:${CLIENT_ID}`,
        subject: user.id,
        email: user.email,
        linked_at: now,
        last_used_at: now,
      })
      .execute()
    const events = [
      membership('updated', organization, user.id),
      membership('deleted', organization, user.id),
      membership('created', { providerId: nextId('org') }, user.id),
    ]
    for (const one of events) await workos.deliver(app, one)
    await applied(...events)
    expect(await roleOf(organization.id, userId)).toBe('owner')
    expect(await roleOf(stranger.id, userId)).toBeUndefined()
  })
})

describe('S16: removals in the directory', () => {
  test('of a person end the sessions within the request, the membership after it, also for a whole directory', async () => {
    const organization = await linked()
    const users = [workos.addUser({ id: nextId('user') }), workos.addUser({ id: nextId('user') })] as const
    const browsers = [(await signInThere(users[0].id)).browser, (await signInThere(users[1].id)).browser] as const
    const directory = nextId('directory')
    const entries = users.map(({ email }) =>
      directoryUser('created', organization, nextId('directory_user'), email, directory),
    )
    const events = [...users.map(({ id }) => membership('created', organization, id)), ...entries]
    for (const one of events) await workos.deliver(app, one)
    await applied(...events)
    const userIds = [await userIdOf(browsers[0]), await userIdOf(browsers[1])] as const

    const gone = directoryUser('deleted', organization, entries[0]?.data.id as string, users[0].email, directory)
    expect((await workos.deliver(app, gone)).status).toBe(200)
    expect((await browsers[0].get(ACCOUNT)).status).toBe(401)
    expect((await browsers[1].get(ACCOUNT)).status).toBe(200)
    await applied(gone)
    expect([await roleOf(organization.id, userIds[0]), await roleOf(organization.id, userIds[1])]).toEqual([
      undefined,
      'member',
    ])

    const allGone = directoryDeleted(organization, directory)
    await workos.deliver(app, allGone)
    expect((await browsers[1].get(ACCOUNT)).status).toBe(401)
    await applied(allGone)
    expect(await roleOf(organization.id, userIds[1])).toBeUndefined()
  })

  test('a suspension does the same; groups are known and make no one a member', async () => {
    const organization = await linked()
    const user = workos.addUser({ id: nextId('user') })
    const { browser } = await signInThere(user.id)
    const userId = await userIdOf(browser)
    const [id, directory] = [nextId('directory_user'), nextId('directory')]
    const grouped = [
      directoryUser('created', organization, id, user.email, directory),
      groupMember('added', organization, id, user.email, directory),
    ]
    for (const one of grouped) await workos.deliver(app, one)
    expect(await applied(...grouped)).toEqual(['applied', 'applied'])
    expect(await roleOf(organization.id, userId)).toBeUndefined()
    const created = membership('created', organization, user.id)
    await workos.deliver(app, created)
    await applied(created)
    const suspended = directoryUser('updated', organization, id, user.email, directory, 'suspended')
    await workos.deliver(app, suspended)
    expect((await browser.get(ACCOUNT)).status).toBe(401)
    await applied(suspended)
    expect(await roleOf(organization.id, userId)).toBeUndefined()
  })

  test('a user of WorkOS: no one can sign in with that identity, and the account stays', async () => {
    const organization = await linked()
    const user = workos.addUser({ id: nextId('user') })
    const { browser } = await signInThere(user.id)
    const userId = await userIdOf(browser)
    const created = membership('created', organization, user.id)
    const deleted = userEvent('deleted', user)
    await workos.deliver(app, created)
    await applied(created)
    await workos.deliver(app, deleted)
    expect((await browser.get(ACCOUNT)).status).toBe(401)
    await applied(deleted)
    expect(await roleOf(organization.id, userId)).toBeUndefined()
    expect(await app.db.selectFrom('linked_accounts').select('id').where('subject', '=', user.id).execute()).toEqual([])
    expect(await app.db.selectFrom('users').select('id').where('id', '=', userId).execute()).toHaveLength(1)
  })
})

describe('the list of events', () => {
  test('delivers what the webhook missed, in order, continues where it stopped, and applies nothing twice', async () => {
    const organization = await linked()
    const users = Array.from({ length: 3 }, () => workos.addUser({ id: nextId('user') }))
    const userIds: string[] = []
    for (const { id } of users) userIds.push(await userIdOf((await signInThere(id)).browser))
    const events = users.map(({ id }) => membership('created', organization, id))
    const [first] = events
    if (!first) throw new Error('there is one')
    await workos.deliver(app, first)
    workos.events.push(...events, sessionCreated())
    await readDirectoryEvents(app.platform)
    await applied(...events)
    for (const userId of userIds) expect(await roleOf(organization.id, userId)).toBe('member')
    const last = membership('deleted', organization, users[0]?.id as string)
    workos.events.push(last)
    await readDirectoryEvents(app.platform)
    await readDirectoryEvents(app.platform)
    await applied(last)
    expect(await roleOf(organization.id, userIds[0] as string)).toBeUndefined()
    expect(await app.db.selectFrom('directory_cursors').select('after_event_id').executeTakeFirstOrThrow()).toEqual({
      after_event_id: last.id,
    })
  })

  test('that fails leaves everything unchanged, and is read from the same position later', async () => {
    const before = await app.db.selectFrom('directory_cursors').selectAll().execute()
    await workos.down()
    await expect(readDirectoryEvents(app.platform)).rejects.toThrow()
    await workos.up()
    expect(await app.db.selectFrom('directory_cursors').selectAll().execute()).toEqual(before)
  })
})

test('with ssoEnabled a password session no longer opens the organization, one of WorkOS does', async () => {
  const organization = await linked()
  const user = workos.addUser({ id: nextId('user') })
  const { browser } = await signInThere(user.id)
  const created = membership('created', organization, user.id)
  await workos.deliver(app, created)
  await applied(created)
  await app.db.updateTable('organizations').set({ sso_enabled: true }).where('id', '=', organization.id).execute()
  expect((await (await passwordSession(app, organization.owner, organization.id)).get(CURRENT)).status).toBe(403)
  expect((await inside(browser, organization.id).get(CURRENT)).status).toBe(200)
})
