import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invitationToken } from '../../../src/features/organizations/invitations/invitations.service.ts'
import { type Caller, type Kind, kindFor, newCaller, prepareEach, sessionOf } from '../../support/app/callers.ts'
import { isNightly, sampleOf } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { checksums } from '../../support/inputs/snapshot.ts'
import { type HalfSentRequest, halfSentAddress, sendHalf, sendWhole } from '../../support/races/half-sent-request.ts'
import { concernedBy, type Revocation } from '../../support/races/revocations.ts'
import { atOneDoor, isWrite, type Mounted, mountedRoutes } from '../../support/walks/walk.ts'

const SHORT_MS = 300
const LONG_MS = isNightly ? 15_000 : 2_000

let app: TestApp
let writes: Mounted[]

beforeAll(async () => {
  app = await testApp({ workers: false, env: { RATE_LIMIT_WINDOW_SECONDS: '3600' } })
  writes = atOneDoor(mountedRoutes(app).filter(isWrite))
})
afterAll(() => app.close())

const state = () => checksums(app.db, ['throttle_buckets'])

/** Longest time on a busy machine until the door has decided on one more request. */
const DECISION_MS = 20

/** Waits until the door has decided on the requests sent before. */
const decided = async (requests: number) => {
  await app.anonymous.get('/api/health/live')
  await sleep(Math.max(SHORT_MS, requests * DECISION_MS))
}

interface Scene {
  revocation: Revocation
  caller: Caller
  routes: Mounted[]
}

/** Every revocation with each kind of caller that it affects, and with routes that need the right. */
const setScenes = (): Promise<Scene[]> =>
  prepareEach(concernedBy(writes), async ({ revocation, kind, routes }) => ({
    revocation,
    routes,
    caller: await newCaller(app, kind),
  }))

interface Held {
  name: string
  caller: Caller
  route: Mounted
  address: string
  request: HalfSentRequest
}

const addressed = async ({ revocation, caller }: Scene, route: Mounted): Promise<Omit<Held, 'request'>> => ({
  name: `${route.name}: ${revocation.name}`,
  caller,
  route,
  address: await halfSentAddress(app, caller, route),
})

const holdOne = async (held: Omit<Held, 'request'>): Promise<Held> => ({
  ...held,
  request: await sendHalf(held.caller, held.route, held.address),
})

const expectRefused = async ({ name, caller, route, address, request }: Held) => {
  const { status, text, headers } = await request.finish()
  expect([401, 403, 404], `${name}: ${text}`).toContain(status)
  const now = await sendWhole(caller, route, address)
  expect({ status, text }, name).toEqual({ status: now.status, text: now.text })
  if (status === 401 && route.door === 'key') expect(headers.get('www-authenticate'), name).toBe('Bearer')
}

/** Holds back the bodies of all routes for this time and revokes the rights to them. */
const refuseHeld = async (scenes: readonly Scene[], ms: number) => {
  const every = await prepareEach(
    scenes.flatMap((scene) => scene.routes.map((route) => ({ scene, route }))),
    ({ scene, route }) => addressed(scene, route),
  )
  const heldAt = performance.now()
  const held = await Promise.all(every.map(holdOne))
  await decided(held.length)
  await prepareEach(scenes, async ({ revocation, caller }) => {
    const { status, text } = await revocation.request(app, caller)
    expect(status, `${revocation.name}: ${text}`).toBe(200)
  })
  const before = await state()
  await sleep(Math.max(SHORT_MS, ms - (performance.now() - heldAt)))
  await Promise.all(held.map(expectRefused))
  expect(await state()).toEqual(before)
}

test('K14: every route refuses a write whose right is revoked before its body arrives, and changes nothing', async () => {
  const scenes = await setScenes()
  const covered = new Set(scenes.flatMap(({ routes }) => routes.map(({ name }) => name)))
  const concerned = writes.filter(kindFor).map(({ name }) => name)
  expect([...covered].toSorted()).toEqual(concerned.toSorted())
  await refuseHeld(scenes, SHORT_MS)
  const others = await setScenes()
  await refuseHeld(
    others.map(({ routes, ...scene }) => ({ ...scene, routes: routes.slice(0, 1) })),
    LONG_MS,
  )
})

test('every route accepts a write whose body arrives late if the caller keeps the right, and counts it once', async () => {
  const held = await prepareEach(sampleOf(4, writes.filter(kindFor)), async (route) => {
    const caller = await newCaller(app, kindFor(route) as Kind)
    const address = await halfSentAddress(app, caller, route)
    const { headers } = await sendWhole(caller, route, `${route.path}?unknown=1`)
    return {
      route,
      counted: Number(headers.get('x-ratelimit-remaining')),
      request: await sendHalf(caller, route, address),
    }
  })
  await decided(held.length)
  const refusals =
    /^(?:Sign in first|This API key|There is no such organization|Only |This organization demands|The role|This key lacks)/
  await prepareEach(held, async ({ route, counted, request }) => {
    const { status, body, headers } = await request.finish()
    expect(status, route.name).not.toBe(401)
    expect(body.error?.message ?? '', route.name).not.toMatch(refusals)
    expect(Number(headers.get('x-ratelimit-remaining')), route.name).toBe(counted - 1)
  })
})

test('K14: on public routes a session that ends before the body arrives is ignored', async () => {
  const organization = await app.createOrganization()
  const owner = await sessionOf(app, organization.owner, organization)
  const person = await app.createUser()
  const { data } = (
    await owner.post('/api/web/organizations/current/members/invite', { email: person.email, role: 'admin' })
  ).body
  const client = await sessionOf(app, person, organization)
  const route = writes.find(({ endpoint }) => endpoint.id === 'acceptInvitation') as Mounted
  const body = { token: invitationToken(app.platform.keys, data.id, 1) }
  const request = await sendHalf({ client }, route, route.path, body)
  await decided(1)
  expect((await client.post('/api/auth/sign-out')).status).toBe(200)
  const before = await state()
  const { status, text } = await request.finish()
  const anonymous = await sendWhole({ client: app.anonymous }, route, route.path, body)
  expect({ status, text }).toEqual({ status: anonymous.status, text: anonymous.text })
  expect(status).toBe(409)
  expect(await state()).toEqual(before)
})
