import ipaddr from 'ipaddr.js'
import { type Address, carrierName, meaningsOf, parseAddress, textOf } from '../../../platform/outbound/addresses.ts'

/** Consecutive addresses, both ends included. IPv4-mapped IPv6 is stored as the IPv4 address that it carries. */
export interface AddressRange {
  family: 4 | 6
  first: bigint
  last: bigint
}

export const WIDTH = { 4: 32, 6: 128 } as const

/** Number of addresses of a family: one more than the last address. */
export const END = { 4: 1n << 32n, 6: 1n << 128n } as const

/** Bits before the IPv4 address in `::ffff:10.0.0.5`. */
const MAPPED_BITS = 96

/** A single address in its canonical form, or undefined. */
export const parseSingle = (text: string): AddressRange | undefined => {
  const address = parseAddress(text)
  return address && singleOf(address)
}

const singleOf = (address: Address): AddressRange => {
  const number = address.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return { family: address.kind() === 'ipv4' ? 4 : 6, first: number, last: number }
}

/**
 * The network of this prefix length that contains the address.
 *
 * @param text the address as written: for IPv4-mapped IPv6, the length counts from the start of the IPv6 address
 * @returns undefined if the length is invalid, or would exceed the mapped IPv4 addresses
 */
export const parseNetwork = (text: string, bits: number): AddressRange | undefined => {
  const address = parseAddress(text)
  if (!address) return undefined
  const isMapped = address.kind() === 'ipv4' && text.includes(':')
  const length = isMapped ? bits - MAPPED_BITS : bits
  const { family, first } = singleOf(address)
  if (length < 0 || length > WIDTH[family]) return undefined
  return networkOf(family, first, length)
}

const networkOf = (family: 4 | 6, inside: bigint, bits: number): AddressRange => {
  const size = 1n << BigInt(WIDTH[family] - bits)
  const first = inside - (inside % size)
  return { family, first, last: first + size - 1n }
}

export const isSingle = ({ first, last }: AddressRange): boolean => first === last

/** The prefix length of a range that is a network; undefined for other ranges. */
export const prefixOf = ({ family, first, last }: AddressRange): number | undefined => {
  const size = last - first + 1n
  const isPowerOfTwo = (size & (size - 1n)) === 0n
  return isPowerOfTwo && first % size === 0n ? WIDTH[family] - size.toString(2).length + 1 : undefined
}

/** `10.0.0.5`, `10.0.0.0/8` or `10.0.0.1-10.0.0.50`; addresses as in RFC 5952. */
export const rangeText = (range: AddressRange): string => {
  const first = addressText(range.family, range.first)
  if (isSingle(range)) return first
  const prefix = prefixOf(range)
  return prefix === undefined ? `${first}-${addressText(range.family, range.last)}` : `${first}/${prefix}`
}

const addressText = (family: 4 | 6, number: bigint): string => textOf(addressOf(family, number))

const addressOf = (family: 4 | 6, number: bigint): Address => {
  const bytes = Array.from({ length: WIDTH[family] / 8 }, (_, index) =>
    Number((number >> BigInt(WIDTH[family] - 8 * (index + 1))) & 0xffn),
  )
  return family === 4 ? new ipaddr.IPv4(bytes) : new ipaddr.IPv6(bytes)
}

/** The IPv4 addresses that IPv6 addresses or networks carry (NAT64, 6to4 and others); empty if they carry none. */
export const carriedBy = (range: AddressRange): AddressRange[] => {
  const bits = range.family === 6 ? prefixOf(range) : undefined
  if (bits === undefined) return []
  const [first, last] = [addressOf(6, range.first), addressOf(6, range.last)]
  if (carrierName(first, bits) === undefined) return []
  const lasts = meaningsOf(last)
  return meaningsOf(first).flatMap((meaning, index): AddressRange[] => {
    const end = lasts[index]
    if (end === undefined || end.kind() !== 'ipv4') return []
    // Teredo inverts the bits of the client, so that its last address comes first.
    const [a, b] = [singleOf(meaning).first, singleOf(end).first]
    return [{ family: 4, first: a < b ? a : b, last: a < b ? b : a }]
  })
}

/** 32 hexadecimal digits: texts of one family sort in the order of their addresses. */
export const addressDigits = (number: bigint): string => number.toString(16).padStart(32, '0')

/** The prefix length of a netmask such as `255.255.255.0`; undefined for other texts. */
export const netmaskBits = (text: string): number | undefined => {
  const address = parseAddress(text)
  return address?.kind() === 'ipv4' ? (address.prefixLengthFromSubnetMask() ?? undefined) : undefined
}
