import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import { DOOR_PATHS } from '@sortie/contract/core/endpoint.ts'
import { SCOPE_NAMES, type Scope, scopesOfRole } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variantsFor } from '../support/app/nightly.ts'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import type { TestClient } from '../support/app/test-client.ts'
import { checksums } from '../support/inputs/snapshot.ts'
import {
  addressOf,
  allScopesBut,
  atOneDoor,
  bodyOf,
  isWrite,
  type Mounted,
  mountedRoutes,
  pathOf,
} from '../support/walks/walk.ts'

/** Public routes. A new line here needs a decision. */
const PUBLIC = new Set([
  'acceptInvitation',
  'inspectInvitation',
  'signIn',
  'signInWithSecondFactor',
  'startPasskeySignIn',
  'signInWithPasskey',
  'getSignInMode',
  'startSingleSignOn',
  'finishSingleSignOn',
  'signOut',
  'requestBrowserConfirmation',
  'confirmBrowser',
  'requestPasswordReset',
  'inspectPasswordReset',
  'resetPassword',
])

/** Served in addition to the contract, mounted by hand. */
const OUTSIDE_THE_CONTRACT =
  /^(?:(?:GET|HEAD) \/(?:api\/health(?:\/live|\/doctor(?:\/stream)?)?|metrics|api\/v1\/openapi\.json|api\/(?:cli|mcp|oauth\/authorize)|api\/docs(?:\/.*)?|(?!api\/).*)|POST \/api\/(?:(?:billing|code-hosting)\/webhook|oauth\/(?:device|token)|health\/doctor\/upload|mcp)|DELETE \/api\/mcp)$/

let app: TestApp
let routes: Mounted[]
let owner: TestClient
let admin: TestClient
let member: TestClient
const keys = new Map<string, Promise<TestClient & { value: string }>>()
const keyWith = (scopes: readonly Scope[]) => {
  const name = scopes.join()
  const key = keys.get(name) ?? app.withKey(scopes)
  keys.set(name, key)
  return key
}

beforeAll(async () => {
  app = await testApp({ workers: false })
  routes = mountedRoutes(app)
  ;[owner, admin, member] = await Promise.all([app.signedIn('owner'), app.signedIn('admin'), app.signedIn('member')])
})
afterAll(() => app.close())

const send = (client: TestClient, route: Mounted, body = bodyOf(route)) =>
  client.request(route.method, addressOf(route), { body })

describe('A13: the table of routes', () => {
  test('A13: the mounted routes are exactly those that the contract declares', () => {
    expect(app.routes.map(({ endpoint }) => endpoint.id).sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort())
    expect(new Set(ENDPOINTS.map(({ id }) => id)).size).toBe(ENDPOINTS.length)
  })

  test('A13: the server answers only at paths of the contract and those listed here', () => {
    const declared = new Set(routes.map(({ name }) => name))
    const served = servedRoutes()
    expect(
      served.filter((name) => !declared.has(name.replace(/^HEAD /, 'GET ')) && !OUTSIDE_THE_CONTRACT.test(name)),
    ).toEqual([])
    expect([...declared].filter((name) => !served.includes(name))).toEqual([])
  })

  test('A13: only sign-in, mailed links and sign-out are public', () => {
    expect(routes.filter(({ requirement }) => requirement === 'public').map(({ endpoint }) => endpoint.id)).toSatisfy(
      (ids: string[]) => ids.every((id) => PUBLIC.has(id)),
    )
    expect(routes.filter(({ requirement, door }) => requirement === 'public' && door === 'key')).toEqual([])
  })

  test('A13: each scope is a known one, and keys are checked only by scopes', () => {
    for (const { requirement, door, name } of routes) {
      if (typeof requirement === 'object' && 'scope' in requirement)
        expect(SCOPE_NAMES, name).toContain(requirement.scope)
      if (door === 'key')
        expect(requirement === 'any' || (typeof requirement === 'object' && 'scope' in requirement), name).toBe(true)
    }
  })
})

/** Routes such as `GET /api/health`, read from the router. */
const servedRoutes = (): string[] => {
  const found: string[] = []
  const parents: string[] = []
  for (const line of app.http.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^((?:│ {3}| {4})*)(?:├|└)── (.*?)(?: \((.*)\))?$/.exec(line)
    if (!match) continue
    const depth = (match[1] as string).length / 4
    parents.length = depth
    parents.push(match[2] as string)
    for (const method of match[3]?.split(', ') ?? []) found.push(`${method} ${parents.join('')}`)
  }
  return found
}

