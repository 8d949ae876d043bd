import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

interface Sent {
  hosts: number
  /** Attempts by TCP, UDP and HTTP. */
  refused: number
  sent: number
  /** TCP connections started, UDP datagrams and IP packets sent, as the kernel counts them. */
  tcp: number
  udp: number
  packets: number
  /** Connections and datagrams that canaries saw. */
  accepted: number
  datagrams: number
}

let counted: {
  control: { hosts: number; accepted: number; tcp: number }
  refused: Sent
  allowed: Sent
  own: Sent
  names: { refused: number; sent: number; reached: string[] }
}

beforeAll(async () => {
  const script = fileURLToPath(new URL('../../support/ways-out/egress-canaries.ts', import.meta.url))
  const child = spawn('unshare', ['--net', process.execPath, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (data) => (out += String(data)))
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  counted = JSON.parse(out)
})

test('the canaries see a connection to each kind of refused address without the policy', () => {
  const { hosts, accepted, tcp } = counted.control
  expect(hosts).toBeGreaterThanOrEqual(10)
  expect({ accepted, tcp }).toEqual({ accepted: hosts, tcp: hosts })
})

test('X1: to refused addresses, in every spelling, no packet leaves by TCP, UDP or HTTP', () => {
  const { hosts, refused, ...sent } = counted.refused
  expect(hosts).toBeGreaterThan(1_000)
  expect(refused).toBeGreaterThan(hosts * 2.5)
  expect(sent).toEqual({ sent: 0, tcp: 0, udp: 0, packets: 0, accepted: 0, datagrams: 0 })
})

test('X1: public addresses are reached in every spelling, and as IPv4 within IPv6', () => {
  const { hosts, refused, sent, tcp, accepted } = counted.allowed
  expect(hosts).toBeGreaterThan(150)
  expect(refused).toBe(0)
  expect(sent).toBeGreaterThan(hosts * 2.5)
  expect(tcp).toBe(sent - hosts)
  expect(accepted).toBe(tcp)
})

test('X12, X15: with all addresses allowed, no packet is sent to own ports and metadata addresses', () => {
  const { hosts, refused, sent, tcp, udp, packets, accepted } = counted.own
  expect(refused).toBe(hosts * 3)
  expect({ sent, tcp, udp, packets, accepted }).toEqual({ sent: 0, tcp: 0, udp: 0, packets: 0, accepted: 0 })
})

test('X2: names that change their answer are connected to only at the allowed address', () => {
  expect(counted.names).toEqual({ refused: 250, sent: 50, reached: ['8.8.8.8'] })
})
