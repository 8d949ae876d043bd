import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { NMAP_PROFILES } from '@sortie/contract/inventory/scans.ts'
import Type, { type Static } from 'typebox'
import { without } from '../../../scanner-formats/nmap/nmap-coverage.ts'
import { failureOf, info } from '../failures.ts'
import { createFindHosts, type HostToScan } from '../names/hosts.ts'
import { portPlaceOf } from '../places.ts'
import { TOP_100_UDP } from '../ports/port-lists.ts'
import { countPorts, portsIn, portsText, rangesOf, readPorts } from '../ports/port-ranges.ts'
import {
  type Found,
  OutOfScopeError,
  type ScanInput,
  type PortRange,
  type ScanNetwork,
  type Scanner,
} from '../scanner.ts'
import { readNmapOutput } from './nmap-output.ts'
import { ENVIRONMENT, NmapNotStarted, type NmapOutput, type NmapRun, runNmap } from './nmap-process.ts'

/** Addresses per run. */
const BATCH = 32
const AT_ONCE = 100
/** Logs a long run every 30th check of the rules (one check a second), so that the operation log shows its duration. */
const NOTED_EVERY = 30

interface Profile {
  protocol: 'tcp' | 'udp'
  ports: string
  /** A fixed list without user input. */
  flags: readonly string[]
  /** True if it runs nmap's scripts for versions. */
  isVersion: boolean
}

const PROFILES: Readonly<Record<(typeof NMAP_PROFILES)[number], Profile>> = {
  quick: { protocol: 'tcp', ports: 'top-100', flags: ['-T4'], isVersion: false },
  full: { protocol: 'tcp', ports: 'all', flags: ['-T4'], isVersion: false },
  udp: { protocol: 'udp', ports: TOP_100_UDP, flags: ['-sU', '-T4'], isVersion: false },
  version: { protocol: 'tcp', ports: 'top-1000', flags: ['-sV', '-T4'], isVersion: true },
}

const Options = Type.Object(
  {
    profile: Type.Enum([...NMAP_PROFILES], {
      default: 'quick',
      description:
        'quick: the 100 most common TCP ports; full: all of them; version: the 1,000 most common, with service versions; udp: the 100 most common UDP ports, which needs root',
    }),
  },
  { additionalProperties: false },
)

export const nmap: Scanner<typeof Options> = {
  id: 'nmap',
  name: 'Nmap',
  description:
    'Runs the installed program on addresses that the scope allows. Its host discovery decides which hosts are up.',
  takes: ['domain', 'ip', 'cidr', 'url', 'service'],
  produces: ['host', 'service'],
  findsServices: true,
  options: Options,
  unavailable: async () => {
    try {
      await promisify(execFile)('nmap', ['--version'], { env: ENVIRONMENT, timeout: 10_000, killSignal: 'SIGKILL' })
      return null
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === 'ENOENT' || code === undefined
        ? 'the program nmap is not installed'
        : `the program nmap could not be started (${code})`
    }
  },
  unitsOf: (input, { profile }) => {
    const place = portPlaceOf(input)
    const { protocol } = PROFILES[profile]
    if (place?.protocol === protocol) return 1
    return place?.protocol === 'udp' ? 0 : countPorts(portsOf(profile))
  },
  run: scanByNmap,
}

const portsOf = (profile: keyof typeof PROFILES): readonly PortRange[] => readPorts(PROFILES[profile].ports)

async function* scanByNmap(
  inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>,
  { profile }: Static<typeof Options>,
  reach: ScanNetwork,
): AsyncGenerator<Found> {
  const { protocol } = PROFILES[profile]
  const findHosts = createFindHosts(portsOf(profile), reach, protocol)
  const isNew = protocol === 'udp' ? createIsNew() : () => true
  let batch: HostToScan[] = []
  for await (const input of inputs) {
    const { hosts, stated } = await findHosts(input)
    if (stated.length > 0) yield* [...stated, { type: 'done', units: nmap.unitsOf(input, { profile }) } as const]
    batch.push(...hosts.filter(isNew))
    while (batch.length >= BATCH) {
      yield* scanBatch(batch.slice(0, BATCH), PROFILES[profile], reach)
      batch = batch.slice(BATCH)
    }
  }
  yield* scanBatch(batch, PROFILES[profile], reach)
}

