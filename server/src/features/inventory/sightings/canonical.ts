import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

/** In characters. Longer values are rejected, because fingerprints and order keys are computed from them. */
export const MAX_VALUE_LENGTH = 4_096
const MAX_NAME_LENGTH = 253
const LABEL = /^[a-z0-9_-]{1,63}$/
const NUMERIC = /^(?:\d+|0x[0-9a-f]*)$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const LEADING_ZERO = /(?:^|\.)0\d/

/**
 * Returns the canonical form of an IP address (RFC 5952; IPv4 mapped into IPv6 becomes IPv4), without final dot,
 * brackets and zone. Returns undefined if the text is not an address; octal and short forms of IPv4 are rejected too.
 */
export const canonicalAddress = (written: string): string | undefined => {
  if (written.length > 100) return undefined
  const text = withoutZone(unbracketed(written.trim()).replace(/\.$/, ''))
  if (IPV4.test(text)) return LEADING_ZERO.test(text) || !ipaddr.IPv4.isValid(text) ? undefined : text
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String()
}

/**
 * Returns a host name in lower case and ASCII (UTS 46), without final dot; undefined if it is not a name, or has a
 * wildcard.
 */
export const canonicalName = (written: string): string | undefined => {
  const text = written.trim().replace(/\.$/, '')
  if (text === '' || text.length > 4 * MAX_NAME_LENGTH) return undefined
  const isAscii = /^[\x21-\x7e]+$/.test(text)
  const name = isAscii ? text.toLowerCase() : domainToASCII(text)
  const labels = name.split('.')
  if (
    name.length > MAX_NAME_LENGTH ||
    !labels.every((label) => LABEL.test(label)) ||
    NUMERIC.test(labels.at(-1) as string)
  )
    return undefined
  return name
}

/** Returns the canonical form of an address or a name. */
export const canonicalHost = (written: string): string | undefined =>
  canonicalAddress(written) ?? canonicalName(written)

/**
 * The host of a URL as written. The standard also parses `https:foo` and `http:80` as URLs, which no author intends.
 */
const WEB_HOST = /^https?:\/\/(?:[^/?#@]{0,1000}@)?(\[[^\]]*\]|[^:/?#\\]*)/i

/**
 * Parses an http or https URL as the WHATWG standard does: without default port, fragment and credentials, with "/" for
 * an empty path. Returns undefined if it is not a URL, or if the standard turns another host into an address
 * (`http://1/`).
 */
export const canonicalUrl = (written: string): URL | undefined => {
  const text = written.trim()
  const host = WEB_HOST.exec(text)?.[1]
  if (text.length > MAX_VALUE_LENGTH || host === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (IPV4.test(url.hostname) && canonicalAddress(host) === undefined) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  return url.href.length > MAX_VALUE_LENGTH || canonicalHost(url.hostname) === undefined ? undefined : url
}

/** Parses a port from 1 to 65535; undefined if it is out of range or not a number. */
export const canonicalPort = (written: unknown): number | undefined => {
  const text = typeof written === 'number' ? String(written) : typeof written === 'string' ? written.trim() : ''
  if (!/^\d{1,5}$/.test(text)) return undefined
  const port = Number(text)
  return port >= 1 && port <= 65_535 ? port : undefined
}

const PROTOCOLS = new Map<string, Protocol>(
  Object.entries({ tcp: 'tcp', tcp4: 'tcp', tcp6: 'tcp', udp: 'udp', udp4: 'udp', udp6: 'udp', sctp: 'sctp' }),
)

export type Protocol = 'tcp' | 'udp' | 'sctp'

/** Defaults to TCP; undefined for a protocol without ports. */
export const canonicalProtocol = (written: string | undefined): Protocol | undefined => {
  const text = written?.trim().toLowerCase()
  return text === undefined || text === '' ? 'tcp' : PROTOCOLS.get(text)
}

/** Formats `host:port`, with IPv6 in brackets. */
export const hostAndPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** Splits `host:port`, `[2001:db8::1]:port` or a host without port; undefined if the host or the port is invalid. */
export const splitHostAndPort = (written: string): { host: string; port: number | undefined } | undefined => {
  const text = written.trim()
  const bareHost = canonicalHost(text)
  if (bareHost !== undefined) return { host: bareHost, port: undefined }
  const colon = text.lastIndexOf(':')
  const [host, port] = colon < 0 ? [] : [canonicalHost(text.slice(0, colon)), canonicalPort(text.slice(colon + 1))]
  return host === undefined || port === undefined ? undefined : { host, port }
}

/** For example `fe80::1%eth0`. */
const withoutZone = (text: string): string => text.split('%', 1)[0] as string

const unbracketed = (text: string): string => (text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text)
