import { isIP } from 'node:net'
import { canonicalUrl } from '../../inventory/sightings/canonical.ts'
import type { ScanInput } from './scanner.ts'

/** Returns the port of a URL. */
export const portOfUrl = (url: URL): number =>
  url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80

/** Returns the host without IPv6 brackets. */
export const hostOfUrl = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

interface PortPlace {
  host: string
  address?: string | undefined
  protocol: 'tcp' | 'udp'
  port: number
}

/** Returns the single port of a scan input: of a URL or a service. */
export const portPlaceOf = (input: ScanInput): PortPlace | undefined => {
  if (input.kind === 'service') {
    const { address, name, protocol, port } = input
    return { host: name ?? address, address: isIP(address) === 0 ? undefined : address, protocol, port }
  }
  const url = input.kind === 'url' ? canonicalUrl(input.url) : undefined
  return url && { host: hostOfUrl(url), protocol: 'tcp', port: portOfUrl(url) }
}

/** Returns the single port only if it is TCP. */
export const tcpPlaceOf = (input: ScanInput): PortPlace | undefined => {
  const place = portPlaceOf(input)
  return place?.protocol === 'tcp' ? place : undefined
}

/**
 * Returns the name or address if the scan input is a whole host; undefined for the address of a name, which is examined
 * by its name.
 */
export const hostAlone = (input: ScanInput): string | undefined => {
  if (input.kind === 'name') return input.name
  return input.kind === 'address' && input.name === undefined ? input.address : undefined
}
