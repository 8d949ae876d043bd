import { canonicalAddress, canonicalHost, canonicalPort, canonicalProtocol } from '../../results/canonical.ts'
import type { Range } from '../../results/coverages.ts'
import type { Sighting } from '../../results/sightings.ts'
import type { Item } from './format.ts'
import { readMoment } from './moments.ts'

/** What a file says was asked of a host, and when, in milliseconds since 1970. */
export interface Contact {
  /** Canonical address or name. */
  host: string
  /** Where it is a name: the address that was asked by it, if the file says so. */
  address?: string | null
  protocol: string | null
  ports: readonly Range[]
  from: number
  to: number
}

/** Nothing was scanned before, and clocks are wrong by less than a day. */
const EARLIEST_MS = Date.UTC(1997, 8, 1)
const DAY_MS = 86_400_000

/** A time as tools write it: ISO 8601, or seconds or milliseconds since 1970. Undefined for what is none. */
export const momentIn = (written: unknown): number | undefined => {
  const number = typeof written === 'number' ? written : typeof written === 'string' && /^\d{9,13}$/.test(written) ? Number(written) : undefined
  const isText = typeof written === 'string' && written.length <= 40 && /^\d{4}-\d\d-\d\dT/.test(written)
  const ms = number === undefined ? (isText ? Date.parse(written) : Number.NaN) : number < 100_000_000_000 ? number * 1_000 : number
  return ms >= EARLIEST_MS && ms < Date.now() + DAY_MS ? Math.trunc(ms) : undefined
}

/** Of a host that a file was busy with from one time to another; undefined where it does not say both. */
export const contactBetween = (host: string, began: string | undefined, ended: string | undefined): Contact | undefined => {
  const [from, to] = [readMoment(began ?? '')?.at, readMoment(ended ?? '')?.at]
  if (from === undefined || to === undefined || from < EARLIEST_MS || to < from || to > Date.now() + DAY_MS) return undefined
  return { host, protocol: null, ports: [], from, to }
}

/** Of a row with a time: the host and the port that its sighting is about were asked then. */
export const contactOf = ({ host, address, protocol, port }: Pick<Sighting, 'host' | 'address' | 'protocol' | 'port'>, time: unknown): Contact | undefined => {
  const at = momentIn(time)
  if (at === undefined || host === null) return undefined
  return { host, address, protocol: canonicalProtocol(protocol ?? undefined) ?? null, ports: port === null ? [] : [[port, port]], from: at, to: at }
}

/** Where a name led nowhere, nothing was sent to it. */
const UNRESOLVED = /no (?:address|such host)|not? resolve|nxdomain/i

/** Of a row of a tool that asked and saw nothing: that it was asked, unless its name led nowhere. */
export function* contactIn(
  row: Record<string, unknown>,
  { host: written, address, port }: { host: string | undefined; address: string | undefined; port: unknown },
): Generator<Item> {
  const asked = { address: canonicalAddress(address ?? '') ?? null, protocol: 'tcp', port: canonicalPort(port) ?? null }
  const host = canonicalHost(written ?? '') ?? asked.address
  const isUnresolved = typeof row['error'] === 'string' && UNRESOLVED.test(row['error'])
  const contact = isUnresolved ? undefined : contactOf({ host, ...asked }, row['timestamp'])
  if (contact) yield { type: 'contact', contact }
}
