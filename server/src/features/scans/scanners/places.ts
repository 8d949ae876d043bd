import { isIP } from 'node:net'
import { canonicalUrl } from '../../results/canonical.ts'
import type { Lead } from './scanner.ts'

/** The port that a URL is asked at. */
export const portOfUrl = (url: URL): number => (url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80)

/** Without the brackets of IPv6. */
export const hostOfUrl = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

interface PortPlace {
  host: string
  address?: string | undefined
  protocol: 'tcp' | 'udp'
  port: number
}

/** The one port that a lead is about, where it is about one: of a URL, or of a service. */
export const portPlaceOf = (lead: Lead): PortPlace | undefined => {
  if (lead.kind === 'service') {
    const { address, name, protocol, port } = lead
    return { host: name ?? address, address: isIP(address) === 0 ? undefined : address, protocol, port }
  }
  const url = lead.kind === 'url' ? canonicalUrl(lead.url) : undefined
  return url && { host: hostOfUrl(url), protocol: 'tcp', port: portOfUrl(url) }
}

/** The same over TCP alone. */
export const tcpPlaceOf = (lead: Lead): PortPlace | undefined => {
  const place = portPlaceOf(lead)
  return place?.protocol === 'tcp' ? place : undefined
}

/** The name or address that a lead is about as a whole. The address of a name that is asked itself is none. */
export const hostAlone = (lead: Lead): string | undefined => {
  if (lead.kind === 'name') return lead.name
  return lead.kind === 'address' && lead.name === undefined ? lead.address : undefined
}
