// Runs in a separate network namespace (`unshare --net`), where every address leads to this program. Executes requests
// that must be blocked, and prints as JSON what its canaries saw.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { toDefinition } from '../../../src/features/requests/saved/definition.ts'
import { buildRequest } from '../../../src/features/requests/sending/build/build-request.ts'
import { createVariables } from '../../../src/features/requests/sending/build/variables.ts'
import { outcomeOf } from '../../../src/features/requests/sending/failures.ts'
import { type Sent, send } from '../../../src/features/requests/sending/send.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { ApiError } from '../../../src/platform/errors.ts'
import { parseAddress } from '../../../src/platform/outbound/addresses.ts'
import { createOutbound, type Outbound, type OutboundSettings } from '../../../src/platform/outbound/outbound.ts'
import { ALWAYS_LIVE } from '../clients/always-live.ts'
import { DnsServer } from '../network/dns-server.ts'
import { carriersOf, NO_HOSTS, REFUSED_IPV4, REFUSED_IPV6, spellingsOf } from './egress-spellings.ts'

/** Public, and so allowed: an HTTP server that redirects, and a proxy. */
const GOOD = '8.8.8.8'
const AT_ONCE = 20

const run = (command: string, environment: Record<string, string> = {}) => {
  const { status, stderr } = spawnSync('sh', ['-ec', command], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  assert.equal(status, 0, `${command}: ${stderr}`)
}
run('ip link set lo up; ip route add local 0.0.0.0/0 dev lo; ip -6 route add local ::/0 dev lo')

/** Connections to refused addresses, and requests to the proxy at the good address. */
const seen = { canaries: 0, proxied: 0, good: 0 }
const server = createServer(({ url = '' }, response) => {
  // Bytes of UTF-8, as servers write them; a header contains no line break.
  const target = Buffer.from(
    decodeURIComponent(url.startsWith('/to/') ? url.slice(4) : '').replaceAll('\n', '\t'),
  ).toString('latin1')
  const location = target === '' ? {} : { location: target }
  response.writeHead(target === '' ? 204 : 302, { connection: 'close', ...location }).end()
})
server.on('connect', (_request, socket) => {
  seen.proxied++
  socket.destroy()
})
server.on('connection', ({ localAddress }) => seen[localAddress === `::ffff:${GOOD}` ? 'good' : 'canaries']++)
server.listen(80, '::')
await once(server, 'listening')

const SETTINGS: OutboundSettings = {
  PORT: 3001,
  METRICS_PORT: undefined,
  FRONTEND_URL: 'https://sortie.example.com',
  ALLOWED_HOSTS: undefined,
  DATABASE_URL: undefined,
  REDIS_URL: undefined,
  SMTP_URL: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  DNS_SERVERS: undefined,
  EGRESS_ALLOW: undefined,
  EGRESS_DENY: undefined,
}

interface Attempt {
  url: string
  variables?: Record<string, string>
  proxy?: string
}

/** The outcome of a request: a request that the API rejects (422) counts as refused. */
const attempt = async (outbound: Outbound, { url, variables = {}, proxy }: Attempt): Promise<string> => {
  const sent: Sent = {
    hops: [],
    attempts: [],
    timing: { dns: null, connect: null, tls: null, firstByte: null, total: null },
    answer: null,
  }
  try {
    const input = { url, options: { followRedirects: 'yes' as const, timeoutMs: 20_000 } }
    const { options, ...definition } = toDefinition(input)
    const wanted = { method: 'GET', url, ...definition, auth: { type: 'none' as const } }
    const request = await buildRequest(wanted, createVariables(variables), () =>
      Promise.reject(new Error('there are no files')),
    )
    const signal = new AbortController().signal
    const way = {
      outbound,
      clock: systemClock,
      checkHop: async () => () => undefined,
      options,
      proxy: proxy === undefined ? undefined : new URL(proxy),
      keptBytes: 0,
      signal,
    }
    await send(way, request, sent)
    return 'succeeded'
  } catch (error) {
    if (error instanceof ApiError) return 'refused'
    const outcome = outcomeOf(error)
    if (!outcome) throw error
    return outcome.state
  }
}

const attemptAll = async (outbound: Outbound, attempts: readonly Attempt[]) => {
  Object.assign(seen, { canaries: 0, proxied: 0, good: 0 })
  const outcomes: Record<string, number> = {}
  for (let at = 0; at < attempts.length; at += AT_ONCE) {
    for (const outcome of await Promise.all(attempts.slice(at, at + AT_ONCE).map((each) => attempt(outbound, each)))) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  }
  return { attempts: attempts.length, outcomes, ...seen }
}

const urlHost = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
const carried = REFUSED_IPV4.filter((ipv4) => !ipv4.startsWith('0.'))
const hosts = [
  ...new Set([...REFUSED_IPV4.flatMap(spellingsOf), ...carried.flatMap(carriersOf), ...REFUSED_IPV6].map(urlHost)),
]
const redirected = (target: string) => ({ url: `http://${GOOD}/to/${encodeURIComponent(target)}` })
const proxies = hosts.map((host) => `http://${host}`).filter((proxy) => URL.canParse(proxy))

/** Ways to make one parser see the good host, and another one this. */
const tricks = (host: string): string[] => [
  `http://${GOOD}@${host}/`,
  `http://${GOOD}:80@${host}/`,
  `http://${host}#@${GOOD}/`,
  `http://${host}?@${GOOD}/`,
  `http://${host}\\@${GOOD}/`,
  `http://${GOOD}\\@${host}/`,
  `http:\\\\${host}/`,
  `http:/${host}/`,
  `http:${host}/`,
  `http:////${host}/`,
  `HTTP://${host}:80/`,
  `http://${host}:00080/`,
  ` http://${host}/`,
  `ht\ntp://${host}/`,
  `http://${host}\t/`,
  `http://${GOOD}//${host}/`,
  `http://${GOOD}/http://${host}/`,
  `http://${GOOD}/..//${host}/`,
  `http://${GOOD}/\\${host}/`,
]
const locations = (host: string): string[] => [
  ...tricks(host),
  `//${host}/`,
  `\\\\${host}/`,
  `/\\${host}/`,
  `///${host}/`,
  `/\t/${host}/`,
]
const tricked = [
  '127.0.0.1',
  '169.254.169.254',
  '10.0.0.1',
  '[::1]',
  '2130706433',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a00:1]',
]

