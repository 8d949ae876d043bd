import type { TestClient, TestResponse } from '../app/test-client.ts'
import type { DnsServer } from '../network/dns-server.ts'
import type { Proxy } from '../network/proxies.ts'
import type { Receiver } from '../races/receiver.ts'
import { ended, portScan } from '../scans/scans.ts'

/**
 * The surroundings of a way out: an engagement, a caller who may send from it, and a canary that must not be reached.
 */
export interface Walk {
  client: TestClient
  /** The prefix of the client's door. */
  prefix: '/api/v1' | '/api/web'
  owner: TestClient
  engagementId: string
  dns: DnsServer
  /** Reached by everything that is sent. */
  canary: Receiver
  canaryAddress: string
  /** In scope: answers `/to/URL` with a redirect, and anything else with the address of the canary. */
  gate: Receiver
  proxies: Record<'http' | 'https' | 'socks5', Proxy>
  /** A name that resolves to an address. */
  named(address: string, type?: 'A' | 'AAAA'): string
}

export interface Way {
  /** The pattern of a rule about this way; the address of the canary by default. */
  denied?(walk: Walk): string
  /** Prepares the way. @returns a function that sends, and waits for the end */
  prepare(walk: Walk): Promise<() => Promise<TestResponse>>
}

const create = async ({ owner, engagementId }: Walk, path: string, body: object): Promise<string> => {
  const {
    status,
    body: answer,
    text,
  } = await owner.post(`/api/web/${path}`, { engagementId, name: 'Way out', ...body })
  if (status !== 201) throw new Error(text)
  return answer.data.id
}

const OPTIONS = { followRedirects: 'yes', timeoutMs: 30_000, verifyTls: false }

const send = ({ client, prefix, engagementId }: Walk, request: object, more: object = {}) =>
  client.post(`${prefix}/api-requests/send`, { engagementId, request: { options: OPTIONS, ...request }, ...more })

const at = (host: string, { port }: Receiver, path = '/') => `http://${host}:${port}${path}`

const through = (proxyOf: (walk: Walk) => string, targetOf: (walk: Walk) => string): Way => ({
  prepare: async (walk) => {
    const environmentId = await create(walk, 'environments', { proxy: proxyOf(walk) })
    const url = targetOf(walk)
    return () => send(walk, { url }, { environmentId })
  },
})

/** Through an allowed proxy to the canary. */
const toCanary = (scheme: 'http' | 'https' | 'socks5') =>
  through(
    ({ proxies }) => proxies[scheme].origin,
    ({ named, canaryAddress, canary }) => at(named(canaryAddress), canary),
  )

/** Through the canary as a proxy to an allowed address. */
const asProxy = (scheme: 'http' | 'https' | 'socks5') =>
  through(
    ({ canaryAddress, canary }) => `${scheme}://${canaryAddress}:${canary.port}`,
    ({ named, gate }) => at(named('127.0.8.10'), gate),
  )

const sequence = (urlsOf: (walk: Walk) => [string, string], captures: object[] = []): Way => ({
  prepare: async (walk) => {
    const folderId = await create(walk, 'request-folders', {})
    const [first, second] = urlsOf(walk)
    await create(walk, 'api-requests', { folderId, url: first, captures, options: OPTIONS })
    await create(walk, 'api-requests', { folderId, url: second, options: OPTIONS })
    return () => walk.client.post(`${walk.prefix}/request-folders/${folderId}/execute`, {})
  },
})

/** Ways of executed requests. Each waits for a name server or for the gate before it reaches the canary. */
export const REQUEST_WAYS: Record<string, Way> = {
  'a request': {
    prepare: async (walk) => {
      const url = at(walk.named(walk.canaryAddress), walk.canary)
      return () => send(walk, { url })
    },
  },
  'a saved request': {
    prepare: async (walk) => {
      const id = await create(walk, 'api-requests', {
        url: at(walk.named(walk.canaryAddress), walk.canary),
        options: OPTIONS,
      })
      return () => walk.client.post(`${walk.prefix}/api-requests/${id}/execute`, {})
    },
  },
  'a redirect hop': {
    prepare: async (walk) => () =>
      send(walk, { url: `${walk.gate.origin}/to/${encodeURIComponent(`${walk.canary.origin}/`)}` }),
  },
  'a written Host': {
    denied: () => 'denied.ways.test',
    prepare: async (walk) => {
      const url = at(walk.named(walk.canaryAddress), walk.canary)
      return () => send(walk, { url, headers: [{ name: 'Host', value: 'Denied.ways.test:8080', enabled: true }] })
    },
  },
  'IPv4 within IPv6': {
    prepare: async (walk) => {
      const url = at(walk.named(`::ffff:${walk.canaryAddress}`, 'AAAA'), walk.canary)
      return () => send(walk, { url })
    },
  },
  'an HTTP proxy': toCanary('http'),
  'an HTTPS proxy': toCanary('https'),
  'a SOCKS proxy': toCanary('socks5'),
  'the connection to an HTTP proxy': asProxy('http'),
  'the connection to an HTTPS proxy': asProxy('https'),
  'the connection to a SOCKS proxy': asProxy('socks5'),
  'the second request of a sequence': sequence(({ gate, canary }) => [`${gate.origin}/first`, `${canary.origin}/`]),
  'a captured address': sequence(
    ({ gate }) => [`${gate.origin}/first`, '{{where}}'],
    [{ variable: 'where', from: 'json', path: '$.canary' }],
  ),
}

const scan = (stepOf: (walk: Walk) => object, valueOf: (walk: Walk) => string): Way => ({
  prepare: async (walk) => {
    const { client, prefix, engagementId } = walk
    const targetId = await create(walk, 'targets', { value: valueOf(walk), name: undefined })
    return async () => {
      const started = await client.post(`${prefix}/scans`, {
        engagementId,
        scanners: [stepOf(walk)],
        targets: { ids: [targetId] },
      })
      if (started.status === 201) await ended(walk.owner, started.body.data.id, '/api/web')
      return started
    }
  },
})

/** Ways of scans. */
export const SCAN_WAYS: Record<string, Way> = {
  'the scanner ports': scan(
    ({ canary }) => portScan([canary.port]),
    ({ canaryAddress }) => canaryAddress,
  ),
  'the scanner http': scan(
    () => ({ id: 'http', options: { timeoutMs: 2_000 } }),
    ({ canary }) => `${canary.origin}/`,
  ),
  'the scanner tls': scan(
    () => ({ id: 'tls' }),
    ({ canary, canaryAddress }) => `${canaryAddress}:${canary.port}`,
  ),
  'the scanner nmap': scan(
    () => ({ id: 'nmap', options: { profile: 'quick' } }),
    ({ canary, canaryAddress }) => `${canaryAddress}:${canary.port}`,
  ),
  'a redirect that the scanner http follows': scan(
    () => ({ id: 'http', options: { timeoutMs: 10_000 } }),
    ({ gate, canary }) => `${gate.origin}/to/${encodeURIComponent(`${canary.origin}/`)}`,
  ),
}
