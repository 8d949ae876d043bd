import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The rate limit bucket of an address without a valid key: the address itself, or its /64 for IPv6, because one
 * subscriber holds a whole /64.
 */
export const addressBucket = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}

/** `203.0.113.78:47011`, `[2001:db8::1]:47011`, `[2001:db8::1]`: gateways also write the client's port. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/i

/**
 * Makes `X-Forwarded-For` a list of addresses before the log, the audit and the limits read the client's address from
 * it. Cuts ports off. Reading from the nearest proxy, the list ends at the first entry that is not an address, such as
 * `unknown`: the client then has the address of the proxy that wrote the entry (S38).
 */
export const normalizeForwardedFor = ({ headers }: IncomingMessage): void => {
  const written = headers['x-forwarded-for']
  if (typeof written !== 'string') return
  const addresses: string[] = []
  for (const entry of written.split(',').toReversed()) {
    const text = entry.trim()
    const [, v6, v4] = WITH_PORT.exec(text) ?? []
    const address = v6 ?? v4 ?? text
    if (isIP(address) === 0) break
    addresses.unshift(address)
  }
  headers['x-forwarded-for'] = addresses.join(', ')
}

/** @param ranges addresses and ranges, in the format of `TRUST_PROXY` */
export const trustedBy = (ranges: readonly string[]): ((address: string) => boolean) => {
  const trusted = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
