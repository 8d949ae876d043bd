import { canonicalAddress, canonicalHost, canonicalName, canonicalUrl, hostAndPort, splitHostAndPort } from '../../results/canonical.ts'
import { originOf } from '../../results/web-sightings.ts'

/** Where a finding was made, from whatever text a tool writes for it. */
export interface Place {
  asset: string
  location: string
  host: string | undefined
  askedName: string | undefined
  port: number | undefined
  protocol: string | undefined
}

/**
 * A URL (its origin is the asset), `host:port`, or a host. Undefined for anything else.
 *
 * @param port where the text has none
 */
export const placeOf = (written: string, port?: number, protocol = 'tcp'): Place | undefined => {
  const url = canonicalUrl(written)
  if (url) {
    const host = canonicalHost(url.hostname) as string
    const ofUrl = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    return { asset: originOf(url), location: url.href, host, askedName: canonicalName(host), port: ofUrl, protocol: 'tcp' }
  }
  const found = splitHostAndPort(written)
  if (!found) return undefined
  const actual = found.port ?? port
  const asset = actual === undefined ? found.host : `${hostAndPort(found.host, actual)}/${protocol}`
  return {
    asset,
    location: actual === undefined ? found.host : hostAndPort(found.host, actual),
    host: found.host,
    askedName: canonicalAddress(found.host) === undefined ? found.host : undefined,
    port: actual,
    protocol: actual === undefined ? undefined : protocol,
  }
}