describe('without credentials', () => {
  test('every non-public route answers 401 and changes nothing', async () => {
    const before = await checksums(app.db)
    let covered = 0
    for (const route of routes) {
      if (route.requirement === 'public') continue
      const { status, headers } = await send(app.anonymous, route)
      expect(status, route.name).toBe(401)
      if (route.door === 'key') expect(headers.get('www-authenticate'), route.name).toBe('Bearer')
      covered++
    }
    expect(covered).toBe(routes.filter(({ requirement }) => requirement !== 'public').length)
    expect(covered).toBeGreaterThanOrEqual(25)
    expect(await checksums(app.db)).toEqual(before)
  })

  test('K13: a cookie opens no route of the key door', async () => {
    for (const route of routes.filter(({ door }) => door === 'key'))
      expect((await send(owner, route)).status, route.name).toBe(401)
  })

  test('K13, K4: a key with every scope opens no route of the other doors', async () => {
    const { value } = await keyWith(SCOPE_NAMES)
    const client = app.anonymous.with({
      authorization: `Bearer ${value}`,
      'x-organization': app.organization.id,
      'x-api-key': value,
    })
    for (const route of routes.filter(({ door, requirement }) => door !== 'key' && requirement !== 'public')) {
      expect((await send(client, route)).status, route.name).toBe(401)
    }
  })

  test('K2: identities and permissions in a body or query grant nothing', async () => {
    const claims = {
      userId: app.organization.owner.id,
      organizationId: app.organization.id,
      orgId: app.organization.id,
      scopes: SCOPE_NAMES,
      role: 'owner',
      rateLimit: 0,
    }
    const before = await checksums(app.db)
    for (const route of routes) {
      if (route.requirement === 'public') continue
      const { status } = await app.anonymous.request(
        route.method,
        `${pathOf(route)}?userId=${claims.userId}&role=owner`,
        {
          ...(isWrite(route) && { body: { ...(bodyOf(route) as object), ...claims } }),
        },
      )
      expect(status, route.name).toBe(401)
    }
    expect(await checksums(app.db)).toEqual(before)
  })
})

describe('without the permission', () => {
  test('K6: every route answers a key with all scopes except the required one with 403 and does nothing', async () => {
    for (const { requirement } of routes)
      if (typeof requirement === 'object' && 'scope' in requirement) await keyWith(allScopesBut(requirement.scope))
    const before = await checksums(app.db)
    const covered: string[] = []
    for (const route of routes) {
      const { requirement } = route
      if (route.door !== 'key' || typeof requirement !== 'object' || !('scope' in requirement)) continue
      const { status, body } = await send(await keyWith(allScopesBut(requirement.scope)), route)
      expect(status, route.name).toBe(403)
      expect(body.error.message).toBe(`This key lacks the scope ${requirement.scope}.`)
      covered.push(route.name)
    }
    expect(covered).toEqual(
      routes.filter(({ door, requirement }) => door === 'key' && requirement !== 'any').map(({ name }) => name),
    )
    expect(covered.length).toBeGreaterThanOrEqual(10)
    expect(await checksums(app.db)).toEqual(before)
  })

  test('K6: every route lets a key with only the required scope through', async () => {
    for (const route of routes) {
      const { requirement } = route
      if (route.door !== 'key' || typeof requirement !== 'object' || !('scope' in requirement)) continue
      const { status } = await send(await keyWith([requirement.scope]), route)
      // 422: the sample body names an unknown engagement. The bytes of a file are checked after authorization.
      const behind = route.endpoint.consumes === 'bytes' ? [400] : []
      expect([200, 201, 404, 409, 422, ...behind], `${route.name} answered ${status}`).toContain(status)
    }
  })

  test('A3, K7: every route of the web door answers a role without the required permission with 403', async () => {
    const covered: string[] = []
    for (const route of routes.filter(({ door, ofOrganization }) => door === 'web' && ofOrganization)) {
      for (const client of refusedOf(route)) {
        const { status } = await send(client, route)
        expect(status, route.name).toBe(403)
        covered.push(route.name)
      }
    }
    expect(covered).toEqual(
      expect.arrayContaining([
        'POST /api/web/api-keys',
        'GET /api/web/audit',
        'POST /api/web/organizations/current/transfer-ownership',
      ]),
    )
    expect(covered.length).toBeGreaterThanOrEqual(12)
  })

  test('only an instance administrator passes where one is required', async () => {
    const routesOfInstance = routes.filter(({ requirement }) => requirement === 'instance-admin')
    const administrator = await app.signIn(await app.createUser('Instance administrator', { isInstanceAdmin: true }))
    for (const route of routesOfInstance) {
      expect((await send(owner, route)).status, route.name).toBe(403)
      expect([401, 403], route.name).not.toContain((await send(administrator, route)).status)
    }
    const foreign = administrator.with({ 'x-organization': app.organization.id })
    for (const route of routes.filter(({ door, ofOrganization }) => door === 'web' && ofOrganization)) {
      expect((await send(foreign, route)).status, `${route.name}: administering the instance is not a membership`).toBe(
        404,
      )
    }
  })

  const refusedOf = ({ requirement }: Mounted): TestClient[] => {
    if (typeof requirement !== 'object') return []
    if (requirement.role === 'member') return []
    if ('scope' in requirement) return scopesOfRole('member').includes(requirement.scope) ? [] : [member]
    return requirement.role === 'owner' ? [member, admin] : [member]
  }
})

