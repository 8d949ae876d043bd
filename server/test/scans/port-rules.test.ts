import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ENVIRONMENT } from '../../src/features/scans/scanners/nmap/nmap-process.ts'
import { nmap } from '../../src/features/scans/scanners/nmap/nmap.ts'
import { portsText } from '../../src/features/scans/scanners/ports/port-ranges.ts'
import { scanPorts } from '../../src/features/scans/scanners/ports/ports.ts'
import type { ScanInput } from '../../src/features/scans/scanners/scanner.ts'
import { tls } from '../../src/features/scans/scanners/tls/tls.ts'
import { http } from '../../src/features/scans/scanners/web/http.ts'
import { eventually, isAlive } from '../support/app/server-process.ts'
import { type Listener, listen, listenWith } from '../support/clients/listeners.ts'
import { listenOnCommonPort } from '../support/scans/common-ports.ts'
import { allOf, coverageIn, logIn, rulesOf, sightingsIn, skippedIn, testReach } from '../support/scans/scan-reach.ts'
import { descendantsOf } from '../support/walks/descendants.ts'

const isInstalled = (await nmap.unavailable()) === null
// Continuous integration installs it.
const withNmap = test.skipIf(!isInstalled && !process.env['CI'])

const ADDRESS: ScanInput = { kind: 'address', address: '127.0.0.1' }
const serviceAt = (port: number, host: { address?: string; name?: string } = {}): ScanInput => ({
  kind: 'service',
  address: '127.0.0.1',
  protocol: 'tcp',
  port,
  ...host,
})

let listeners: Listener[] = []
const kept = async (listening: Promise<Listener>): Promise<Listener> => {
  const listener = await listening
  listeners = [...listeners, listener]
  return listener
}
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
})
const greeting = (socket: Socket): unknown => socket.write('SSH-2.0-OpenSSH_9.2p1\r\n')
const opened = () => kept(listen(greeting))
const openedCommon = () => kept(listenOnCommonPort((port) => listen(greeting, '127.0.0.1', port)))

describe('with a rule that denies a port', () => {
  test('the scanner of ports sends nothing to it, and finds the others', async () => {
    const [denied, allowed] = [await opened(), await opened()]
    const { reach, operations } = testReach({ rules: rulesOf('allow 127.0.0.1', `deny 127.0.0.1:${denied.port}`) })
    const options = { ports: `${denied.port},${allowed.port}`, rate: 1_000, timeoutMs: 1_000 }
    const found = await allOf(scanPorts([ADDRESS], options, reach))
    expect(sightingsIn(found).filter(({ kind }) => kind === 'service')).toMatchObject([{ port: allowed.port }])
    expect(skippedIn(found)).toEqual([
      `127.0.0.1: port ${denied.port}: out of scope: denied by 127.0.0.1:${denied.port}`,
    ])
    expect([denied.accepted, allowed.accepted]).toEqual([0, 1])
    expect(operations.flatMap(({ ports }) => ports)).toEqual([[allowed.port, allowed.port]])
  })

  test('one for its address, or for the name in any form, covers it as well', async () => {
    const listener = await opened()
    for (const pattern of [`127.0.0.1:${listener.port}`, `localhost:${listener.port}/tcp`]) {
      const { reach } = testReach({ rules: rulesOf('allow localhost', `deny ${pattern}`) })
      const options = { ports: String(listener.port), rate: 1_000, timeoutMs: 1_000 }
      const found = await allOf(scanPorts([{ kind: 'name', name: 'localhost' }], options, reach))
      expect(skippedIn(found).join()).toContain(`denied by ${pattern}`)
    }
    expect(listener.accepted).toBe(0)
  })

  test('HTTP and TLS send nothing to it, not even for a redirect', async () => {
    const denied = await opened()
    const redirecting = await kept(
      listenWith(
        createServer((_request, response) => {
          response.writeHead(302, { location: `http://127.0.0.1:${denied.port}/` }).end()
        }),
      ),
    )
    const rules = rulesOf('allow 127.0.0.1', `deny 127.0.0.1:${denied.port}/tcp`)
    const inputs = [serviceAt(denied.port), serviceAt(redirecting.port, { address: '127.0.0.1' })]
    const options = { timeoutMs: 1_000, followRedirects: true, addTargets: false }
    const pages = await allOf(http.run(inputs, options, testReach({ rules }).reach))
    expect(sightingsIn(pages).filter(({ kind }) => kind === 'http_response')).toMatchObject([
      { port: redirecting.port },
    ])
    expect(logIn(pages).join()).toContain(`denied by 127.0.0.1:${denied.port}/tcp`)
    const certificates = await allOf(tls.run(inputs, options, testReach({ rules }).reach))
    expect(skippedIn(certificates)).toEqual([expect.stringContaining(`denied by 127.0.0.1:${denied.port}/tcp`)])
    expect(denied.accepted).toBe(0)
    expect(redirecting.accepted).toBeGreaterThan(1)
  })

  test('of one protocol, the other is scanned', async () => {
    const listener = await opened()
    const { reach } = testReach({ rules: rulesOf('allow 127.0.0.1', `deny 127.0.0.1:${listener.port}/udp`) })
    const options = { ports: String(listener.port), rate: 1_000, timeoutMs: 1_000 }
    await allOf(scanPorts([ADDRESS], options, reach))
    expect(listener.accepted).toBe(1)
  })
})

