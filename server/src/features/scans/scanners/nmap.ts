import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { NMAP_PROFILES } from '@sortie/contract/scans.ts'
import Type, { type Static } from 'typebox'
import { failureOf, info } from './failures.ts'
import { createFindHosts, type HostToScan } from './hosts.ts'
import { readNmapOutput } from './nmap-output.ts'
import { ENVIRONMENT, type NmapRun, runNmap } from './nmap-process.ts'
import { TOP_100_UDP } from './port-lists.ts'
import { countPorts, readPorts } from './port-ranges.ts'
import type { Found, Lead, PortRange, Reach, Scanner } from './scanner.ts'

/** Addresses that one run is given. */
const BATCH = 32
const AT_ONCE = 100

interface Profile {
  protocol: 'tcp' | 'udp'
  ports: string
  /** A closed list: nothing that somebody typed is among them. */
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
        'quick: the 100 most common TCP ports; full: all of them; version: the 1,000 most common, with what runs there; udp: the 100 most common UDP ports, which needs root',
    }),
  },
  { additionalProperties: false },
)

export const nmap: Scanner<typeof Options> = {
  id: 'nmap',
  name: 'Nmap',
  description: 'Runs the installed program on addresses that were judged. Its own host discovery decides who is up.',
  takes: ['domain', 'ip', 'cidr', 'url', 'service'],
  produces: ['host', 'service'],
  options: Options,
  unavailable: async () => {
    try {
      await promisify(execFile)('nmap', ['--version'], { env: ENVIRONMENT, timeout: 10_000 })
      return null
    } catch {
      return 'the program nmap is not installed'
    }
  },
  unitsOf: (lead, { profile }) => (lead.kind === 'name' || lead.kind === 'address' ? countPorts(portsOf(profile)) : 1),
  run: scanByNmap,
}

const portsOf = (profile: keyof typeof PROFILES): readonly PortRange[] => readPorts(PROFILES[profile].ports)

async function* scanByNmap(leads: Iterable<Lead> | AsyncIterable<Lead>, { profile }: Static<typeof Options>, reach: Reach): AsyncGenerator<Found> {
  const findHosts = createFindHosts(portsOf(profile), reach)
  let batch: HostToScan[] = []
  for await (const lead of leads) {
    const { hosts, said } = await findHosts(lead)
    if (said.length > 0) yield* [...said, { type: 'done', units: nmap.unitsOf(lead, { profile }) } as const]
    batch.push(...hosts)
    while (batch.length >= BATCH) {
      yield* scanBatch(batch.slice(0, BATCH), PROFILES[profile], reach)
      batch = batch.slice(BATCH)
    }
  }
  yield* scanBatch(batch, PROFILES[profile], reach)
}

/** One run for those that are looked at on the same ports, of the same family. */
async function* scanBatch(hosts: readonly HostToScan[], profile: Profile, reach: Reach): AsyncGenerator<Found> {
  for (const group of Map.groupBy(hosts, ({ address, ports }) => `${isIP(address)} ${ports.join()}`).values()) yield* scanGroup(group, profile, reach)
}

async function* scanGroup(hosts: readonly HostToScan[], { protocol, flags }: Profile, reach: Reach): AsyncGenerator<Found> {
  const [first] = hosts
  if (!first) return
  const addresses = hosts.map(({ address }) => address)
  const closed = new Set((await Promise.all(addresses.map((address) => reach.deniedPorts(address)))).flat())
  const { count, release } = await reach.takeConnections(AT_ONCE)
  try {
    for (const address of addresses) await reach.note(address, protocol, first.ports)
    const run: NmapRun = { addresses, ports: first.ports, closedPorts: [...closed], protocol, flags, atOnce: count }
    // Rules may change while it runs: it is ended then, and not asked again.
    const permits = () =>
      Promise.all(addresses.map((address) => reach.judge({ host: hosts.find((each) => each.address === address)?.name ?? address, address })))
    const output = await runNmap(run, permits, reach.signal)
    try {
      yield* readNmapOutput(output.path, new Map(hosts.map(({ address, name }) => [address, name])), reach.signal)
    } finally {
      await output.remove()
    }
    if (output.problem !== undefined) yield { type: 'log', level: 'error', text: `nmap ended early: ${output.problem}` }
    else yield info(`nmap has looked at ${addresses.length === 1 ? addresses[0] : `${addresses.length} addresses`}`)
  } catch (error) {
    reach.signal.throwIfAborted()
    yield { type: 'skipped', host: first.address, reason: failureOf(error).reason }
  } finally {
    release()
  }
  yield { type: 'done', units: hosts.reduce((sum, { ports }) => sum + countPorts(ports), 0) }
}