describe('the order of checks (open point 13)', () => {
  /** A request with every fault at once; the faults are fixed in the order of the checks. */
  const faults = (route: Mounted) => ({
    query: `${pathOf(route)}?unknown=1`,
    path: pathOf(route),
    badBody: { ...(bodyOf(route) as object), unknown: 1 },
  })

  test('401 before everything else', async () => {
    for (const route of routes.filter(({ requirement }) => requirement !== 'public')) {
      const { query, badBody } = faults(route)
      expect(
        (await app.anonymous.request(route.method, query, isWrite(route) ? { body: badBody } : {})).status,
        route.name,
      ).toBe(401)
    }
  })

  test('403 before 400, 422 and 404', async () => {
    for (const route of routes) {
      const { requirement } = route
      if (route.door !== 'key' || typeof requirement !== 'object' || !('scope' in requirement)) continue
      const { query, badBody } = faults(route)
      const client = await keyWith(allScopesBut(requirement.scope))
      expect(
        (await client.request(route.method, query, isWrite(route) ? { body: badBody } : {})).status,
        route.name,
      ).toBe(403)
    }
  })

  test('400 before 422 and 404; 422 before 404; 404 before 409', async () => {
    const key = await keyWith(SCOPE_NAMES)
    const covered = { query: 0, body: 0, id: 0 }
    for (const route of atOneDoor(routes)) {
      const client = route.door === 'key' ? key : owner
      if (route.requirement === 'public' || route.requirement === 'instance-admin') continue
      const { query, path, badBody } = faults(route)
      expect(
        (await client.request(route.method, query, isWrite(route) ? { body: badBody } : {})).status,
        `${route.name}: query`,
      ).toBe(400)
      covered.query++
      if (route.endpoint.body) {
        expect((await client.request(route.method, path, { body: badBody })).status, `${route.name}: body`).toBe(422)
        covered.body++
      }
      if (Object.keys(route.endpoint.params.properties).length > 0) {
        expect((await send(client, route)).status, `${route.name}: id`).toBe(404)
        covered.id++
      }
    }
    expect(covered.query).toBeGreaterThanOrEqual(25)
    expect(covered.body).toBeGreaterThanOrEqual(8)
    expect(covered.id).toBeGreaterThanOrEqual(8)
  })
})

describe('the web door', () => {
  test('without X-Organization 400, with an unknown or malformed one 404', async () => {
    const { id } = await app.createOrganization()
    for (const route of routes.filter(({ door, ofOrganization }) => door === 'web' && ofOrganization)) {
      const unnamed = app.anonymous.with({ cookie: owner.headers.cookie as string })
      expect((await send(unnamed, route)).status, route.name).toBe(400)
      for (const name of variantsFor(route.name, 6, [
        id,
        '*',
        'current',
        '',
        `${app.organization.id}, ${id}`,
        app.organization.id.toUpperCase(),
      ])) {
        expect((await send(unnamed.with({ 'x-organization': name }), route)).status, `${route.name} ${name}`).toBe(404)
      }
    }
  })

  test('C1: every route answers a write from another origin with 403 and does nothing', async () => {
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${app.origin}.evil.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ]
    const before = await checksums(app.db)
    let covered = 0
    for (const route of routes.filter((candidate) => candidate.door !== 'key' && isWrite(candidate))) {
      for (const headers of variantsFor(route.name, 3, foreign)) {
        expect((await send(owner.with(headers), route)).status, `${route.name} ${JSON.stringify(headers)}`).toBe(403)
        covered++
      }
    }
    expect(covered).toBeGreaterThanOrEqual(60)
    expect(await checksums(app.db)).toEqual(before)
  })

  test('every path is below the door that guards it', () => {
    for (const { path, door } of routes) expect(path.startsWith(`${DOOR_PATHS[door]}/`)).toBe(true)
  })
})
