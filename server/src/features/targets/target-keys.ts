import { createHash } from 'node:crypto'
import { addressDigits, parseSingle, prefixOf, WIDTH } from '../scope/rules/address-range.ts'
import { comparablePath, type Port, portOfOrigin, type Recognised, type Subject } from '../scope/rules/recognise.ts'

/** Maximum length of a sort key, in bytes: equal prefixes are ordered by id. */
const MAX_ORDER_KEY = 400

/**
 * The sort key of a target, compared bytewise. Addresses come first, as addresses: family, 32 hexadecimal digits,
 * prefix, protocol, port. All other targets are sorted by their text.
 */
export const orderKeyOf = ({
  kind,
  canonical,
  subject,
}: Recognised<string> | { kind: string; canonical: string; subject?: never }): string => {
  const [, name = canonical, port = '', protocol = ''] =
    kind === 'service' ? (/^(.*):(\d+)\/(\w+)$/.exec(canonical) ?? []) : []
  const end = port && ` ${protocol}${port.padStart(5, '0')}`
  if (subject && typeof subject.host !== 'string' && kind !== 'url') {
    const { family, first } = subject.host
    return `${family}${addressDigits(first)}${String(prefixOf(subject.host) ?? WIDTH[family]).padStart(3, '0')}${end}`
  }
  return cut(`t${name}${end}`)
}

/** The longest prefix of whole characters that fits. */
const cut = (text: string): string => {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_ORDER_KEY))
  return text.slice(0, read)
}

/**
 * Identifies the target of a kind and canonical form in its engagement: SHA-256 of a tuple that starts with its
 * version. Hexadecimal.
 */
export const fingerprintOf = (engagementId: string, kind: string, canonical: string): string =>
  createHash('sha256')
    .update(JSON.stringify([1, engagementId, kind, canonical]))
    .digest('hex')

/**
 * The subject of rules, read from stored columns: equal to the result of {@link recognise}, in a fraction of its time.
 */
export const subjectOf = (kind: string, canonical: string, orderKey: string): Subject | undefined => {
  if (kind === 'domain') return { host: canonical }
  if (kind === 'ip' || kind === 'cidr') return { host: rangeOf(orderKey) }
  if (kind === 'url') return urlSubject(canonical)
  if (kind !== 'service') return undefined
  const colon = canonical.lastIndexOf(':')
  return {
    host: orderKey.startsWith('t') ? canonical.slice(0, colon) : rangeOf(orderKey),
    port: portIn(canonical.slice(colon + 1)),
  }
}

/** Of `443/tcp`. */
const portIn = (text: string): Port => {
  const slash = text.indexOf('/')
  return { number: Number(text.slice(0, slash)), protocol: text.endsWith('/udp') ? 'udp' : 'tcp' }
}

/** From the canonical form, which needs no further parsing. */
const urlSubject = (canonical: string): Subject => {
  const hostStart = canonical.indexOf('://') + 3
  const pathStart = canonical.indexOf('/', hostStart)
  const query = canonical.indexOf('?', pathStart)
  const host = canonical.slice(hostStart, pathStart).replace(/:\d{1,5}$/, '')
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  const path = comparablePath(canonical.slice(pathStart, query < 0 ? undefined : query))
  const origin = canonical.slice(0, pathStart)
  return {
    host: /^[\d.]+$|:/.test(bare) ? (parseSingle(bare) ?? bare) : bare,
    port: portOfOrigin(origin),
    url: { origin, path },
  }
}

const DIGITS_END = 33
const PREFIX_END = 36

const rangeOf = (orderKey: string): Exclude<Subject['host'], string> => {
  const family = orderKey.startsWith('4') ? 4 : 6
  const first = BigInt(`0x${orderKey.slice(1, DIGITS_END)}`)
  const hostBits = WIDTH[family] - Number(orderKey.slice(DIGITS_END, PREFIX_END))
  return { family, first, last: first + (1n << BigInt(hostBits)) - 1n }
}
