import ipaddr from 'ipaddr.js'

/**
 * The network of an address: IPv4 /24, IPv6 /48. One party often has a whole IPv6 /48, which is 65,536 of the /64s that
 * `addressBucket` counts by (finding S37).
 *
 * @returns `198.51.100.0/24`, `2001:db8:77::/48`; the input itself if it is not an address
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return `${(parsed as ipaddr.IPv4).octets.slice(0, 3).join('.')}.0/24`
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 3).map((part) => part.toString(16))
  return `${prefix.join(':')}::/48`
}
