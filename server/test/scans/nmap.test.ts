import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { without } from '../../src/features/scanner-formats/nmap/nmap-coverage.ts'
import { createFindHosts } from '../../src/features/scans/scanners/names/hosts.ts'
import { readNmapOutput } from '../../src/features/scans/scanners/nmap/nmap-output.ts'
import { argumentsOf, runNmap } from '../../src/features/scans/scanners/nmap/nmap-process.ts'
import { nmap } from '../../src/features/scans/scanners/nmap/nmap.ts'
import { TOP_100_UDP } from '../../src/features/scans/scanners/ports/port-lists.ts'
import { countPorts, portsText, readPorts } from '../../src/features/scans/scanners/ports/port-ranges.ts'
import type { ScanInput } from '../../src/features/scans/scanners/scanner.ts'
import { hereMs } from '../support/app/machine.ts'
import { eventually, isAlive } from '../support/app/server-process.ts'
import { listen } from '../support/clients/listeners.ts'
import { listenOnCommonPort } from '../support/scans/common-ports.ts'
import { allOf, coverageIn, logIn, rulesOf, sightingsIn, skippedIn, testReach } from '../support/scans/scan-reach.ts'
import { descendantsOf } from '../support/walks/descendants.ts'

const isInstalled = (await nmap.unavailable()) === null
// Continuous integration installs it.
const withNmap = test.skipIf(!isInstalled && !process.env['CI'])

const ADDRESS: ScanInput = { kind: 'address', address: '127.0.0.1' }
const listening = (onConnection = (socket: Socket): unknown => socket.write('SSH-2.0-OpenSSH_9.2p1\r\n')) =>
  listenOnCommonPort((port) => listen(onConnection, '127.0.0.1', port))

/** Programs that this process has started; other tests run their own. */
const running = () =>
  descendantsOf(process.pid).filter(({ command }) => command.startsWith('nmap -n --noninteractive '))

test('N1: nmap gets addresses and ports of typed values after `--`, and no text of a user', () => {
  const run = {
    addresses: ['192.0.2.1', '192.0.2.2'],
    ports: [
      [22, 22],
      [80, 90],
    ] as const,
    closedPorts: { tcp: [5432, 22], udp: [53] },
    protocol: 'tcp' as const,
    flags: ['-T4'],
    atOnce: 50,
    discovers: true,
  }
  expect(argumentsOf(run)).toEqual(
    '-n --noninteractive -T4 -p 22,80-90 --exclude-ports T:5432,T:22,U:53 --max-parallelism 50 --max-retries 2 -oX - -- 192.0.2.1 192.0.2.2'.split(
      ' ',
    ),
  )
  expect(argumentsOf({ ...run, addresses: ['2001:db8::1'] })).toContain('-6')
  expect(argumentsOf({ ...run, discovers: false })).toContain('-Pn')
})

withNmap('nmap finds an open port of loopback, reports what it examined, and is in the operation log', async () => {
  const listener = await listening()
  try {
    const { reach, operations } = testReach()
    const found = await allOf(nmap.run([ADDRESS], { profile: 'quick' }, reach))
    expect(sightingsIn(found)).toContainEqual(
      expect.objectContaining({ kind: 'service', port: listener.port, host: '127.0.0.1' }),
    )
    expect(coverageIn(found)).toContainEqual(
      expect.objectContaining({ what: 'ports', host: '127.0.0.1', protocol: 'tcp' }),
    )
    expect(found).toContainEqual({
      type: 'input',
      input: expect.objectContaining({ kind: 'service', port: listener.port }),
    })
    const sent = { address: '127.0.0.1', protocol: 'tcp', sourceAddress: '127.0.0.1' }
    // From its start to its end.
    expect(operations).toMatchObject([sent, sent])
  } finally {
    await listener.stop()
  }
})

test('check 4: ports that nmap cannot distinguish from filtered ones are services in that state, are not scanned further, and the log names them', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'nmap-output-'))
  try {
    const file = path.join(directory, 'output.xml')
    const port = (portid: number, state: string) =>
      `<port protocol="udp" portid="${portid}"><state state="${state}"/></port>`
    const host = `<host><status state="up" reason="syn-ack"/><address addr="192.0.2.1" addrtype="ipv4"/><ports>${port(53, 'open|filtered')}${port(123, 'open')}</ports></host>`
    writeFileSync(file, `<nmaprun scanner="nmap">${host}<runstats/></nmaprun>`)
    const found = await allOf(readNmapOutput(file, new Map(), () => undefined))
    expect(sightingsIn(found)).toMatchObject([
      { kind: 'host' },
      { kind: 'service', port: 53, data: { state: 'open|filtered' } },
      { kind: 'service', port: 123, data: { state: 'open' } },
    ])
    expect(found.flatMap((part) => (part.type === 'input' ? [part.input] : []))).toMatchObject([{ port: 123 }])
    expect(logIn(found)).toEqual([
      'Ports that gave no certain answer, kept as services in that state: 192.0.2.1:53/udp (open|filtered).',
    ])
  } finally {
    rmSync(directory, { recursive: true })
  }
})

