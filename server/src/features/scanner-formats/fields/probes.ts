import type { Range } from '../../inventory/coverage/coverage.ts'
import {
  canonicalAddress,
  canonicalHost,
  canonicalPort,
  canonicalProtocol,
} from '../../inventory/sightings/canonical.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import type { Item } from '../registry/format.ts'
import { readMoment } from './moments.ts'

/** A probe of a host that a file reports. Times are in milliseconds since 1970. */
export interface ProbeRecord {
  /** Canonical address or name. */
  host: string
  /** If `host` is a name: the address that was contacted, if the file reports it. */
  address?: string | null
  protocol: string | null
  ports: readonly Range[]
  from: number
  to: number
}

/** No scan is older, and clocks are wrong by less than a day. */
const EARLIEST_MS = Date.UTC(1997, 8, 1)
const DAY_MS = 86_400_000

/** Parses a tool's time: ISO 8601, or seconds or milliseconds since 1970. Returns undefined if it is invalid. */
export const momentIn = (written: unknown): number | undefined => {
  const number =
    typeof written === 'number'
      ? written
      : typeof written === 'string' && /^\d{9,13}$/.test(written)
        ? Number(written)
        : undefined
  const isText = typeof written === 'string' && written.length <= 40 && /^\d{4}-\d\d-\d\dT/.test(written)
  const ms =
    number === undefined
      ? isText
        ? Date.parse(written)
        : Number.NaN
      : number < 100_000_000_000
        ? number * 1_000
        : number
  return ms >= EARLIEST_MS && ms < Date.now() + DAY_MS ? Math.trunc(ms) : undefined
}

/** Returns a probe for the period in which a tool scanned a host; undefined unless both times are known. */
export const probeBetween = (
  host: string,
  began: string | undefined,
  ended: string | undefined,
): ProbeRecord | undefined => {
  const [from, to] = [readMoment(began ?? '')?.at, readMoment(ended ?? '')?.at]
  if (from === undefined || to === undefined || from < EARLIEST_MS || to < from || to > Date.now() + DAY_MS)
    return undefined
  return { host, protocol: null, ports: [], from, to }
}

/** Returns the probe of a row with a time, at the host and port of its sighting. */
export const probeOf = (
  { host, address, protocol, port }: Pick<Sighting, 'host' | 'address' | 'protocol' | 'port'>,
  time: unknown,
): ProbeRecord | undefined => {
  const at = momentIn(time)
  if (at === undefined || host === null) return undefined
  return {
    host,
    address,
    protocol: canonicalProtocol(protocol ?? undefined) ?? null,
    ports: port === null ? [] : [[port, port]],
    from: at,
    to: at,
  }
}

/** Nothing was sent if the name did not resolve. */
const UNRESOLVED = /no (?:address|such host)|not? resolve|nxdomain/i

/** Yields the probe of a row without a result, unless its name did not resolve. */
export function* probeIn(
  row: Record<string, unknown>,
  { host: written, address, port }: { host: string | undefined; address: string | undefined; port: unknown },
): Generator<Item> {
  const asked = { address: canonicalAddress(address ?? '') ?? null, protocol: 'tcp', port: canonicalPort(port) ?? null }
  const host = canonicalHost(written ?? '') ?? asked.address
  const isUnresolved = typeof row['error'] === 'string' && UNRESOLVED.test(row['error'])
  const probe = isUnresolved ? undefined : probeOf({ host, ...asked }, row['timestamp'])
  if (probe) yield { type: 'probe', probe }
}
