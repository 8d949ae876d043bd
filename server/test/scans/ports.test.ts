import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ports, scanPorts } from '../../src/features/scans/scanners/ports/ports.ts'
import type { ScanInput } from '../../src/features/scans/scanners/scanner.ts'
import { hereMs } from '../support/app/machine.ts'
import { freePort } from '../support/app/server-process.ts'
import { type Listener, listen, listenDeaf } from '../support/clients/listeners.ts'
import { allOf, coverageIn, logIn, rulesOf, sightingsIn, skippedIn, testReach } from '../support/scans/scan-reach.ts'

const ADDRESS: ScanInput = { kind: 'address', address: '127.0.0.1' }
let listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
})

const opened = async (onConnection?: (socket: Socket) => void, address?: string, port?: number): Promise<Listener> => {
  const listener = await listen(onConnection, address, port)
  listeners = [...listeners, listener]
  return listener
}

const scan = async (
  list: readonly number[],
  more: Parameters<typeof testReach>[0] = {},
  inputs: ScanInput[] = [ADDRESS],
) => {
  const { reach, operations } = testReach(more)
  const found = await allOf(scanPorts(inputs, { ports: list.join(',') || '1', rate: 2_000, timeoutMs: 2_000 }, reach))
  const services = sightingsIn(found).filter(({ kind }) => kind === 'service')
  return {
    found,
    services,
    operations,
    bannerOf: (port: number) => services.find((each) => each.port === port)?.data['banner'],
  }
}

