import { isSingleLine } from '../../../platform/text/text.ts'
import { type AddressRange, isSingle, netmaskBits, parseNetwork, parseSingle, rangeText } from './address-range.ts'
import { type Host, isRefusal, parseHost, type Refusal, refuse } from './host.ts'

/** Kinds that are recognised from the value; callers state `cloud`, `repository` and `other`. */
export const RECOGNISED_KINDS = ['domain', 'ip', 'cidr', 'url', 'service'] as const
export type RecognisedKind = (typeof RECOGNISED_KINDS)[number]

/** A port of a host. `protocol` null: TCP and UDP. */
export interface Port {
  number: number
  protocol: 'tcp' | 'udp' | null
}

/** The value that scope rules evaluate: a name or addresses, for a service its port, and for a URL also its path. */
export interface Subject {
  host: string | AddressRange
  /** Absent for a whole host. */
  port?: Port
  url?: { origin: string; path: string }
}

export interface Recognised<Kind extends string = RecognisedKind> {
  kind: Kind
  canonical: string
  subject: Subject
}

/** Maximum length of a value as entered, and of its canonical form, in UTF-16 units. */
export const MAX_VALUE = 4_096

export const MAX_PORT = 65_535
/** Why a port is refused. */
export const PORTS = 'a port is a number from 1 to 65535'

