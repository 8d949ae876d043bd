import { type Address, carrierName, parseAddress, textOf } from './addresses.ts'

/** A range of addresses, at one port or at all ports. */
export interface Entry {
  /** In the operator's spelling. */
  text: string
  base: Address
  /** Length of the prefix in bits. */
  bits: number
  port?: number
}

/** An error in an entry of EGRESS_ALLOW or EGRESS_DENY; the message completes "NAME: ...". */
export class EntryError extends Error {}

/**
 * Reads `10.20.0.0/16`, `192.0.2.10`, `192.0.2.10:8443` or `[2001:db8::1]:443`.
 *
 * @throws EntryError
 */
export const parseEntry = (text: string): Entry => {
  const [, bracketed, bracketedPort] = /^\[([^\]]*)\]:(\d+)$/.exec(text) ?? []
  const [, plain, plainPort] = /^([\d.]+):(\d+)$/.exec(text) ?? []
  const [host = '', prefix, ...rest] = (bracketed ?? plain ?? text).split('/')
  const base = parseAddress(host)
  const portText = bracketedPort ?? plainPort
  const port = portText === undefined ? undefined : Number(portText)
  const isRange = prefix !== undefined
  if (
    !base ||
    rest.length > 0 ||
    (isRange && port !== undefined) ||
    (port !== undefined && (port < 1 || port > 65_535))
  )
    throw shapeError(text)
  if (host.includes(':') && base.kind() === 'ipv4') throw carriedError(text, 'IPv4-mapped')
  const width = base.kind() === 'ipv4' ? 32 : 128
  const bits = isRange ? Number(prefix) : width
  if (isRange && (!/^\d{1,3}$/.test(prefix) || bits > width)) throw shapeError(text)
  if (hasBitsBeyond(base, bits))
    throw new EntryError(
      `${text} names an address within a range; write the first address of the range, or only the address`,
    )
  return { text, base, bits, ...(port !== undefined && { port }) }
}

/**
 * Reads an entry of EGRESS_ALLOW. An entry that can never allow anything is an error, because the policy evaluates IPv4
 * in IPv6 as IPv4.
 *
 * @throws EntryError
 */
export const parseAllowEntry = (text: string): Entry => {
  const entry = parseEntry(text)
  const carrier = carrierName(entry.base, entry.bits)
  if (carrier) throw carriedError(text, carrier)
  return entry
}

const shapeError = (text: string) =>
  new EntryError(
    `must be a list of ranges, addresses, and addresses with a port, such as 10.20.0.0/16,192.0.2.10:8443,[2001:db8::1]:443, separated by commas; ${JSON.stringify(text)} is not one of them`,
  )

const carriedError = (text: string, carrier: string) =>
  new EntryError(
    `${text} is IPv4 within IPv6 (${carrier}), which is judged as the IPv4 that it carries; write the IPv4 address or range`,
  )

const hasBitsBeyond = (base: Address, bits: number): boolean =>
  base.toByteArray().some((byte, index) => (byte & (0xff >> Math.min(8, Math.max(0, bits - index * 8)))) !== 0)

/**
 * Reports whether the entry covers the address at this port; an entry with a port covers nothing if no port is known.
 */
export const covers = ({ base, bits, port: only }: Entry, address: Address, port: number | undefined): boolean =>
  base.kind() === address.kind() && address.match(base, bits) && (only === undefined || only === port)

/** Reports whether the entry names exactly this address, with or without a port. */
export const namesAlone = ({ base, bits }: Entry, address: Address): boolean =>
  bits === (base.kind() === 'ipv4' ? 32 : 128) && textOf(base) === textOf(address)

/** Reports whether EGRESS_ALLOW opens the address at this port; a name is opened by none of its entries. */
export const isOpened = (host: Address | string, port: number, allow: readonly string[]): boolean =>
  typeof host !== 'string' && allow.map(parseAllowEntry).some((entry) => covers(entry, host, port))
