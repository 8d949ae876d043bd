import { isIP } from 'node:net'
import { canonicalUrl } from '../../results/canonical.ts'
import type { Lead } from './scanner.ts'

/** The port that a URL is asked at. */
export const portOfUrl = (url: URL): number => (url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80)

/** Without the brackets of IPv6. */
export const hostOfUrl = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** The one port that a lead is about, where it is about one: of a URL, or of a service over TCP. */
export const tcpPlaceOf = (lead: Lead): { host: string; address?: string | undefined; port: number } | undefined => {
  if (lead.kind === 'service') {
    const address = isIP(lead.address) === 0 ? undefined : lead.address
    return lead.protocol === 'tcp' ? { host: lead.name ?? lead.address, address, port: lead.port } : undefined
  }
  const url = lead.kind === 'url' ? canonicalUrl(lead.url) : undefined
  return url && { host: hostOfUrl(url), port: portOfUrl(url) }
}

/** The name or address that a lead is about as a whole. The address of a name that is asked itself is none. */
export const hostAlone = (lead: Lead): string | undefined => {
  if (lead.kind === 'name') return lead.name
  return lead.kind === 'address' && lead.name === undefined ? lead.address : undefined
}