const byDefault = createOutbound(SETTINGS, ALWAYS_LIVE)
const vectors = {
  direct: await attemptAll(
    byDefault,
    hosts.map((host) => ({ url: `http://${host}/` })),
  ),
  variables: await attemptAll(
    byDefault,
    hosts.map((host) => ({ url: 'http://{{host}}/', variables: { host } })),
  ),
  redirects: await attemptAll(
    byDefault,
    hosts.map((host) => redirected(`http://${host}/`)),
  ),
  proxied: await attemptAll(
    byDefault,
    hosts.map((host) => ({ url: `http://${host}/`, proxy: `http://${GOOD}:80` })),
  ),
  proxies: await attemptAll(
    byDefault,
    proxies.map((proxy) => ({ url: `http://${GOOD}/`, proxy })),
  ),
  tricks: await attemptAll(
    byDefault,
    [...tricked.flatMap(tricks), ...NO_HOSTS.map((host) => `http://${host}/`)].map((url) => ({ url })),
  ),
  locations: await attemptAll(byDefault, tricked.flatMap(locations).map(redirected)),
}

// Names whose answers change with each query, or contain a refused address next to an allowed one.
const dns = await DnsServer.start()
let questions = 0
dns.addresses.set('changing.example.com', (type) =>
  type === 'A' ? [questions++ % 2 === 0 ? GOOD : '169.254.169.254'] : [],
)
dns.addresses.set('mixed.example.com', (type) => [type === 'A' ? GOOD : '::1'])
dns.addresses.set('both.example.com', (type) => (type === 'A' ? [GOOD, '127.0.0.1'] : []))
const byName = createOutbound({ ...SETTINGS, DNS_SERVERS: [dns.address] }, ALWAYS_LIVE)
const rounds = Array.from({ length: 250 }, () =>
  ['changing', 'mixed', 'both'].map((name) => `http://${name}.example.com/`),
).flat()
const names = {
  direct: await attemptAll(
    byName,
    rounds.map((url) => ({ url })),
  ),
  redirects: await attemptAll(byName, rounds.map(redirected)),
}
await dns.stop()

// Without the policy: first to show that the canaries would see it, then behind the firewall rules of
// docs/platform/egress.md, which come before all routes here, because every address is this machine's.
const open = createOutbound(
  {
    ...SETTINGS,
    EGRESS_ALLOW: ['0.0.0.0/0', '::/0', '169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254'],
  },
  ALWAYS_LIVE,
)
const elsewhere = hosts.filter((host) => {
  if (!URL.canParse(`http://${host}/`)) return false
  const range = parseAddress(new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, ''))?.range()
  return range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat'
})
const straight = elsewhere.map((host) => ({ url: `http://${host}/` }))
const unguarded = await attemptAll(open, straight)
const [recipe] = /(?<=```sh\n)for range in[^`]+/.exec(readFileSync('docs/platform/egress.md', 'utf8')) ?? []
assert(recipe)
run('for family in -4 -6; do ip $family rule add pref 10 lookup local; ip $family rule del pref 0; done')
run(recipe, { SORTIE_UID: '0' })
const guarded = await attemptAll(open, straight)
const stillOpen = await attemptAll(open, [{ url: `http://${GOOD}/` }])

server.close()
process.stdout.write(JSON.stringify({ vectors, names, unguarded, guarded, stillOpen }))
