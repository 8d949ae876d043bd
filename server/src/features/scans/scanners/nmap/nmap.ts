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
import { countPorts, portsText, rangesOf, readPorts } from '../ports/port-ranges.ts'
import type { Found, ScanInput, PortRange, ScanNetwork, Scanner } from '../scanner.ts'
import { readNmapOutput } from './nmap-output.ts'
import { ENVIRONMENT, NmapNotStarted, type NmapOutput, runNmap } from './nmap-process.ts'

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
}

const PROFILES: Readonly<Record<(typeof NMAP_PROFILES)[number], Profile>> = {
  quick: { protocol: 'tcp', ports: 'top-100', flags: ['-T4'] },
  full: { protocol: 'tcp', ports: 'all', flags: ['-T4'] },
  udp: { protocol: 'udp', ports: TOP_100_UDP, flags: ['-sU', '-T4'] },
  version: { protocol: 'tcp', ports: 'top-1000', flags: ['-sV', '-T4'] },
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

/** Groups hosts by ports and family: nmap excludes a port for all hosts of a run. */
async function* scanBatch(hosts: readonly HostToScan[], profile: Profile, reach: ScanNetwork): AsyncGenerator<Found> {
  const evaluated = await Promise.all(
    hosts.map(async (host) => ({ ...host, closed: await reach.deniedPorts(host.address) })),
  )
  const groups = Map.groupBy(
    evaluated,
    ({ address, ports, closed }) => `${isIP(address)} ${ports.join()} ${closed.join()}`,
  )
  for (const group of groups.values()) yield* scanGroup(group, profile, reach)
}

/** Ports of the host that nmap must not probe. */
type EvaluatedHost = HostToScan & { closed: readonly number[] }

/** Runs nmap once, and again for unfinished hosts that are still permitted if rules changed during the run. */
async function* scanGroup(
  hosts: readonly EvaluatedHost[],
  profile: Profile,
  reach: ScanNetwork,
): AsyncGenerator<Found> {
  for (let left = hosts; left.length > 0;) {
    const allowed: EvaluatedHost[] = []
    for (const host of left) {
      const reason = await refusalOf(host, reach)
      if (reason === undefined) allowed.push(host)
      else yield* [leftOut(host, reason), doneWith([host])]
    }
    left = yield* runOnce(allowed, profile, reach)
  }
}

/** @returns why the host is no longer permitted */
const refusalOf = async (
  { name, address, ports, closed }: EvaluatedHost,
  reach: ScanNetwork,
): Promise<string | undefined> => {
  if (without(ports, rangesOf(closed)).length === 0) return `the egress policy refuses port ${portsText(ports)}`
  try {
    await reach.evaluate({ host: name ?? address, address })
    return undefined
  } catch (error) {
    reach.signal.throwIfAborted()
    return failureOf(error).reason
  }
}

/** @returns hosts to check again, because rules changed before they were finished */
async function* runOnce(
  hosts: readonly EvaluatedHost[],
  { protocol, flags }: Profile,
  reach: ScanNetwork,
): AsyncGenerator<Found, readonly EvaluatedHost[]> {
  const [first] = hosts
  if (!first) return []
  const { ports, closed } = first
  const addresses = hosts.map(({ address }) => address)
  const note = async () => {
    for (const { address, name } of hosts) await reach.note({ address, host: name }, protocol, ports)
  }
  let asked = 0
  const permits = async () => {
    for (const { address, name } of hosts) await reach.evaluate({ host: name ?? address, address })
    if (asked++ % NOTED_EVERY === 0) await note()
  }
  const { count, release } = await reach.acquireConnections(AT_ONCE)
  let output: NmapOutput
  try {
    output = await runNmap(
      { addresses, ports, closedPorts: closed, protocol, flags, atOnce: count },
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

const leftOut = ({ address }: HostToScan, reason: string): Found => ({ type: 'skipped', host: address, reason })
const doneWith = (hosts: readonly HostToScan[]): Found => ({
  type: 'done',
  units: hosts.reduce((sum, { ports }) => sum + countPorts(ports), 0),
})