/** For UDP, several found ports of one host yield the same scan. */
const createIsNew = () => {
  const seen = new Set<string>()
  return ({ key }: HostToScan): boolean => seen.size < seen.add(key).size
}

/**
 * Scans hosts in groups of equal ports and family, because nmap excludes a port for all hosts of a run; and again those
 * that a change of rules left unfinished and that are still permitted.
 */
async function* scanBatch(hosts: readonly HostToScan[], profile: Profile, reach: ScanNetwork): AsyncGenerator<Found> {
  const evaluated = await Promise.all(
    hosts.map(async (host) => ({ ...host, refused: await reach.deniedPorts(host.address) })),
  )
  for (let left: readonly EvaluatedHost[] = evaluated; left.length > 0;) {
    const permitted: PermittedHost[] = []
    for (const host of left) {
      const found = await permittedOf(host, profile, reach)
      if ('reason' in found) yield* [leftOut(host, found.reason), doneWith([host])]
      else permitted.push(found)
    }
    left = []
    const groups = Map.groupBy(permitted, ({ address, sent, closed, discovers }) =>
      [isIP(address), portsText(sent), closed.tcp.join(), closed.udp.join(), discovers].join(' '),
    )
    for (const group of groups.values()) left = [...left, ...(yield* runOnce(group, profile, reach))]
  }
}

/** A host with the ports that the egress policy denies. */
type EvaluatedHost = HostToScan & { refused: readonly number[] }

/** A host with what nmap may send to it now. */
type PermittedHost = EvaluatedHost & {
  /** Ports to probe. */
  sent: readonly PortRange[]
  /** Ports to exclude from everything, host discovery included. */
  closed: NmapRun['closedPorts']
  /** True for a host discovery, which sends to ports 80 and 443 and pings. */
  discovers: boolean
}

/** Ports of nmap's host discovery. */
const DISCOVERY_PORTS = [80, 443]

const permittedOf = async (
  host: EvaluatedHost,
  { protocol, isVersion }: Profile,
  reach: ScanNetwork,
): Promise<PermittedHost | { reason: string }> => {
  const { name, address, ports, refused } = host
  const place = { host: name ?? address, address }
  try {
    const { isHost, denied, allowed } = await reach.permittedPorts(place)
    // Scripts of version detection may send to the same port by the other protocol.
    const both = [...denied.tcp, ...denied.udp]
    const closed = {
      tcp: [...new Set([...refused, ...(isVersion ? both : denied.tcp)])],
      udp: [...new Set([...refused, ...(isVersion ? both : denied.udp)])],
    }
    if (isHost) await reach.evaluate(place)
    const open = isHost ? ports : rangesOf(allowed[protocol].filter((port) => isWithin(ports, port)))
    const sent = without(open, rangesOf(closed[protocol]))
    if (sent.length === 0) return { reason: await reasonOf(host, isVersion, protocol, reach) }
    if (!isHost) for (const number of portsIn(sent)) await reach.evaluate({ ...place, only: { number, protocol } })
    return { ...host, sent, closed, discovers: isHost && !DISCOVERY_PORTS.every((port) => closed.tcp.includes(port)) }
  } catch (error) {
    reach.signal.throwIfAborted()
    return { reason: failureOf(error).reason }
  }
}

const isWithin = (ports: readonly PortRange[], port: number): boolean =>
  ports.some(([from, to]) => from <= port && port <= to)

