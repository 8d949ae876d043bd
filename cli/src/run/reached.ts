import { isIP } from 'node:net'
import type { Input } from '@sortie/client/calls.ts'
import { usageError } from '../program/exit.ts'

/** An entry of the operation log. */
export type Reached = Input<'createOperations'>['body']['targets'][number]

/** Addresses of one target: a larger network is run in parts. */
const MAX_ADDRESSES = 65_536

const HTTP_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * The entries of the operation log for a target: one for each address of a network.
 *
 * @throws CliError for anything but an address, a name, a network or a URL
 */
export const toReached = (target: string): Reached[] => {
  const range = toRange(target)
  if (range) return addressesOf(target, range).map((address) => ({ address }))
  if (target.includes('://')) return [ofUrl(target)]
  const { host, port } = splitPort(target)
  return [{ ...place(host, target), ...(port !== undefined && { port }) }]
}

const ofUrl = (target: string): Reached => {
  if (!URL.canParse(target)) throw unreadable(target)
  const { protocol, hostname, port } = new URL(target)
  const number = port === '' ? HTTP_PORTS[protocol] : Number(port)
  return { ...place(hostname, target), ...(number !== undefined && { port: number }), protocol: protocol.slice(0, -1) }
}

/** `shop.example:8443`, `[2001:db8::1]:22`, `10.0.0.1:53/udp` */
const splitPort = (target: string): { host: string; port?: number } => {
  const plain = target.split('/')[0] ?? target
  const colon = plain.lastIndexOf(':')
  const port = plain.slice(colon + 1)
  if (colon < 0 || isIP(plain) === 6 || !/^\d{1,5}$/.test(port)) return { host: plain }
  return { host: plain.slice(0, colon), port: Number(port) }
}

const place = (host: string, target: string): Reached => {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (isIP(bare) > 0) return { address: bare }
  if (!/^[\w.*-]+$/.test(bare) && !/^[\p{L}\p{N}._-]+$/u.test(bare)) throw unreadable(target)
  return { host: bare }
}

/** The addresses of `10.0.0.1-50`, which scanners take and the server does not; others as they are. */
export const expandRange = (target: string): string[] => {
  const range = target.includes('-') ? toRange(target) : undefined
  return range ? addressesOf(target, range) : [target]
}

/** The host of a target that is a name; undefined for addresses and networks. */
export const nameIn = (target: string): string | undefined => (toRange(target) ? undefined : toReached(target)[0]?.host)

interface Range {
  family: 4 | 6
  first: bigint
  last: bigint
}

/** `10.0.0.0/24`, `10.0.0.1-50`, `10.0.0.1-10.0.0.50`, and single addresses. */
const toRange = (target: string): Range | undefined => {
  const [from = '', to] = target.split('-')
  const [address = '', prefix] = from.split('/')
  const family = isIP(address)
  if (family !== 4 && family !== 6) return undefined
  const first = toNumber(address)
  if (to !== undefined) {
    const last = isIP(to) === family ? toNumber(to) : lastOctet(address, to)
    return last === undefined || prefix !== undefined || last < first ? undefined : { family, first, last }
  }
  if (prefix === undefined) return { family, first, last: first }
  const bits = family === 4 ? 32 : 128
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined
  const size = 1n << BigInt(bits - Number(prefix))
  const start = first - (first % size)
  return { family, first: start, last: start + size - 1n }
}

const lastOctet = (address: string, octet: string): bigint | undefined => {
  if (isIP(address) !== 4 || !/^\d{1,3}$/.test(octet) || Number(octet) > 255) return undefined
  return toNumber([...address.split('.').slice(0, 3), octet].join('.'))
}

const toNumber = (address: string): bigint =>
  isIP(address) === 4
    ? address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n)
    : hextetsOf(address).reduce((sum, hextet) => sum * 65_536n + BigInt(`0x${hextet}`), 0n)

/** The eight parts of an IPv6 address; `URL` writes IPv4 within it in hexadecimal digits. */
const hextetsOf = (address: string): string[] => {
  const [before = '', after] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const parts = (text: string) => text.split(':').filter((part) => part !== '')
  const [left, right] = [parts(before), parts(after ?? '')]
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
}

const toAddress = (family: 4 | 6, number: bigint): string => {
  const [count, base] = family === 4 ? [4, 8n] : [8, 16n]
  const parts = Array.from(
    { length: count },
    (_, index) => (number >> (base * BigInt(count - 1 - index))) % (1n << base),
  )
  if (family === 4) return parts.join('.')
  return new URL(`http://[${parts.map((part) => part.toString(16)).join(':')}]/`).hostname.slice(1, -1)
}

const addressesOf = (target: string, { family, first, last }: Range): string[] => {
  const count = last - first + 1n
  if (count > BigInt(MAX_ADDRESSES))
    throw usageError(`${target} has more than ${MAX_ADDRESSES} addresses, each of which is logged: run it in parts.`)
  return Array.from({ length: Number(count) }, (_, index) => toAddress(family, first + BigInt(index)))
}

const unreadable = (target: string) =>
  usageError(`"${target}" is not an address, a name, a network or a URL: name what it means with --target.`)