describe('the scanner of ports', () => {
  test('finds open ports and their banners, and recognises closed ones', async () => {
    const ssh = await opened((socket) => socket.write('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'))
    const quiet = await opened()
    const closed = await freePort()
    const { found, services, operations } = await scan([ssh.port, quiet.port, closed])
    expect(services.find(({ port }) => port === ssh.port)).toMatchObject({
      asset: `127.0.0.1:${ssh.port}/tcp`,
      guesses: ['name'],
      data: {
        state: 'open',
        name: 'ssh',
        product: 'OpenSSH',
        version: '9.2p1',
        banner: 'SSH-2.0-OpenSSH_9.2p1 Debian-2',
      },
    })
    expect(services).toHaveLength(2)
    expect(sightingsIn(found).filter(({ kind }) => kind === 'host')).toMatchObject([
      { host: '127.0.0.1', data: { up: true } },
    ])
    const looked = coverageIn(found).flatMap((coverage) => (coverage.what === 'ports' ? coverage.ranges : []))
    const isCovered = (port: number) => looked.some(([from, to]) => from <= port && port <= to)
    expect([ssh.port, quiet.port, closed].map(isCovered)).toEqual([true, true, true])
    expect(found.filter(({ type }) => type === 'input')).toHaveLength(2)
    expect(logIn(found)).toEqual(['127.0.0.1: 2 of 3 ports are open'])
    expect(
      operations
        .map(({ address, ports: [range], sourceAddress, protocol }) => [address, range?.[0], sourceAddress, protocol])
        .toSorted(),
    ).toEqual([ssh.port, quiet.port, closed].map((port) => ['127.0.0.1', port, '127.0.0.1', 'tcp']).toSorted())
  })

  test('keeps the version in the greeting of a database, and not its random part', async () => {
    const greeting = (version: string) =>
      Buffer.from(`\x4a\0\0\0\n${version}\0${randomBytes(30).toString('latin1')}`, 'latin1')
    const mysql = await opened((socket) => socket.write(greeting('8.0.36-0ubuntu0.22.04.1')))
    const maria = await opened((socket) => socket.write(greeting('5.5.5-10.11.6-MariaDB-0+deb12u1')))
    const { services } = await scan([mysql.port, maria.port])
    expect(services.find(({ port }) => port === mysql.port)?.data).toMatchObject({
      name: 'mysql',
      product: 'MySQL',
      version: '8.0.36',
      banner: '8.0.36-0ubuntu0.22.04.1',
    })
    expect(services.find(({ port }) => port === maria.port)?.data).toMatchObject({
      product: 'MariaDB',
      version: '10.11.6',
    })
  })

  test('reads at most 4 KB, within a second, of any data: garbage, a flood, byte by byte, a reset', async () => {
    const garbage = await opened((socket) => socket.end(randomBytes(900)))
    const flood = await opened((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'A')));
      }
      socket.on('drain', pour)
      pour()
    })
    const slow = await opened((socket) => {
      const timer = setInterval(() => socket.write('x'), 50)
      socket.on('close', () => clearInterval(timer))
    })
    const reset = await opened((socket) => socket.resetAndDestroy())
    const hostile = await opened((socket) => socket.end('\u001b[2J<script>alert(1)</script>\u0000\u202e'))
    const list = [garbage, flood, slow, reset, hostile].map(({ port }) => port)
    const start = performance.now()
    const { services, bannerOf } = await scan(list)
    expect(performance.now() - start).toBeLessThan(hereMs(10_000))
    expect(services.map(({ port }) => port).toSorted()).toEqual(list.toSorted())
    expect(bannerOf(flood.port)).toBe('A'.repeat(4_096))
    expect(String(bannerOf(slow.port))).toMatch(/^x{2,60}$/)
    expect(bannerOf(reset.port)).toBeUndefined()
    expect(String(bannerOf(hostile.port))).not.toContain('\u0000')
    expect(String(bannerOf(garbage.port)).length).toBeLessThanOrEqual(900)
  })

  test('treats a port that resets connections as open, however soon it does', async () => {
    const reset = await opened((socket) => socket.resetAndDestroy())
    const inputs = Array.from({ length: 200 }, (): ScanInput => ({
      kind: 'service',
      address: '127.0.0.1',
      protocol: 'tcp',
      port: reset.port,
    }))
    const { services } = await scan([], {}, inputs)
    expect(services).toHaveLength(200)
  })

  test('treats a silent port neither as open nor as closed', async () => {
    const deaf = await listenDeaf()
    const { found, services, operations } = await scan([deaf.port])
    await deaf.stop()
    expect(services).toEqual([])
    expect(coverageIn(found)).toEqual([])
    expect(sightingsIn(found)).toEqual([])
    expect(logIn(found)).toEqual(['127.0.0.1: 0 of 1 ports are open, 1 did not answer'])
    expect(operations).toHaveLength(1)
  })

  test('touches no address that a rule denies, or that the egress policy refuses', async () => {
    const denied = await opened(undefined, '127.0.0.9')
    const own = await opened(undefined, '127.0.0.8', denied.port)
    const inputs: ScanInput[] = ['127.0.0.9', '127.0.0.8', '10.0.0.1'].map((address) => ({ kind: 'address', address }))
    const { found, operations } = await scan(
      [denied.port],
      { rules: rulesOf('allow 127.0.0.0/8', 'allow 10.0.0.0/8', 'deny 127.0.0.9'), egress: { PORT: own.port } },
      inputs,
    )
    expect({ denied: denied.accepted, own: own.accepted, operations }).toEqual({ denied: 0, own: 0, operations: [] })
    expect(skippedIn(found).toSorted()).toEqual([
      '10.0.0.1: the egress policy refuses it: not public (private) and not in EGRESS_ALLOW',
      `127.0.0.8: port ${own.port}: the egress policy refuses it: a port of this server itself; only its address:port in EGRESS_ALLOW opens it`,
      '127.0.0.9: out of scope: denied by 127.0.0.9',
    ])
    expect(coverageIn(found)).toEqual([])
  })

  test('examines a URL and a service only on their own port', async () => {
    const [one, other] = [await opened(), await opened()]
    const inputs: ScanInput[] = [
      { kind: 'url', url: `http://127.0.0.1:${one.port}/` },
      { kind: 'service', address: '127.0.0.1', protocol: 'udp', port: 53 },
    ]
    const { services } = await scan([other.port], {}, inputs)
    expect(services.map(({ port }) => port)).toEqual([one.port])
    expect(inputs.map((input) => ports.unitsOf(input, { ports: 'top-100', rate: 1, timeoutMs: 100 }))).toEqual([1, 0])
  })

  test('observes its rate, and the limit of connections of all scans', async () => {
    const listener = await opened()
    let most = 0
    const count = setInterval(() => (most = Math.max(most, listener.open.size)), 5)
    const { reach } = testReach({ maxConnections: 3 })
    const start = performance.now()
    const inputs: ScanInput[] = Array.from({ length: 12 }, () => ({
      kind: 'service',
      address: '127.0.0.1',
      protocol: 'tcp',
      port: listener.port,
    }))
    await allOf(scanPorts(inputs, { ports: '1', rate: 2_000, timeoutMs: 2_000 }, reach))
    clearInterval(count)
    expect(listener.accepted).toBe(12)
    expect(most).toBeLessThanOrEqual(3)
    // Each is listened to for a second.
    expect(performance.now() - start).toBeGreaterThan(3_900)
    const again = performance.now()
    const closed = await freePort()
    await allOf(scanPorts([ADDRESS], { ports: `${closed},1-40`, rate: 100, timeoutMs: 2_000 }, testReach().reach))
    expect(performance.now() - again).toBeGreaterThan(380)
  })

  test('ends when it is cancelled, and leaves nothing open', async () => {
    const listener = await opened()
    const { reach, cancel } = testReach()
    const inputs: ScanInput[] = Array.from({ length: 40 }, () => ({
      kind: 'service',
      address: '127.0.0.1',
      protocol: 'tcp',
      port: listener.port,
    }))
    const scanning = allOf(scanPorts(inputs, { ports: '1', rate: 10, timeoutMs: 2_000 }, reach))
    await expect.poll(() => listener.open.size).toBeGreaterThan(2)
    const start = performance.now()
    cancel()
    await scanning
    await expect.poll(() => listener.open.size).toBe(0)
    expect(performance.now() - start).toBeLessThan(hereMs(2_000))
    const { accepted } = listener
    expect(accepted).toBeLessThan(40)
  })
})
