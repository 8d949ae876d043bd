import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { checksums } from '../../support/inputs/snapshot.ts'
import { addressOf, bodyOf, type Mounted, mountedRoutes, onlyNeeded, sampleOf } from '../../support/walks/walk.ts'

const REFUSAL =
  'This key is limited to engagements, and this endpoint is about the organization. Use a key without that limit.'

let app: TestApp
let routes: Mounted[]
let engagementId: string
let limited: TestClient
let unlimited: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  routes = mountedRoutes(app).filter(({ door }) => door === 'key')
  const owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'The only one' })).body.data.id
  const keyFor = async (engagementIds?: string[]) => {
    const wanted = { name: 'key', environment: 'live', scopes: SCOPE_NAMES, ...(engagementIds && { engagementIds }) }
    return app.anonymous.with({
      authorization: `Bearer ${(await owner.post('/api/web/api-keys', wanted)).body.data.value}`,
    })
  }
  limited = await keyFor([engagementId])
  unlimited = await keyFor()
})
afterAll(() => app.close())

const isAboutOrganization = ({ endpoint }: Mounted) => endpoint.about === 'organization'

/** The endpoints among these that do not refuse the client for its limit. */
const opened = async (client: TestClient, asked: readonly Mounted[]): Promise<string[]> => {
  const found: string[] = []
  for (const route of asked) {
    const { status, body } = await client.request(route.method, addressOf(route), { body: bodyOf(route) })
    if (status !== 403 || body.error.message !== REFUSAL) found.push(route.name)
  }
  return found
}

describe('T7: a key that is limited to engagements', () => {
  test('is refused by every endpoint about the organization, and nothing changes', async () => {
    const asked = routes.filter(isAboutOrganization)
    const before = await checksums(app.db)
    expect(await opened(limited, asked)).toEqual([])
    expect(await checksums(app.db)).toEqual(before)
    expect(asked.map(({ endpoint }) => endpoint.id)).toEqual(
      expect.arrayContaining([
        'inviteMember',
        'changeMemberRole',
        'removeMember',
        'listMembers',
        'updateOrganization',
        'createEngagement',
        'createMethodology',
      ]),
    )
  })

  test('is refused by no endpoint about engagements', async () => {
    // One ends the key with which the others are called.
    const others = routes.filter((route) => !isAboutOrganization(route) && route.endpoint.id !== 'deleteMyKey')
    expect(await opened(limited, others)).toEqual(others.map(({ name }) => name))
  })

  test('is refused only for its limit: a key without it passes the same walk', async () => {
    const harmless = routes.filter((route) => isAboutOrganization(route) && route.method === 'GET')
    expect(harmless.length).toBeGreaterThan(0)
    expect(await opened(unlimited, harmless)).toEqual(harmless.map(({ name }) => name))
  })

  test('creates nothing that belongs to the organization through an endpoint about either', async () => {
    const creating = routes.filter(({ endpoint, method }) => {
      const fields = { ...endpoint.query.properties, ...endpoint.body?.properties }
      return (
        endpoint.about === 'either' &&
        method === 'POST' &&
        'engagementId' in fields &&
        !isNeeded(endpoint.body, 'engagementId')
      )
    })
    expect(creating.map(({ endpoint }) => endpoint.id)).toEqual(
      expect.arrayContaining(['createWikiPage', 'createApiRequest', 'createEnvironment', 'sendRequest']),
    )
    const before = await checksums(app.db)
    for (const route of creating) {
      const { endpoint } = route
      const body = endpoint.body && sampleOf(onlyNeeded(endpoint.body))
      const file = endpoint.consumes === 'bytes' ? { rawBody: 'curl https://example.com/' } : {}
      const { status, text } = await limited.request(
        route.method,
        addressOf(route).replace(/[?&]engagementId=[^&]*/, ''),
        {
          ...(body !== undefined && { body }),
          ...file,
        },
      )
      expect([400, 403, 404, 422], `${route.name} ${text}`).toContain(status)
    }
    expect(await checksums(app.db)).toEqual(before)
  })
})

const isNeeded = (schema: unknown, name: string): boolean =>
  ((schema as { required?: string[] } | undefined)?.required ?? []).includes(name)

describe('the object that endpoints declare', () => {
  test('accounts and the server itself belong to the instance, and no key opens them', () => {
    for (const { id, about, scope, doors } of ENDPOINTS) {
      expect(about === 'instance', id).toBe(['public', 'session', 'instance-admin'].includes(scope))
      if (about === 'instance') expect(doors, id).not.toContain('key')
    }
  })

  test('members, settings, keys, audit and billing belong to the organization; reading its name and plan is not refused, and holds are of engagements', () => {
    const ofOrganization = ENDPOINTS.filter(
      ({ scope }) => scope.startsWith('organizations:') || scope.startsWith('role:'),
    )
    expect(ofOrganization.filter(({ about }) => about !== 'organization').map(({ id }) => id)).toEqual([
      'getOrganization',
      'holdEngagement',
      'releaseEngagementHold',
    ])
  })
})
