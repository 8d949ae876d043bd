import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'

const MAX_BYTES = 400
const PROTOCOL_ORDER: Record<string, string> = { tcp: '1', udp: '2', sctp: '3' }

/**
 * A text by which assets sort when compared bytewise: addresses first, by family, number, protocol and port, then all else
 * as it is. At most 400 bytes.
 */
export const orderKey = ({ asset, host, protocol, port }: { asset: string; host: string | null; protocol?: string; port: number | null }): string => {
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
  // Not in the middle of a character.
  let end = MAX_BYTES
  while (((bytes[end] as number) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** Changes with the way in which identities are made. */
const VERSION = 1

/** SHA-256, in hexadecimal, of a canonical tuple: what makes two sightings the same result. */
export const identityOf = (tuple: readonly (string | number | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, ...tuple]))
    .digest('hex')