describe('over UDP', () => {
  const service = (protocol: 'tcp' | 'udp', port: number): ScanInput => ({
    kind: 'service',
    address: '127.0.0.1',
    protocol,
    port,
  })
  const LEADS: readonly ScanInput[] = [
    service('tcp', 443),
    { kind: 'url', url: 'https://127.0.0.1/' },
    service('udp', 514),
    ADDRESS,
  ]

  test('a port that is named as TCP is not scanned: its host is, at the ports of the profile; one that is named as UDP is scanned on its own', async () => {
    const { reach } = testReach()
    const list = readPorts('53,161')
    const portsOf = async (protocol: 'tcp' | 'udp') => {
      const findHosts = createFindHosts(list, reach, protocol)
      return await Promise.all(
        LEADS.map(async (input) => (await findHosts(input)).hosts.map(({ ports }) => portsText(ports)).join(' ')),
      )
    }
    expect(await portsOf('udp')).toEqual(['53,161', '53,161', '514', '53,161'])
    expect(await portsOf('tcp')).toEqual(['443', '443', '', '53,161'])
    const units = (profile: 'udp' | 'quick') => LEADS.map((input) => nmap.unitsOf(input, { profile }))
    const whole = countPorts(readPorts(TOP_100_UDP))
    expect(units('udp')).toEqual([whole, whole, 1, whole])
    expect(units('quick')).toEqual([1, 1, 0, countPorts(readPorts('top-100'))])
  })

  test.skipIf((!isInstalled && !process.env['CI']) || process.getuid?.() !== 0)(
    'several ports of one host are one scan of it',
    async () => {
      const { reach, operations } = testReach()
      const found = await allOf(nmap.run(LEADS, { profile: 'udp' }, reach))
      const asked = operations.map(({ protocol, ports }) => `${protocol} ${portsText(ports)}`)
      // Port 443 is one of the instance itself: it is not sent, and not logged.
      const whole = without(readPorts(TOP_100_UDP), [[443, 443]])
      expect([...new Set(asked)].toSorted()).toEqual(['udp 514', `udp ${portsText(whole)}`].toSorted())
      expect(logIn(found).filter((text) => text.startsWith('nmap has scanned'))).toHaveLength(2)
    },
  )
})

withNmap('nmap does not receive what is out of scope, and scans no port of the instance itself', async () => {
  const listener = await listening()
  try {
    const denied = await allOf(
      nmap.run([ADDRESS], { profile: 'quick' }, testReach({ rules: rulesOf('deny 127.0.0.1') }).reach),
    )
    expect(skippedIn(denied).join()).toContain('out of scope')
    const own = testReach({ egress: { PORT: listener.port, EGRESS_ALLOW: ['127.0.0.0/8'] } })
    const found = await allOf(nmap.run([ADDRESS], { profile: 'quick' }, own.reach))
    expect(sightingsIn(found).filter(({ port }) => port === listener.port)).toEqual([])
    expect(listener.accepted).toBe(0)
    // Excluded ports are not examined.
    const ranges = coverageIn(found).flatMap((coverage) => (coverage.what === 'ports' ? coverage.ranges : []))
    expect(ranges.length).toBeGreaterThan(0)
    expect(ranges.filter(([from, to]) => from <= listener.port && listener.port <= to)).toEqual([])
    const single = await allOf(
      nmap.run(
        [{ kind: 'service', address: '127.0.0.1', protocol: 'tcp', port: listener.port }],
        { profile: 'quick' },
        own.reach,
      ),
    )
    expect(skippedIn(single)).toEqual([`127.0.0.1: the egress policy refuses port ${listener.port}`])
  } finally {
    await listener.stop()
  }
})

