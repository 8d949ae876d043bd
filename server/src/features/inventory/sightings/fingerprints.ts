import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'

const MAX_BYTES = 400
const PROTOCOL_ORDER: Record<string, string> = { tcp: '1', udp: '2', sctp: '3' }

/**
 * Builds a bytewise sort key for an asset: addresses first, by family, number, protocol and port, then other assets. At
 * most 400 bytes.
 */
export const orderKey = ({
  asset,
  host,
  protocol,
  port,
}: {
  asset: string
  host: string | null
  protocol?: string
  port: number | null
}): string => {
  if (host === null || !ipaddr.isValid(host)) return firstBytes(`9:${asset}`)
  const address = ipaddr.parse(host)
  const digits = address.toByteArray().map((byte) => byte.toString(16).padStart(2, '0'))
  const family = address.kind() === 'ipv4' ? '4' : '6'
  const key = `${family}:${digits.join('').padStart(32, '0')}:${PROTOCOL_ORDER[protocol ?? ''] ?? '0'}:${String(port ?? 0).padStart(5, '0')}`
  return firstBytes(`${key}:${asset}`)
}

const firstBytes = (text: string): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_BYTES) return text
  // Does not cut inside a character.
  let end = MAX_BYTES
  while (((bytes[end] as number) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** Increment when the computation of fingerprints changes. */
const VERSION = 1

/** Hashes a canonical tuple with SHA-256, in hexadecimal. Two sightings with the same fingerprint are one result. */
export const fingerprintOf = (tuple: readonly (string | number | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, ...tuple]))
    .digest('hex')