/** Why nothing is sent to any port of a host. @throws OutOfScopeError with the reason of the host or its only port */
const reasonOf = async (
  { name, address, ports, refused }: EvaluatedHost,
  isVersion: boolean,
  protocol: 'tcp' | 'udp',
  reach: ScanNetwork,
): Promise<string> => {
  if (without(ports, rangesOf(refused)).length === 0) return `the egress policy refuses port ${portsText(ports)}`
  const [[number] = []] = ports
  const only = countPorts(ports) === 1 && number !== undefined ? { number, protocol } : undefined
  await reach.evaluate({ host: name ?? address, address, only })
  return isVersion
    ? `scripts of version detection may send to port ${portsText(ports)} by TCP and UDP, and the scope rules do not allow both`
    : `the scope rules or the egress policy refuse port ${portsText(ports)}`
}

/** @returns hosts to check again, because rules changed before they were finished */
async function* runOnce(
  hosts: readonly PermittedHost[],
  profile: Profile,
  reach: ScanNetwork,
): AsyncGenerator<Found, readonly EvaluatedHost[]> {
  const [first] = hosts
  if (!first) return []
  const { protocol, flags } = profile
  const { sent, closed, discovers } = first
  const addresses = hosts.map(({ address }) => address)
  const note = async () => {
    for (const { address, name } of hosts) await reach.note({ address, host: name }, protocol, sent)
  }
  let asked = 0
  const permits = async () => {
    for (const host of hosts) {
      const now = await permittedOf(host, profile, reach)
      if ('reason' in now) throw new OutOfScopeError(host.address, now.reason)
      if (!permitsAll(now, host)) throw new OutOfScopeError(host.address, 'some of its ports are denied by now')
    }
    if (asked++ % NOTED_EVERY === 0) await note()
  }
  const { count, release } = await reach.acquireConnections(AT_ONCE)
  let output: NmapOutput
  try {
    output = await runNmap(
      { addresses, ports: sent, closedPorts: closed, protocol, flags, atOnce: count, discovers },
      permits,
      reach.signal,
    )
    await note()
  } catch (error) {
    reach.signal.throwIfAborted()
    if (error instanceof NmapNotStarted) {
      yield* hosts.map((host) => leftOut(host, 'nmap could not be started'))
      yield { type: 'log', level: 'error', text: error.message }
      yield doneWith(hosts)
      return []
    }
    if (failureOf(error).kind !== 'untouchable') throw error
    // Nothing has been sent yet.
    return hosts
  } finally {
    release()
  }
  const through = new Set<string>()
  try {
    yield* readNmapOutput(output.path, new Map(hosts.map(({ address, name }) => [address, name])), (address) =>
      through.add(address),
    )
  } finally {
    await output.remove()
  }
  const { problem, refusal } = output
  const left = problem === undefined && !refusal ? [] : hosts.filter(({ address }) => !through.has(address))
  if (refusal && !reach.signal.aborted) {
    if (failureOf(refusal.error).kind !== 'untouchable') throw refusal.error
    yield info(
      `nmap was stopped, since rules changed while it ran: ${left.length} of ${addresses.length} addresses were not scanned completely`,
    )
    yield doneWith(hosts.filter((host) => !left.includes(host)))
    return left
  }
  for (const host of left) yield leftOut(host, 'nmap was stopped before it had finished')
  reach.signal.throwIfAborted()
  if (problem !== undefined) yield { type: 'log', level: 'error', text: `nmap ended early: ${problem}` }
  else yield info(`nmap has scanned ${addresses.length === 1 ? addresses[0] : `${addresses.length} addresses`}`)
  yield doneWith(hosts)
  return []
}

/** True if all that is sent to a host is still permitted. */
const permitsAll = (now: PermittedHost, { sent, closed, discovers }: PermittedHost): boolean =>
  without(sent, now.sent).length === 0 &&
  (now.discovers || !discovers) &&
  (['tcp', 'udp'] as const).every((protocol) => now.closed[protocol].every((port) => closed[protocol].includes(port)))

const leftOut = ({ address }: HostToScan, reason: string): Found => ({ type: 'skipped', host: address, reason })
const doneWith = (hosts: readonly HostToScan[]): Found => ({
  type: 'done',
  units: hosts.reduce((sum, { ports }) => sum + countPorts(ports), 0),
})