/** The scheme and the host of a URL, up to the path. */
export const WITH_SCHEME = /^([a-zA-Z][a-zA-Z0-9+.-]{0,30}):\/\/([^/?#]*)/
const WITH_PORT = /^(\[[^\]]*\]|[^:[\]/]+):([^:/]*)(?:\/(.*))?$/
const RANGE_END = /^(?:\d{1,3}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|[0-9a-fA-F.]*:[0-9a-fA-F:.]*)$/

/**
 * Recognises a value: one line, without blanks around it. The table of docs/features/targets.md has cases of each kind.
 */
export const recognise = (text: string): Recognised | Refusal => {
  if (text === '') return refuse('there is no value')
  if (text.length > MAX_VALUE) return refuse(`a value has at most ${MAX_VALUE} characters`)
  if (!isSingleLine(text)) return refuse('contains characters that are invisible or change the direction of text')
  if (WITH_SCHEME.test(text)) return recogniseUrl(text)
  const netmask = netmaskSuggestion(text)
  if (netmask) return netmask
  if (/\s/.test(text)) return refuse('contains a space; enter one value per line')
  if (parseRange(text))
    return refuse(
      'a range of addresses is a scope rule; as targets, write networks such as 10.0.0.0/24, or single addresses',
    )
  if (text.includes('/') && !WITH_PORT.test(text)) return recogniseNetwork(text)
  const single = parseSingle(text)
  if (single) return address(single)
  return WITH_PORT.test(text) ? recogniseService(text) : recogniseHost(text)
}

/** Android and Apple name apps by the owner's domain, reversed. */
const APP_ID = /^(?:com|org|net|io)\./i
const AS_NUMBER = /^as\d{1,10}$/i

/**
 * Recognises a value that a user enters without its kind. Refuses a name that more likely is an app id or an AS number:
 * as a host it would be a different target, which the user did not ask for.
 */
export const recogniseEntered = (text: string): Recognised | Refusal => {
  const value = recognise(text)
  if (isRefusal(value) || value.kind !== 'domain') return value
  return refuseOtherNames(text, 'domain') ?? value
}

/** Refuses a name that more likely is an app id or an AS number. @param kind states that it is a name */
export const refuseOtherNames = (text: string, kind: 'domain' | 'service'): Refusal | undefined => {
  if (AS_NUMBER.test(text))
    return refuse('an autonomous system number is not a host; write its networks, such as 10.0.0.0/8')
  return APP_ID.test(text)
    ? refuse(`this looks like an app ID, not a host; if it is a name, enter it with the kind ${kind}`)
    : undefined
}

const address = (range: AddressRange): Recognised => ({
  kind: isSingle(range) ? 'ip' : 'cidr',
  canonical: rangeText(range),
  subject: { host: range },
})

const recogniseHost = (text: string): Recognised | Refusal => {
  const host = parseHost(text)
  if (isRefusal(host)) return host
  return typeof host.host === 'string'
    ? { kind: 'domain', canonical: host.text, subject: { host: host.host } }
    : address(host.host)
}

const recogniseNetwork = (text: string): Recognised | Refusal => {
  const [base = '', bits = '', ...rest] = text.split('/')
  if (parseSingle(base) === undefined) {
    return isRefusal(parseHost(base))
      ? refuse('this is neither a network nor a URL')
      : refuse(`a path needs a scheme: write https://${text}`)
  }
  const range = rest.length === 0 && /^\d{1,3}$/.test(bits) ? parseNetwork(base, Number(bits)) : undefined
  return range
    ? address(range)
    : refuse('the length of a network is a number, at most 32 for IPv4 and 128 for IPv6, as in 10.0.0.0/8')
}

/** `10.0.0.0 255.0.0.0` and `10.0.0.0/255.0.0.0`. */
const netmaskSuggestion = (text: string): Refusal | undefined => {
  const [base = '', mask = '', ...rest] = text.split(/[\s/]+/, 3)
  const bits = rest.length === 0 && parseSingle(base) ? netmaskBits(mask) : undefined
  const network = bits === undefined ? undefined : parseNetwork(base, bits)
  return network && refuse(`write a network with the length of its prefix: ${rangeText(network)}`)
}

/**
 * Parses `10.0.0.1-10.0.0.50` or, if only the last number differs, `10.0.0.1-50`; undefined if the text is not a range.
 */
export const parseRange = (text: string): AddressRange | Refusal | undefined => {
  const [from = '', to = '', ...rest] = text.split(/ ?[-–] ?/, 3)
  const first = rest.length === 0 && RANGE_END.test(to) ? parseSingle(from) : undefined
  if (!first) return undefined
  const last = parseSingle(
    /^\d{1,3}$/.test(to) && first.family === 4 ? from.replace(/\d{1,3}$/, String(Number(to))) : to,
  )
  if (!last || first.family !== last.family)
    return refuse('a range goes from one address to another, as in 10.0.0.1-10.0.0.50')
  return last.first < first.first
    ? refuse('this range ends before it begins')
    : { family: first.family, first: first.first, last: last.first }
}

const recogniseService = (text: string): Recognised | Refusal => {
  const [, hostText = '', portText = '', written = 'tcp'] = WITH_PORT.exec(text) ?? []
  const host = parseHost(hostText)
  if (isRefusal(host)) return host
  const number = Number(portText)
  if (!/^\d{1,5}$/.test(portText) || number < 1 || number > MAX_PORT) return refuse(PORTS)
  const protocol = written.toLowerCase()
  if (protocol !== 'tcp' && protocol !== 'udp') {
    return refuse(
      `after the port comes nothing, /tcp or /udp; a path needs a scheme, as in https://${hostInUrl(host)}:${number}/`,
    )
  }
  return {
    kind: 'service',
    canonical: `${hostInUrl(host)}:${number}/${protocol}`,
    subject: { host: host.host, port: { number, protocol } },
  }
}

/** The port of a URL, from its origin: stated, or the default of its scheme. */
export const portOfOrigin = (origin: string): Port => {
  // Without a port, the last colon is the one of the scheme, or within the brackets of an IPv6 address.
  const stated = Number(origin.slice(origin.lastIndexOf(':') + 1))
  return { number: Number.isNaN(stated) ? (origin.startsWith('https:') ? 443 : 80) : stated, protocol: 'tcp' }
}

/** An IPv6 address is in brackets wherever a port may follow. */
export const hostInUrl = ({ host, text }: Host): string =>
  typeof host !== 'string' && host.family === 6 ? `[${text}]` : text

/** WHATWG form without default port and fragment. Refuses first what the standard parses in a surprising way. */
const recogniseUrl = (text: string): Recognised<'url'> | Refusal => {
  const [start = '', scheme = '', authority = ''] = WITH_SCHEME.exec(text) ?? []
  const protocol = scheme.toLowerCase()
  if (protocol !== 'http' && protocol !== 'https') return refuse('of URLs only http and https can be targets')
  if (/[\s\\]/.test(text)) return refuse('a URL has no spaces and no backslashes; write %20 for a space')
  if (authority.includes('@'))
    return refuse('a URL with credentials cannot be a target; leave out the part before the @')
  const [, hostText = '', port = ''] = /^(\[[^\]]*\]|[^:[\]]*)(:\d{0,5})?$/.exec(authority) ?? []
  if (hostText === '') return refuse('this URL has no host, or its port is not a number')
  const host = parseHost(hostText)
  if (isRefusal(host)) return host
  if (port.length > 1 && (Number(port.slice(1)) < 1 || Number(port.slice(1)) > MAX_PORT)) return refuse(PORTS)
  const rebuilt = `${protocol}://${hostInUrl(host)}${port}${text.slice(start.length)}`
  if (!URL.canParse(rebuilt)) return refuse('this is not a URL')
  const url = new URL(rebuilt)
  const canonical = `${url.origin}${url.pathname}${url.search}`
  if (canonical.length > MAX_VALUE)
    return refuse(`a value has at most ${MAX_VALUE} characters, as a URL with its characters encoded as well`)
  return {
    kind: 'url',
    canonical,
    subject: {
      host: host.host,
      port: portOfOrigin(url.origin),
      url: { origin: url.origin, path: comparablePath(url.pathname) },
    },
  }
}

/**
 * A path in the form in which rules compare: without the final `/`, and with characters that need no encoding decoded,
 * because servers read `/%61dmin` as `/admin` (RFC 3986, 6.2.2.2).
 */
export const comparablePath = (path: string): string => {
  const decoded = path.includes('%') ? path.replace(/%[0-9a-fA-F]{2}/g, decodeUnreserved) : path
  return decoded.endsWith('/') ? decoded.slice(0, -1) : decoded
}

const decodeUnreserved = (encoded: string): string => {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase()
}