withNmap(
  'N10: a cancelled run of nmap has ended within two seconds; one whose address is denied during the run is ended, too',
  async () => {
    // It ignores service probes: that takes nmap half a minute.
    const silent = await listening(() => undefined)
    for (const end of ['cancel', 'deny'] as const) {
      const stage = testReach()
      const all = allOf(nmap.run([ADDRESS], { profile: 'version' }, stage.reach)).catch((error: Error) => error.message)
      const programs = await eventually(() => {
        const found = running()
        expect(found).not.toEqual([])
        expect(silent.open.size).toBeGreaterThan(0)
        return found
      })
      if (end === 'cancel') stage.cancel()
      else stage.rules = rulesOf('deny 127.0.0.1')
      await sleep(hereMs(2_000))
      expect(programs.filter(({ pid }) => isAlive(pid))).toEqual([])
      const ended = await all
      if (end === 'cancel') expect(ended).toBe('cancelled')
      else expect(skippedIn(ended as never).join()).toContain('out of scope')
    }
    await silent.stop()
  },
)

withNmap(
  'a rule that denies one address of a run ends it: the others are scanned again, and the denied one is reported as left out',
  async () => {
    const answering = await listening()
    // It ignores service probes: that takes nmap half a minute.
    const silent = await listenOnCommonPort((port) => listen(() => undefined, '127.0.0.2', port))
    const stage = testReach()
    const all = allOf(
      nmap.run([ADDRESS, { kind: 'address', address: '127.0.0.2' }], { profile: 'version' }, stage.reach),
    )
    await eventually(() => expect(silent.open.size).toBeGreaterThan(0))
    stage.rules = rulesOf('deny 127.0.0.2')
    const found = await all
    expect(skippedIn(found)).toEqual(['127.0.0.2: out of scope: denied by 127.0.0.2'])
    expect(sightingsIn(found)).toContainEqual(
      expect.objectContaining({ kind: 'service', host: '127.0.0.1', port: answering.port }),
    )
    const units = found.reduce((sum, each) => sum + (each.type === 'done' ? each.units : 0), 0)
    expect(units).toBe(2_000)
    await answering.stop()
    await silent.stop()
  },
)

withNmap('N6: a run of nmap that exceeds its time limit is ended, and keeps its output', async () => {
  const silent = await listening(() => undefined)
  const run = {
    addresses: ['127.0.0.1'],
    ports: [[silent.port, silent.port]] as const,
    closedPorts: { tcp: [], udp: [] },
    protocol: 'tcp' as const,
    flags: ['-sV'],
    atOnce: 1,
    discovers: true,
  }
  const limits = { outputBytes: 1_000_000, ms: 3_000, memoryBytes: 1e9, processes: 10 }
  const ends = runNmap(run, () => Promise.resolve(), new AbortController().signal, limits)
  const programs = await eventually(() => {
    const found = running()
    expect(found).not.toEqual([])
    return found
  })
  const output = await ends
  expect(output.problem).toBe('it took more than 0.05 minutes')
  expect(readFileSync(output.path, 'utf8')).toContain('<nmaprun')
  expect(programs.filter(({ pid }) => isAlive(pid))).toEqual([])
  await output.remove()
  await silent.stop()
})

/** Runs nmap in a process with each of these numbers of free descriptors. */
const WITH_FEW_DESCRIPTORS = `
import { closeSync, openSync } from 'node:fs'
import { runNmap } from '${path.resolve('server/src/features/scans/scanners/nmap/nmap-process.ts')}'
const run = { addresses: ['127.0.0.1'], ports: [[1, 1]], closedPorts: { tcp: [], udp: [] }, protocol: 'tcp', flags: [], atOnce: 1, discovers: true }
const tryWith = async (free) => {
  const held = []
  try {
    for (;;) held.push(openSync('/dev/null'))
  } catch {}
  for (const descriptor of held.splice(0, free)) closeSync(descriptor)
  let output
  try {
    output = await runNmap(run, async () => undefined, new AbortController().signal)
    console.log(output.problem ?? 'done')
  } catch (error) {
    console.log(error.message)
  }
  for (const descriptor of held) closeSync(descriptor)
  await output?.remove()
}
for (let free = 0; free <= 16; free++) await tryWith(free)
`

test.skipIf((!isInstalled && !process.env['CI']) || process.platform !== 'linux')(
  'S32: with any number of free descriptors a run of nmap ends with a reason, or succeeds',
  async () => {
    const script = ['--input-type=module', '--eval', WITH_FEW_DESCRIPTORS]
    const { stdout } = await promisify(execFile)('prlimit', ['--nofile=64', process.execPath, ...script], {
      timeout: 60_000,
    })
    const ends = stdout.trim().split('\n')
    expect(ends).toHaveLength(17)
    expect(new Set(ends)).toEqual(new Set(['nmap could not be started on this server (EMFILE)', 'done']))
    expect(ends.at(-1)).toBe('done')
  },
)
