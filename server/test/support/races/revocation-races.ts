import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { expect } from 'vitest'
import { newCaller, sessionOf } from '../app/callers.ts'
import { PASSWORD, type TestApp } from '../app/test-app.ts'
import type { TestResponse } from '../app/test-client.ts'
import { asSuperuserRows } from '../database/test-databases.ts'

const MEMBERS = '/api/web/organizations/current/members'
type Send = () => Promise<TestResponse>

const statuses = (answers: readonly TestResponse[]) => answers.map(({ status }) => status)

/** Sequentially: only the race itself needs concurrency. */
const prepared = async <T>(count: number, prepare: (i: number) => Promise<T>): Promise<T[]> => {
  const all: T[] = []
  for (let i = 0; i < count; i++) all.push(await prepare(i))
  return all
}

/** Sends both requests of each pair, and all pairs, simultaneously. */
const raceAll = async (all: readonly (readonly [Send, Send])[]): Promise<TestResponse[][]> =>
  Promise.all(all.map((pair) => Promise.all(pair.map((send) => send()))))

/** One of each pair revokes the other's right first, and the other is refused. */
const expectOneOfEach = (answers: readonly (readonly TestResponse[])[], refusals: readonly number[]) => {
  for (const pair of answers) {
    expect(statuses(pair).filter((status) => status === 200).length, pair.map(({ text }) => text).join(' | ')).toBe(1)
    expect(refusals).toContain(statuses(pair).find((status) => status !== 200))
  }
}

/** Ten pairs of admins of one organization remove each other. */
export const raceMutualRemovals = async (app: TestApp): Promise<void> => {
  const organization = await app.createOrganization()
  const admin = async () => {
    const user = await app.createMember('admin', organization)
    return { user, client: await sessionOf(app, user, organization) }
  }
  const all = await prepared(10, async () => {
    const [a, b] = [await admin(), await admin()]
    return [() => a.client.delete(`${MEMBERS}/${b.user.id}`), () => b.client.delete(`${MEMBERS}/${a.user.id}`)] as const
  })
  expectOneOfEach(await raceAll(all), [404])
  const owner = await sessionOf(app, organization.owner, organization)
  expect((await owner.get(`${MEMBERS}?role=admin`)).body.meta.total).toBe(10)
}

/** A key removes an admin who deletes the key: ten such pairs, in two organizations. */
export const raceKeysAndMembers = async (app: TestApp): Promise<void> => {
  const organizations = [await app.createOrganization(), await app.createOrganization()]
  const all = await prepared(10, async (i) => {
    const organization = organizations[i % 2] as (typeof organizations)[0]
    const key = await app.withKey(SCOPE_NAMES, organization)
    const user = await app.createMember('admin', organization)
    const admin = await sessionOf(app, user, organization)
    return [
      () => admin.delete(`/api/web/api-keys/${key.keyId}`),
      () => key.delete(`/api/v1/organizations/current/members/${user.id}`),
    ] as const
  })
  expectOneOfEach(await raceAll(all), [401, 404])
}

/**
 * Two sessions of a person end each other, or change the password; two instance administrators revoke each other's
 * right.
 */
export const raceSessions = async (app: TestApp): Promise<void> => {
  const all = await prepared(10, async (i) => {
    if (i % 3 === 2) {
      const [a, b] = [await newCaller(app, 'instance admin'), await newCaller(app, 'instance admin')]
      const path = (id: string) => `/api/web/instance/accounts/${id}`
      return [
        () => a.client.patch(path(b.user.id), { isInstanceAdmin: false }),
        () => b.client.patch(path(a.user.id), { isInstanceAdmin: false }),
      ] as const
    }
    const { user, organization, client } = await newCaller(app, 'person')
    const other = await sessionOf(app, user, organization)
    if (i % 3 === 1)
      return [
        () => client.delete('/api/web/account/sessions'),
        () => other.delete('/api/web/account/sessions'),
      ] as const
    const change = { currentPassword: PASSWORD, newPassword: 'another password for a test' }
    return [
      () => client.post('/api/web/account/password', change),
      () => other.delete('/api/web/account/sessions'),
    ] as const
  })
  expectOneOfEach(await raceAll(all), [401, 403])
}

/**
 * An admin and a key write as fast as they can, twenty at a time, and are removed and deleted during that time: each
 * write is made or refused, a refused one does not exist, and none is made after the removal's answer.
 */
export const raceWrites = async (app: TestApp): Promise<void> => {
  const admin = await newCaller(app, 'admin')
  const key = await app.withKey(SCOPE_NAMES, admin.organization)
  const owner = await sessionOf(app, admin.organization.owner, admin.organization)
  let [made, revoked] = [0, false]
  const lane = async (send: Send, list: string) => {
    for (let late = 0; late < 2;) {
      const begunLate = revoked
      const { status, text } = await send()
      if (begunLate) expect([401, 404], `begun after the end of the right: ${text}`).toContain(status)
      expect([200, 201, 401, 404], text).toContain(status)
      if (status === 201 && list === 'engagements') made++
      if (begunLate) late++
    }
  }
  const invite = (client: typeof owner, prefix: string) => () =>
    client.post(`${prefix}/organizations/current/members/invite`, {
      email: `raced.${Math.random().toString(36).slice(2)}@example.com`,
      role: 'member',
    })
  const writers: [Send, string][] = Array.from({ length: 5 }).flatMap((): [Send, string][] => [
    [() => admin.client.post('/api/web/engagements', { name: 'raced' }), 'engagements'],
    [() => key.post('/api/v1/engagements', { name: 'raced' }), 'engagements'],
    [invite(admin.client, '/api/web'), 'invitations'],
    [invite(key, '/api/v1'), 'invitations'],
  ])
  const revoke = async () => {
    try {
      return await Promise.all([
        owner.delete(`${MEMBERS}/${admin.user.id}`),
        owner.delete(`/api/web/api-keys/${key.keyId}`),
      ])
    } finally {
      revoked = true
    }
  }
  const [ends] = await Promise.all([revoke(), ...writers.map(([send, list]) => lane(send, list))])
  expect(statuses(ends)).toEqual([200, 200])
  expect((await owner.get('/api/web/engagements')).body.meta.total).toBe(made)
}

/** Number of deadlocks that Postgres has detected in the app's database, including retried ones. */
export const countDeadlocks = async (app: TestApp): Promise<number> => {
  const [row] = await asSuperuserRows<{ deadlocks: string }>(
    app.settings,
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return Number(row?.deadlocks)
}