describe('with a rule that allows only a port of a host', () => {
  test('the port is scanned as a service, and nothing else of the host', async () => {
    const [only, other] = [await opened(), await opened()]
    const rules = rulesOf(`allow localhost:${only.port}`, `allow 127.0.0.1:${only.port}/tcp`)
    const options = { ports: `${only.port},${other.port}`, rate: 1_000, timeoutMs: 1_000, followRedirects: true }
    const inputs: ScanInput[] = [ADDRESS, { kind: 'name', name: 'localhost' }, serviceAt(other.port)]
    for (const scanned of [
      scanPorts(inputs, options, testReach({ rules }).reach),
      http.run(inputs, options, testReach({ rules }).reach),
      tls.run(inputs, { ...options, addTargets: false }, testReach({ rules }).reach),
    ]) {
      const found = await allOf(scanned)
      expect(sightingsIn(found)).toEqual([])
      expect(skippedIn(found).map((text) => text.includes('out of scope: covered by no rule'))).toEqual([
        true,
        true,
        true,
      ])
    }
    expect([only.accepted, other.accepted]).toEqual([0, 0])
    const services = [serviceAt(only.port), serviceAt(only.port, { address: 'localhost', name: 'localhost' })]
    const found = await allOf(scanPorts(services, options, testReach({ rules }).reach))
    expect(sightingsIn(found).filter(({ kind }) => kind === 'service')).toMatchObject([{ port: only.port }, {}])
    expect(only.accepted).toBeGreaterThan(0)
    expect(other.accepted).toBe(0)
  })
})

/** Runs nmap so that it records each packet. @returns the ports to which it has sent anything, and its arguments */
const traced = async (inputs: ScanInput[], profile: 'quick' | 'version', ...lines: string[]) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'nmap-trace-'))
  const trace = path.join(directory, 'trace')
  const program = path.join(directory, 'nmap')
  const usual = ENVIRONMENT.PATH
  writeFileSync(program, `#!/bin/sh\nPATH=${usual} exec nmap --packet-trace --append-output -oN ${trace} "$@"\n`)
  chmodSync(program, 0o755)
  ENVIRONMENT.PATH = `${directory}:${usual}`
  try {
    const { reach, operations } = testReach({ rules: rulesOf(...lines) })
    const found = await allOf(nmap.run(inputs, { profile }, reach))
    const text = existsSync(trace) ? readFileSync(trace, 'utf8') : ''
    // Packets, connections, and connections of version detection and scripts.
    const sent = text.matchAll(
      /^(?:SENT .* (?:TCP|UDP) \S+ > |CONN .* > |NSOCK INFO .*connection requested to )(127\.0\.0\.\d+):(\d+)/gm,
    )
    return {
      found,
      operations,
      started: text.split('\n').filter((line) => line.startsWith('# Nmap') && line.includes('initiated')),
      ports: new Set([...sent].map(([, address, port]) => `${address}:${port}`)),
    }
  } finally {
    ENVIRONMENT.PATH = usual
    rmSync(directory, { recursive: true })
  }
}

