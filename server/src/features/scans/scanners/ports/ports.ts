import Type, { type Static } from 'typebox'
import { hostSighting, serviceSighting } from '../../../inventory/sightings/sightings.ts'
import { type Failure, failureOf, tried, warning } from '../failures.ts'
import { inParallel } from '../in-parallel.ts'
import { ClosedAtNames } from '../names/closed-at-names.ts'
import { createFindHosts, type HostToScan } from '../names/hosts.ts'
import { createRate } from '../rate.ts'
import type { Found, ScanInput, ScanNetwork, Scanner } from '../scanner.ts'
import { readBanner, recogniseBanner } from './banner.ts'
import { PORT_NAMES } from './port-names.ts'
import { countPorts, portsIn, rangesOf, readPorts } from './port-ranges.ts'

const MAX_AT_ONCE = 1_000
/** Name servers may take seconds to fail. */
const NAMES_AT_ONCE = 20

const Options = Type.Object(
  {
    ports: Type.String({
      default: 'top-1000',
      description: '`top-100`, `top-1000`, `all`, or a list such as `22,80,8000-8100`',
    }),
    rate: Type.Integer({ minimum: 1, maximum: 2_000, default: 200, description: 'connections a second' }),
    timeoutMs: Type.Integer({
      minimum: 100,
      maximum: 30_000,
      default: 2_000,
      description: 'milliseconds for each connection',
    }),
  },
  { additionalProperties: false },
)

/** A host in progress. */
interface ScannedPorts extends HostToScan {
  /** Number of unfinished ports. */
  left: number
  isUp: boolean
  isSkipped: boolean
  closed: number[]
  open: number[]
}

export const ports: Scanner<typeof Options> = {
  id: 'ports',
  name: 'Ports',
  description: 'Connects to TCP ports and reads the banner. A port that does not answer is unknown, not closed.',
  takes: ['domain', 'ip', 'cidr', 'url', 'service'],
  produces: ['host', 'service'],
  findsServices: true,
  options: Options,
  unavailable: () => Promise.resolve(null),
  unitsOf: (input, options) => {
    if (input.kind === 'name' || input.kind === 'address') return countPorts(readPorts(options.ports))
    return input.kind === 'url' || input.protocol === 'tcp' ? 1 : 0
  },
  run: scanPorts,
}

/** @param options options of users; internal callers also set `rate` to Infinity */
export async function* scanPorts(
  inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>,
  options: Static<typeof Options>,
  reach: ScanNetwork,
): AsyncGenerator<Found> {
  const rate = createRate(options.rate)
  const names = new ClosedAtNames()
  // Enough for all that can wait for a response, plus some with a banner to read.
  const atOnce = Math.min(MAX_AT_ONCE, Math.ceil((options.rate * options.timeoutMs) / 1_000) + 10)
  yield* inParallel(probes(inputs, options, reach, names), atOnce, reach.signal, async (probe) => {
    if ('stated' in probe) return probe.stated
    await rate.turn(reach.signal)
    const found = await look(probe.host, probe.port, options.timeoutMs, reach)
    if (probe.host.left === 0) names.note(probe.host.key, rangesOf(probe.host.closed))
    return found
  })
  yield* names.coverages()
}

type Probe = { host: ScannedPorts; port: number } | { stated: readonly Found[] }

/** Yields every port of every host, not in the order of ports. */
async function* probes(
  inputs: Iterable<ScanInput> | AsyncIterable<ScanInput>,
  options: Static<typeof Options>,
  reach: ScanNetwork,
  names: ClosedAtNames,
): AsyncGenerator<Probe> {
  const findHosts = createFindHosts(readPorts(options.ports), reach)
  const found = inParallel(inputs, NAMES_AT_ONCE, reach.signal, async (input) => [
    { input, ...(await findHosts(input)) },
  ])
  for await (const { input, hosts, stated, named } of found) {
    if (named) names.add(named.name, named.keys)
    if (stated.length > 0) yield { stated: [...stated, { type: 'done', units: ports.unitsOf(input, options) }] }
    for (const host of hosts) {
      const looked: ScannedPorts = {
        ...host,
        left: countPorts(host.ports),
        isUp: false,
        isSkipped: false,
        closed: [],
        open: [],
      }
      for (const port of portsIn(host.ports)) yield { host: looked, port }
    }
  }
}

const look = async (
  host: ScannedPorts,
  port: number,
  timeoutMs: number,
  reach: ScanNetwork,
): Promise<readonly Found[]> => {
  const found: Found[] = []
  try {
    const banner = await listenTo(host, port, timeoutMs, reach)
    host.open.push(port)
    found.push(...heard(host), ...serviceFound(host, port, banner))
  } catch (error) {
    reach.signal.throwIfAborted()
    found.push(...without(host, port, failureOf(error)))
  }
  host.left--
  found.push({ type: 'done', units: 1 }, ...(host.left === 0 ? summary(host) : []))
  return found
}

const listenTo = async (
  { name, address }: ScannedPorts,
  port: number,
  timeoutMs: number,
  reach: ScanNetwork,
): Promise<Buffer> => {
  try {
    const socket = await reach.connect({ host: name ?? address, address, port }, timeoutMs)
    const banner = await readBanner(socket)
    socket.destroy()
    return banner
  } catch (error) {
    // A reset means that the connection was accepted, and ended before this program noticed.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return Buffer.alloc(0)
    throw error
  }
}

/** A host that accepts or refuses is up; reported once per host. */
const heard = (host: ScannedPorts): readonly Found[] => {
  if (host.isUp) return []
  host.isUp = true
  return [{ type: 'sighting', sighting: hostSighting({ host: host.address, askedName: host.name, up: true }) }]
}

const serviceFound = ({ address, name }: ScannedPorts, port: number, banner: Buffer): readonly Found[] => {
  const spoken = recogniseBanner(banner)
  const service = spoken.name ?? PORT_NAMES[port]
  return [
    ...tried(`${address} port ${port}`, () => [
      {
        type: 'sighting',
        sighting: serviceSighting({
          host: address,
          askedName: name,
          protocol: 'tcp',
          port,
          banner: banner.toString('utf8'),
          ...spoken,
          name: service,
          isNameGuessed: true,
        }),
      },
    ]),
    { type: 'input', input: { kind: 'service', address, name, protocol: 'tcp', port, service } },
  ]
}

const without = (host: ScannedPorts, port: number, failure: Failure): readonly Found[] => {
  if (failure.kind === 'refused') {
    host.closed.push(port)
    return heard(host)
  }
  // Reported once per host: its other ports usually fail for the same reason.
  if (failure.kind !== 'untouchable' || host.isSkipped) return []
  host.isSkipped = true
  return [{ type: 'skipped', host: host.address, reason: `port ${port}: ${failure.reason}` }]
}

const summary = ({ address, closed, open, ports: wanted }: ScannedPorts): readonly Found[] => {
  const known = [...open, ...closed]
  const silent = countPorts(wanted) - known.length
  const stated = `${address}: ${open.length} of ${countPorts(wanted)} ports are open${silent > 0 ? `, ${silent} did not answer` : ''}`
  if (known.length === 0) return [warning(stated)]
  return [
    {
      type: 'coverage',
      coverage: { what: 'ports', host: address, protocol: 'tcp', ranges: rangesOf(known), closed: rangesOf(closed) },
    },
    { type: 'log', level: 'info', text: stated },
  ]
}
