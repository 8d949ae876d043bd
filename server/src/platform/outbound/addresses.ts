import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

/**
 * An address without a zone. IPv4-mapped IPv6 is always stored as the IPv4 address that the kernel would connect to.
 */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Letters, digits, hyphens and underscores: the names that name servers resolve. A trailing dot makes a name absolute.
 */
const NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/
const MAX_NAME_LENGTH = 254
/** Characters that separate a host from the rest of a URL, or that URL parsers drop or decode. */
const NOT_IN_HOSTS = /[\s\p{Cc}/\\?#@%:]/u

/**
 * Reads a host as browsers do (WHATWG URL): `0177.0.0.1`, `2130706433`, `0x7f.1` and full-width digits are addresses,
 * and international names become Punycode.
 *
 * @returns an address, a name, or undefined for other text; zones (`fe80::1%eth0`) are neither
 */
export const parseHost = (text: string): Address | string | undefined => {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (isIP(bare) === 6) return parseIPv6(bare)
  if (NOT_IN_HOSTS.test(text)) return undefined
  const ascii = domainToASCII(text)
  if (isIP(ascii) === 4) return ipaddr.IPv4.parse(ascii)
  return ascii.length <= MAX_NAME_LENGTH && NAME.test(ascii) ? ascii : undefined
}

/** Reads an address in its usual spelling: four decimal numbers, or IPv6 without a zone. */
export const parseAddress = (text: string): Address | undefined => {
  const version = isIP(text)
  if (version === 4) return ipaddr.IPv4.parse(text)
  return version === 6 ? parseIPv6(text) : undefined
}

const parseIPv6 = (text: string): Address | undefined => {
  // One spelling for all: ipaddr.js reads `::1.2.3.4` and `::102:304` as different addresses.
  const canonical = domainToASCII(`[${text}]`)
  return canonical === '' ? undefined : ipaddr.process(canonical.slice(1, -1))
}

/** The canonical spelling, for IPv6 that of RFC 5952. */
export const textOf = (address: Address): string =>
  address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String()

/** A form of IPv6 that is routed to an IPv4 address, and the positions of its bytes. */
interface Carrier {
  name: string
  range: [ipaddr.IPv6, number]
  /** Possible positions of the IPv4 address. */
  readings: readonly (readonly number[])[]
  /** Only one of the readings is correct; only the translator knows which. */
  isAmbiguous?: true
  /** Bytes from here on are inverted. */
  invertedFrom?: number
}

const LAST_FOUR = [12, 13, 14, 15]
const carrier = (name: string, range: string, readings: Carrier['readings'], more?: Partial<Carrier>): Carrier => ({
  name,
  range: ipaddr.IPv6.parseCIDR(range),
  readings,
  ...more,
})

const CARRIERS: readonly Carrier[] = [
  carrier('IPv4-mapped', '::ffff:0:0/96', [LAST_FOUR]),
  carrier('IPv4-compatible', '::/96', [LAST_FOUR]),
  carrier('IPv4-translated', '::ffff:0:0:0/96', [LAST_FOUR]),
  carrier('NAT64', '64:ff9b::/96', [LAST_FOUR]),
  // RFC 8215: prefixes of 48, 56, 64 and 96 bits are in use, each with its own position for the address (RFC 6052,
  // 2.2).
  carrier('NAT64', '64:ff9b:1::/48', [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], LAST_FOUR], {
    isAmbiguous: true,
  }),
  carrier('6to4', '2002::/16', [[2, 3, 4, 5]]),
  // RFC 4380: server, and client with its bits inverted.
  carrier('Teredo', '2001::/32', [[4, 5, 6, 7], LAST_FOUR], { invertedFrom: 12 }),
]

const THIS_NETWORK = ipaddr.IPv4.parseCIDR('0.0.0.0/8')

/** The carrier that contains a whole range; `::` and `::1` are ordinary addresses. */
const carrierOf = (address: Address, bits = 128): Carrier | undefined => {
  if (address.kind() === 'ipv4' || ['unspecified', 'loopback'].includes(address.range())) return undefined
  return CARRIERS.find(({ range }) => bits >= range[1] && address.match(range))
}

/** The name of the form if the whole range is IPv4 within IPv6. */
export const carrierName = (address: Address, bits: number): string | undefined => carrierOf(address, bits)?.name

/**
 * The addresses that a connection may reach: the address itself, or the IPv4 addresses that it carries. Of ambiguous
 * readings it returns all except those in 0.0.0.0/8, to which no translator sends packets.
 */
export const meaningsOf = (address: Address): readonly Address[] => {
  const found = carrierOf(address)
  if (!found) return [address]
  const bytes = address.toByteArray()
  const byteAt = (index: number) => (bytes[index] as number) ^ (index >= (found.invertedFrom ?? 16) ? 0xff : 0)
  const carried = found.readings.map((reading) => new ipaddr.IPv4(reading.map(byteAt)))
  const routable = found.isAmbiguous ? carried.filter((each) => !each.match(THIS_NETWORK)) : carried
  return routable.length > 0 ? routable : carried
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The kind of address in words; by default only `public unicast` is open. */
export const kindOf = (address: Address): string => {
  const range = address.range()
  if (range !== 'unicast') return KINDS[range] ?? range
  // Only this eighth of IPv6 is assigned; ipaddr.js calls the rest unicast, too.
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST) ? PUBLIC : 'unassigned'
}

export const PUBLIC = 'public unicast'

const KINDS: Readonly<Record<string, string>> = {
  linkLocal: 'link-local',
  carrierGradeNat: 'carrier-grade NAT',
  uniqueLocal: 'unique local',
  deprecatedSiteLocal: 'site-local',
}

/**
 * Addresses at which clouds give a machine its credentials. Most are link-local or unique local; 168.63.129.16 and
 * 192.0.0.192 look like ordinary ones. Sources: the providers' documents for AWS, Google Cloud, Azure, Alibaba,
 * Tencent, Oracle, OpenStack, Scaleway and Akamai.
 */
const METADATA = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.42.42',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:a9fe:a9fe::1',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
])

export const isMetadata = (address: Address): boolean => METADATA.has(textOf(address))
