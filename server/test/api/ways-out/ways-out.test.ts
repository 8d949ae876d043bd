import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { DnsServer } from '../../support/network/dns-server.ts'
import { httpProxy, socksProxy } from '../../support/network/proxies.ts'
import { trustTestAuthority } from '../../support/network/tls-side.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'
import { REQUEST_WAYS, SCAN_WAYS, type Walk, type Way } from '../../support/ways-out/ways-out.ts'

const CANARY = '127.0.8.1'
/** In EGRESS_DENY. */
const DENIED_CANARY = '127.0.8.66'
/** Longer than rules may be cached. */
const A_SECOND_MS = 1_000

let app: TestApp
let owner: TestClient
let shared: TestClient
let dns: DnsServer
let gate: Receiver
let canaries: Record<typeof CANARY | typeof DENIED_CANARY, Receiver>
let proxies: Walk['proxies']
let distrust: () => void
/** Runs once a way has started, before it reaches the canary. */
let meanwhile: () => Promise<void> = async () => undefined
/** The canary that the gate names. */
let named: keyof typeof canaries = CANARY
let names = 0

beforeAll(async () => {
  distrust = trustTestAuthority()
  dns = await DnsServer.start()
  dns.before = (name) => (name.endsWith('.ways.test') ? meanwhile() : undefined)
  gate = await startReceiver(({ url }, response) => {
    void meanwhile().then(() => {
      if (url.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end()
      else response.end(JSON.stringify({ canary: `${canaries[named].origin}/` }))
    })
  }, '127.0.8.10')
  const port = gate.port
  canaries = {
    [CANARY]: await startReceiver((_request, response) => response.end('reached'), CANARY),
    [DENIED_CANARY]: await startReceiver((_request, response) => response.end('reached'), DENIED_CANARY, port),
  }
  proxies = { http: await httpProxy(), https: await httpProxy({ tls: 'trusted' }), socks5: await socksProxy() }
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8', EGRESS_DENY: DENIED_CANARY, DNS_SERVERS: dns.address } })
  owner = await app.signedIn('owner')
  shared = await app.withKey(SCOPE_NAMES)
})
afterAll(async () => {
  distrust()
  await app.close()
  for (const side of [gate, ...Object.values(canaries), ...Object.values(proxies)]) await side.close()
  await dns.stop()
})

interface Sender {
  client: TestClient
  prefix: Walk['prefix']
  /** Revokes the right to send. */
  revoke(): Promise<{ status: number }>
}

/** The sender for all rules that do not concern the key. */
const sharedKey = async (): Promise<Sender> => ({
  client: shared,
  prefix: '/api/v1',
  revoke: () => Promise.reject(new Error('others use it')),
})
const keyOf = async (): Promise<Sender> => {
  const client = await app.withKey(SCOPE_NAMES)
  return { client, prefix: '/api/v1', revoke: () => owner.delete(`/api/web/api-keys/${client.keyId}`) }
}
const memberOf = async (): Promise<Sender> => {
  const client = await app.signedIn('member')
  return {
    client,
    prefix: '/api/web',
    revoke: () => owner.delete(`/api/web/organizations/current/members/${client.user.id}`),
  }
}

interface Rule {
  /** A shared sender, unless the rule concerns it. */
  sender?: () => Promise<Sender>
  canary?: typeof DENIED_CANARY
  /** Blocks all further sending. */
  apply?(walk: Walk, way: Way, sender: Sender): Promise<{ status: number }>
}

const engagement = ({ engagementId }: Walk) => `/api/web/engagements/${engagementId}`

const RULES: Record<string, Rule> = {
  'a scope rule denies it': {
    apply: (walk, way) =>
      owner.post('/api/web/scope-rules', {
        engagementId: walk.engagementId,
        effect: 'deny',
        pattern: way.denied?.(walk) ?? walk.canaryAddress,
      }),
  },
  'the testing hours are over': {
    apply: (walk) => owner.patch(`${engagement(walk)}/details`, { endsOn: '2020-01-01' }),
  },
  'the engagement is completed': { apply: (walk) => owner.patch(engagement(walk), { status: 'completed' }) },
  'the member is removed': { sender: memberOf, apply: (_walk, _way, { revoke }) => revoke() },
  'the key is deleted': { sender: keyOf, apply: (_walk, _way, { revoke }) => revoke() },
  'the egress policy denies it': { canary: DENIED_CANARY },
}

/** An engagement in which everything is allowed that the ways reach. */
const walkFor = async ({ client, prefix }: Sender, canaryAddress: keyof typeof canaries = CANARY): Promise<Walk> => {
  named = canaryAddress
  const engagementId: string = (await owner.post('/api/web/engagements', { name: 'Ways out' })).body.data.id
  for (const pattern of ['127.0.8.0/24', '*.ways.test'])
    await owner.post('/api/web/scope-rules', { engagementId, effect: 'allow', pattern })
  const nameOf: Walk['named'] = (address, type = 'A') => {
    const name = `name-${++names}.ways.test`
    dns.addresses.set(name, (asked) => (asked === type ? [address] : []))
    return name
  }
  return {
    client,
    prefix,
    owner,
    engagementId,
    dns,
    canary: canaries[canaryAddress],
    canaryAddress,
    gate,
    proxies,
    named: nameOf,
  }
}

/** The number of entries about the canary in the operation log. */
const logged = async ({ engagementId, canaryAddress }: Walk): Promise<number> =>
  (await owner.get(`/api/web/operations?engagementId=${engagementId}&address=${canaryAddress}`)).body.meta.total

const applied = async (rule: Rule, walk: Walk, way: Way, sender: Sender): Promise<void> => {
  const status = (await rule.apply?.(walk, way, sender))?.status ?? 200
  if (status >= 300) throw new Error(`the rule answered ${status}`)
}

const WAYS = { ...REQUEST_WAYS, ...SCAN_WAYS }
/** Ways that wait before they reach the canary: rules that hold during the wait also hold from the start. */
const WAITING: Record<string, Way> = {
  ...REQUEST_WAYS,
  'a redirect that the scanner http follows': SCAN_WAYS['a redirect that the scanner http follows'] as Way,
}
const CHANGES = Object.entries(RULES).filter(([, { apply }]) => apply)
const FROM_THE_BEGINNING = ['a scope rule denies it', 'the egress policy denies it']

describe.each(Object.entries(WAYS))('T14, T15: %s', (name, way) => {
  const isAsked = ([rule]: [string, Rule]) => !(name in WAITING) || FROM_THE_BEGINNING.includes(rule)

  test('reaches the canary if every rule allows it', async () => {
    const walk = await walkFor(await sharedKey())
    const before = walk.canary.connections
    const send = await way.prepare(walk)
    const { status, text } = await send()
    expect(status, text).toBe(201)
    expect(await logged(walk)).toBeGreaterThan(0)
    // With root rights nmap opens no connection, and only detects that it could.
    if (name !== 'the scanner nmap') expect(walk.canary.connections, text).toBeGreaterThan(before)
  })

  test.each(Object.entries(RULES).filter(isAsked))('sends nothing when %s', async (_ruleName, rule) => {
    const sender = await (rule.sender ?? sharedKey)()
    const walk = await walkFor(sender, rule.canary)
    const before = walk.canary.connections
    const send = await way.prepare(walk)
    await applied(rule, walk, way, sender)
    await send()
    expect([walk.canary.connections, await logged(walk)]).toEqual([before, 0])
  })
})

describe.each(Object.entries(WAITING))('%s in progress', (_name, way) => {
  test.each(CHANGES)('sends nothing more once %s', async (_ruleName, rule) => {
    const sender = await (rule.sender ?? sharedKey)()
    const walk = await walkFor(sender)
    const send = await way.prepare(walk)
    const before = walk.canary.connections
    let isChanged = false
    meanwhile = async () => {
      meanwhile = async () => undefined
      await applied(rule, walk, way, sender)
      app.clock.advance(A_SECOND_MS)
      isChanged = true
    }
    const { status } = await send().finally(() => {
      meanwhile = async () => undefined
    })
    expect(isChanged).toBe(true)
    expect(status).toBe(201)
    expect([walk.canary.connections, await logged(walk)]).toEqual([before, 0])
  })
})
