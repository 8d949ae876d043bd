import { canonicalProtocol } from '../../results/canonical.ts'
import type { Range } from '../../results/coverages.ts'
import type { Sighting } from '../../results/sightings.ts'

/** What a file says was asked of a host, and when, in milliseconds since 1970. */
export interface Contact {
  /** Canonical address or name. */
  host: string
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

/** Of a row with a time: the host and the port that its sighting is about were asked then. */
export const contactOf = ({ host, protocol, port }: Pick<Sighting, 'host' | 'protocol' | 'port'>, time: unknown): Contact | undefined => {
  const at = momentIn(time)
  if (at === undefined || host === null) return undefined
  return { host, protocol: canonicalProtocol(protocol ?? undefined) ?? null, ports: port === null ? [] : [[port, port]], from: at, to: at }
}
