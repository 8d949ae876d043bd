import ipaddr from 'ipaddr.js'

/**
 * The bucket that an address without a valid key counts in: the address itself, for IPv6 its /64, since one subscriber
 * holds all of that.
 */
export const addressBucket = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}
