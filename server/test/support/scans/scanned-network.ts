// Runs in a network namespace (`ip netns exec`) whose addresses are on its loopback, and is every host of a small
// network there. Reads commands by line: `change` puts a host behind a firewall and ends a service, `count` prints as
// JSON the connections to hosts that must not be touched.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { listen, listenWith } from '../clients/listeners.ts'
import { DnsServer } from '../network/dns-server.ts'
import { HOSTS, PORTS } from './scanned-hosts.ts'

const ip = (...args: string[]) => {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  assert.equal(status, 0, `ip ${args.join(' ')}: ${stderr}`)
}
const { silent: _, ...present } = HOSTS
for (const address of Object.values(present)) ip('address', 'add', `${address}/32`, 'dev', 'lo')

const names = await DnsServer.start(HOSTS.names, 53)
names.addresses.set('web.lab.example', (type) => (type === 'A' ? [HOSTS.web] : []))
names.addresses.set('hidden.lab.example', (type) => (type === 'A' ? [HOSTS.outOfScope] : []))

const webServer = () => createServer((_request, response) => response.end('<title>Open</title>'))
await listenWith(webServer(), HOSTS.web, 80)
await listenWith(webServer(), HOSTS.firewalled, 80)
const ending = await listenWith(webServer(), HOSTS.web, 8080)

const GARBAGE = Buffer.from([0x00, 0xff, 0xfe, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x80, 0xc0, 0xaf, 0x00, 0x0d, 0x0a])
const drip = (socket: Socket) => {
  const timer = setInterval(() => socket.write('H'), 300)
  socket.once('close', () => clearInterval(timer))
}
for (const port of PORTS) {
  await listen((socket) => socket.end(GARBAGE), HOSTS.garbage, port)
  await listen(port === 80 ? drip : undefined, HOSTS.slow, port)
}
const canaries = await Promise.all(
  [HOSTS.outOfScope, HOSTS.refused].flatMap((address) => PORTS.map((port) => listen(undefined, address, port))),
)

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'change') {
    ip('address', 'delete', `${HOSTS.firewalled}/32`, 'dev', 'lo')
    await ending.stop()
  }
  process.stdout.write(`${JSON.stringify(canaries.reduce((sum, { accepted }) => sum + accepted, 0))}\n`)
}
process.exit()
