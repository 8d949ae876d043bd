// Runs in a separate network namespace (`unshare --net`), where every address leads to the canaries of this program:
// they see everything that is sent. Prints the counts as JSON.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, connect as openTcp, type Server } from 'node:net'
import { request } from 'undici'
import { parseHost } from '../../../src/platform/outbound/addresses.ts'
import { createOutbound, EgressRefusedError, type OutboundSettings } from '../../../src/platform/outbound/outbound.ts'
import { ALWAYS_LIVE } from '../clients/always-live.ts'
import { DnsServer } from '../network/dns-server.ts'
import {
  ALLOWED_IPV4,
  ALLOWED_IPV6,
  carriersOf,
  NO_HOSTS,
  REFUSED_IPV4,
  REFUSED_IPV6,
  spellingsOf,
} from './egress-spellings.ts'

const PORT = 80
const CONNECT_TIMEOUT_MS = 30_000

const ip = (...args: string[]) => {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  assert.equal(status, 0, `ip ${args.join(' ')}: ${stderr}`)
}
ip('link', 'set', 'lo', 'up')
ip('route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo')
ip('-6', 'route', 'add', 'local', '::/0', 'dev', 'lo')
/** An address of this machine in a public range. */
ip('addr', 'add', '9.9.9.9/32', 'dev', 'lo')

let accepted = 0
let datagrams = 0
const server = createServer((socket) => {
  accepted++
  socket
    .on('error', () => undefined)
    .on('data', () => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'))
})
const listening = (listener: Server, host: string) => once(listener.listen(PORT, host), 'listening')
await listening(server, '::')
const udp = createSocket('udp6').on('message', () => datagrams++)
udp.bind(PORT, '::')
await once(udp, 'listening')

/**
 * TCP connections started, UDP datagrams and IP packets of either version sent in this namespace, since it was made.
 */
const counters = () => {
  const rows = readFileSync('/proc/net/snmp', 'utf8').trim().split('\n')
  const read = (protocol: string, name: string) => {
    const [names = [], values = []] = rows.filter((row) => row.startsWith(`${protocol}: `)).map((row) => row.split(' '))
    return Number(values[names.indexOf(name)])
  }
  const six = Object.fromEntries(
    readFileSync('/proc/net/snmp6', 'utf8')
      .trim()
      .split('\n')
      .map((row) => row.split(/\s+/)),
  )
  return {
    tcp: read('Tcp', 'ActiveOpens'),
    udp: read('Udp', 'OutDatagrams') + Number(six['Udp6OutDatagrams']),
    packets: read('Ip', 'OutRequests') + Number(six['Ip6OutRequests']),
  }
}
const since = (before: ReturnType<typeof counters>) => {
  const now = counters()
  return { tcp: now.tcp - before.tcp, udp: now.udp - before.udp, packets: now.packets - before.packets }
}

const settings: OutboundSettings = {
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

/** Reached without the policy, to show that the canaries would see them. */
const controls = [
  '10.0.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  '::1',
  'fd00:ec2::254',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
]
const beforeControls = counters()
for (const host of controls) {
  const socket = openTcp({ host, port: PORT })
  await once(socket, 'connect')
  socket.resetAndDestroy()
  await once(socket, 'close')
}
const control = { hosts: controls.length, accepted, tcp: since(beforeControls).tcp }

type Outcome = 'refused' | 'sent'
const outcome = async (send: Promise<unknown>): Promise<Outcome> => {
  try {
    await send
    return 'sent'
  } catch (error) {
    if (error instanceof EgressRefusedError) return 'refused'
    throw error
  }
}

/** The caller has no rules: only the policy is tested. */
const permitted = () => undefined

/** Each host by TCP, by UDP and, if a URL can contain it, by HTTP. */
const tryAll = async (outbound: ReturnType<typeof createOutbound>, hosts: readonly string[], port = PORT) => {
  const agent = outbound.createHttpAgent({ connectTimeoutMs: CONNECT_TIMEOUT_MS, check: permitted })
  const found = { hosts: hosts.length, refused: 0, sent: 0 }
  for (const host of hosts) {
    const byTcp = outbound
      .connect({ check: permitted, host, port })
      .then((socket) => once(socket.resetAndDestroy(), 'close'))
    const byUdp = outbound.connectUdp({ check: permitted, host, port }).then(async (socket) => {
      await new Promise((resolve) => socket.send('x', resolve))
      socket.close()
    })
    const url = [`http://${host}:${port}/`, `http://[${host}]:${port}/`].find(
      (text) => URL.canParse(text) && parseHost(host) !== undefined,
    )
    const attempts = [outcome(byTcp), outcome(byUdp)]
    if (url) attempts.push(outcome(request(url, { dispatcher: agent }).then(({ body }) => body.dump())))
    for (const result of await Promise.all(attempts)) found[result]++
  }
  await agent.close()
  return found
}

const carried = REFUSED_IPV4.filter((ipv4) => !ipv4.startsWith('0.'))
const refusedHosts = [
  ...REFUSED_IPV4.flatMap(spellingsOf),
  ...carried.flatMap(carriersOf),
  ...REFUSED_IPV6,
  ...NO_HOSTS,
]
accepted = 0
const beforeRefused = counters()
const refused = {
  ...(await tryAll(createOutbound(settings, ALWAYS_LIVE), refusedHosts)),
  ...since(beforeRefused),
  accepted,
  datagrams,
}

const allowedHosts = [...ALLOWED_IPV4.flatMap(spellingsOf), ...ALLOWED_IPV6, ...carriersOf('8.8.8.8')]
const beforeAllowed = counters()
const allowed = {
  ...(await tryAll(createOutbound(settings, ALWAYS_LIVE), allowedHosts)),
  tcp: since(beforeAllowed).tcp,
  accepted,
}

// Everything open: own ports at each address of this machine and metadata stay closed.
accepted = 0
const everything = createOutbound({ ...settings, PORT, EGRESS_ALLOW: ['0.0.0.0/0', '::/0'] }, ALWAYS_LIVE)
const beforeOwn = counters()
const ownHosts = [
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '::1',
  '::',
  '9.9.9.9',
  '::ffff:9.9.9.9',
  '169.254.169.254',
  '168.63.129.16',
  'fd00:ec2::254',
]
const own = { ...(await tryAll(everything, ownHosts)), ...since(beforeOwn), accepted }

// Names whose answers change between queries, or contain a refused address next to an allowed one.
const dns = await DnsServer.start()
const answers: Record<string, (question: number) => string[]> = {
  'rebinding.example.com': (question) => [question % 2 === 0 ? '8.8.8.8' : '169.254.169.254'],
  'mixed.example.com': () => ['8.8.8.8', '127.0.0.1'],
  'private.example.com': () => ['192.168.0.1'],
}
for (const [name, answer] of Object.entries(answers)) {
  let questions = 0
  dns.addresses.set(name, (type) => (type === 'A' ? answer(questions++) : []))
}
const reached = new Set<string>()
const byName = createOutbound({ ...settings, DNS_SERVERS: [dns.address] }, ALWAYS_LIVE)
const names = { refused: 0, sent: 0 }
for (let round = 0; round < 100; round++) {
  for (const host of Object.keys(answers)) {
    const opening = byName.connect({ check: permitted, host, port: PORT }).then((socket) => {
      reached.add(socket.remoteAddress ?? '')
      return once(socket.resetAndDestroy(), 'close')
    })
    names[await outcome(opening)]++
  }
}
await dns.stop()
udp.close()
server.close()
process.stdout.write(JSON.stringify({ control, refused, allowed, own, names: { ...names, reached: [...reached] } }))
