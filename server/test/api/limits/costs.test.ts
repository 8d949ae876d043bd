import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const EXPORT = '/api/web/audit/export'
const HOUR_MS = 60 * 60 * 1000

let app: TestApp
beforeAll(async () => {
  app = await testApp({ workers: false, costs: true })
})
afterAll(() => app.close())

const newOwner = async (): Promise<{ owner: TestClient; organization: TestOrganization }> => {
  const organization = await app.createOrganization()
  return { owner: await app.signedIn('owner', organization), organization }
}

const costOf = (id: string) => {
  const cost = app.routes.find(({ endpoint }) => endpoint.id === id)?.endpoint.cost
  if (!cost) throw new Error(`${id} has no cost`)
  return cost
}

test('R7: every route that makes a document, searches or asks another server has a cost', () => {
  const expensive = app.routes.filter(
    ({ endpoint }) =>
      typeof endpoint.produces === 'object' || 'search' in endpoint.query.properties || endpoint.id === 'checkDomain',
  )
  expect(expensive.length).toBeGreaterThanOrEqual(4)
  expect(expensive.filter(({ endpoint }) => !endpoint.cost).map(({ endpoint }) => endpoint.id)).toEqual([])
  for (const { endpoint } of app.routes.filter((route) => route.endpoint.cost)) {
    // Without a caller there is nothing to count for.
    expect(endpoint.scope, endpoint.id).not.toBe('public')
    const { onlyWith } = endpoint.cost as { onlyWith?: string }
    if (onlyWith) expect(Object.keys(endpoint.query.properties)).toContain(onlyWith)
  }
})

test('R7: one export over the hourly limit is 429 with the rate headers and Retry-After; another organization and other requests continue; after an hour the limit is available again', async () => {
  const { owner, organization } = await newOwner()
  const { perHour } = costOf('exportAuditEntries')
  for (let n = 0; n < perHour; n++) expect((await owner.get(EXPORT)).status).toBe(200)
  const refused = await owner.get(EXPORT)
  expect(refused.status).toBe(429)
  expect(refused.body.error).toEqual({
    code: 'RATE_LIMITED',
    message: `The limit is ${perHour} of these requests per hour.`,
    statusCode: 429,
  })
  expect(refused.headers.get('x-ratelimit-limit')).toBe(String(perHour))
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
  const retryAfter = Number(refused.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThan(3_500)
  expect(retryAfter).toBeLessThanOrEqual(3_600)
  expect(Math.abs(Number(refused.headers.get('x-ratelimit-reset')) - app.clock.now() / 1000 - retryAfter)).toBeLessThan(
    10,
  )
  // A4: refused requests have changed nothing.
  expect((await owner.get('/api/web/audit?action=audit.exported&perPage=100')).body.data).toHaveLength(perHour)
  expect((await (await newOwner()).owner.get(EXPORT)).status).toBe(200)
  app.clock.advance(HOUR_MS)
  expect((await (await app.signIn(organization.owner, organization.id)).get(EXPORT)).status).toBe(200)
})

test('R7: a request that is refused for its query does not count', async () => {
  const { owner } = await newOwner()
  for (let n = 0; n < costOf('exportAuditEntries').perHour + 1; n++)
    expect((await owner.get(`${EXPORT}?surprise=1`)).status).toBe(400)
  expect((await owner.get(EXPORT)).status).toBe(200)
})

test('R7: searches of an administrator are counted, lists without a search are not', async () => {
  const admin = await app.signIn(await app.createUser(undefined, { isInstanceAdmin: true }))
  const { perHour } = costOf('listAccounts')
  await app.db
    .insertInto('throttle_buckets')
    .values({
      bucket: `cost:listAccounts:${admin.user.id}`,
      failures: perHour - 1,
      opened_at: new Date(app.clock.now()).toISOString(),
    })
    .execute()
  expect((await admin.get('/api/web/instance/accounts?search=a')).status).toBe(200)
  expect((await admin.get('/api/web/instance/accounts?search=a')).status).toBe(429)
  expect((await admin.get('/api/web/instance/accounts')).status).toBe(200)
  const other = await app.signIn(await app.createUser(undefined, { isInstanceAdmin: true }))
  expect((await other.get('/api/web/instance/accounts?search=a')).status).toBe(200)
})

describe('simultaneous exports', () => {
  /** Asks for an export and reads only its head: the server cannot finish. */
  const hold = async (client: TestClient): Promise<net.Socket> => {
    const { hostname, port } = new URL(app.origin)
    const socket = net.connect(Number(port), hostname)
    socket.on('error', () => undefined)
    const headers = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${EXPORT} HTTP/1.1\r\nHost: ${hostname}\r\n${headers.join('')}\r\n`)
    const [head] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    expect(head.toString()).toContain('HTTP/1.1 200 OK')
    return socket
  }

  test('R7: exports over the limit are 429 until one ends or its client disconnects; another organization is not affected', async () => {
    const { owner, organization } = await newOwner()
    // More than the sockets buffer.
    await app.asSuperuser(`insert into audit_entries (id, organization_id, actor_type, actor_name, action, object_type, after, created_at)
      select 'aud_' || lpad(n::text, 26, '0'), '${organization.id}', 'user', 'somebody', 'test.entry', 'test',
        jsonb_build_object('text', repeat('x', 4000)), now() from generate_series(1, 8000) n`)
    const { atOnce } = costOf('exportAuditEntries')
    const held: net.Socket[] = []
    for (let n = 0; n < atOnce; n++) held.push(await hold(owner))
    const refused = await owner.get(EXPORT)
    expect(refused.status).toBe(429)
    expect(refused.body.error.message).toBe(
      `Only ${atOnce} of these requests are processed at the same time. Try again when one has finished.`,
    )
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await (await newOwner()).owner.get(EXPORT)).status).toBe(200)
    held[0]?.destroy()
    const { text } = await eventually(async () => {
      const answer = await owner.get(`${EXPORT}?action=audit.exported`)
      expect(answer.status).toBe(200)
      return answer
    })
    expect(text.split('\r\n').length).toBeGreaterThan(atOnce)
    // The finished one has freed its slot, too.
    expect((await owner.get(`${EXPORT}?action=audit.exported`)).status).toBe(200)
    for (const socket of held) socket.destroy()
  })
})