describe('nmap', () => {
  withNmap.each(['quick', 'version'] as const)(
    'with the profile %s sends nothing to a port that a rule denies, and scans the others',
    async (profile) => {
      const [denied, allowed] = [await openedCommon(), await openedCommon()]
      const { found, operations, ports } = await traced(
        [ADDRESS],
        profile,
        'allow 127.0.0.1',
        `deny 127.0.0.1:${denied.port}`,
      )
      expect(sightingsIn(found)).toContainEqual(expect.objectContaining({ kind: 'service', port: allowed.port }))
      expect(ports.has(`127.0.0.1:${allowed.port}`)).toBe(true)
      expect(ports.has(`127.0.0.1:${denied.port}`)).toBe(false)
      expect(denied.accepted).toBe(0)
      const looked = coverageIn(found).flatMap((coverage) => (coverage.what === 'ports' ? coverage.ranges : []))
      const isWithin = (ranges: readonly (readonly [number, number])[]) =>
        ranges.some(([from, to]) => from <= denied.port && denied.port <= to)
      expect([isWithin(looked), isWithin(operations.flatMap((operation) => operation.ports))]).toEqual([false, false])
    },
  )

  withNmap('sends only to the port that a rule allows, without a host discovery', async () => {
    const only = await openedCommon()
    const other = await openedCommon()
    const rules = [`allow 127.0.0.1:${only.port}/tcp`]
    const { found, operations, ports, started } = await traced(
      [ADDRESS, serviceAt(other.port), serviceAt(only.port)],
      'quick',
      ...rules,
    )
    expect([...ports]).toEqual([`127.0.0.1:${only.port}`])
    expect(started).toHaveLength(1)
    expect(started[0]).toContain('-Pn')
    expect(skippedIn(found)).toEqual([
      '127.0.0.1: out of scope: covered by no rule',
      '127.0.0.1: out of scope: covered by no rule',
    ])
    expect(sightingsIn(found)).toContainEqual(expect.objectContaining({ kind: 'service', port: only.port }))
    expect([...new Set(operations.map((operation) => portsText(operation.ports)))]).toEqual([String(only.port)])
  })

  withNmap('detects versions only where a rule allows the port by both protocols', async () => {
    const only = await openedCommon()
    const one = await traced([serviceAt(only.port)], 'version', `allow 127.0.0.1:${only.port}/tcp`)
    expect(skippedIn(one.found).join()).toContain('scripts of version detection')
    expect([...one.ports, only.accepted]).toEqual([0])
    const both = await traced([serviceAt(only.port)], 'version', `allow 127.0.0.1:${only.port}`)
    expect([...both.ports]).toEqual([`127.0.0.1:${only.port}`])
    expect(only.accepted).toBeGreaterThan(0)
  })

  withNmap('ends a run when a rule denies one of its ports, and scans the host again without that port', async () => {
    // It ignores service probes: that takes nmap half a minute.
    const denied = await kept(listenOnCommonPort((port) => listen(() => undefined, '127.0.0.1', port)))
    const allowed = await openedCommon()
    const stage = testReach()
    const all = allOf(nmap.run([ADDRESS], { profile: 'version' }, stage.reach))
    await eventually(() => expect(denied.open.size).toBeGreaterThan(0))
    const programs = descendantsOf(process.pid).filter(({ command }) => command.startsWith('nmap '))
    expect(programs).not.toEqual([])
    stage.rules = rulesOf(`deny 127.0.0.1:${denied.port}`)
    await eventually(() => expect(programs.filter(({ pid }) => isAlive(pid))).toEqual([]))
    await eventually(() => expect(denied.open.size).toBe(0))
    const before = denied.accepted
    const found = await all
    expect(logIn(found).join()).toContain('rules changed while it ran')
    expect(denied.accepted).toBe(before)
    expect(sightingsIn(found)).toContainEqual(expect.objectContaining({ kind: 'service', port: allowed.port }))
    expect(sightingsIn(found).filter(({ port }) => port === denied.port)).toEqual([])
  })
})
