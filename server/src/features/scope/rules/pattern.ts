import type { SCOPE_RULE_KINDS } from '@sortie/contract/core/values.ts'
import { isSingle, rangeText } from './address-range.ts'
import { isRefusal, type Refusal, refuse } from './host.ts'
import { certainPart, networkOfStars, refusePathSigns, withoutEverythingBelow } from './pattern-signs.ts'
import { parentOfWildcard, servicePattern, WILDCARD } from './port-pattern.ts'
import { parseRange, type Recognised, recognise, recogniseEntered, type Subject, WITH_SCHEME } from './recognise.ts'

export type RuleKind = (typeof SCOPE_RULE_KINDS)[number]

/** Maximum length of a pattern, in UTF-16 units, before and after it is made canonical. */
export const MAX_PATTERN = 1_000

/**
 * Recognises what the pattern of a scope rule covers. A wildcard's subject is its parent name. Pattern signs that could
 * never match are refused: a `deny` rule that covers nothing would leave in scope what a client has excluded.
 *
 * @param kind `domain` or `service` if the caller states that a name is a host, and not the id of an app
 */
export const recognisePattern = (text: string, kind?: 'domain' | 'service'): Recognised<RuleKind> | Refusal => {
  if (text.length > MAX_PATTERN) return refuse(`a pattern has at most ${MAX_PATTERN} characters`)
  if (WITH_SCHEME.test(text)) return urlPattern(text)
  const service = servicePattern(text, kind !== undefined)
  if (service) return service
  if (text.startsWith('*.')) return wildcard(text)
  const network = networkOfStars(text)
  if (network !== undefined && kind !== 'domain')
    return refuse(`a network is written with the length of its prefix: ${network}`)
  const range = parseRange(text)
  if (range)
    return isRefusal(range)
      ? range
      : { kind: isSingle(range) ? 'ip' : 'range', canonical: hyphenated(range), subject: { host: range } }
  const value = kind === 'domain' ? recognise(text) : recogniseEntered(text)
  return isRefusal(value) ? refusalOf(text, value) : value
}

/**
 * The coverage of a stored rule. One that would be refused today covers its certain part if it denies, and otherwise
 * nothing.
 */
export const storedSubject = (pattern: string, effect: string): Subject | undefined => {
  const certain = certainPart(pattern)
  const recognised = recognisePattern(pattern, 'domain')
  if (certain === undefined && !isRefusal(recognised)) return recognised.subject
  if (certain === undefined) throw new Error(`${pattern} is not a pattern`)
  const covered = recognise(certain)
  return effect === 'deny' && !isRefusal(covered) ? covered.subject : undefined
}

const PATTERN_SIGNS = /[*{}|()^$]/

/** Signs in a name are reported first, rather than what they turn into; a path without a scheme gets its own reason. */
const refusalOf = (text: string, value: Refusal): Refusal => {
  const [host = ''] = text.split('/', 1)
  if (host.includes('*')) return refuse(WILDCARD)
  const isSet = host.includes('[') && !host.includes(':')
  return isSet || PATTERN_SIGNS.test(host)
    ? refuse(`a rule names one host, network or range, or everything below a name; ${WILDCARD}`)
    : value
}

const wildcard = (text: string): Recognised<RuleKind> | Refusal => {
  const below = parentOfWildcard(text)
  return isRefusal(below) ? below : { kind: 'wildcard', canonical: `*.${below.name}`, subject: { host: below.name } }
}

/** Stays a range as entered, even if a network is equal to it. */
const hyphenated = (range: Parameters<typeof rangeText>[0]): string =>
  isSingle(range)
    ? rangeText(range)
    : `${rangeText({ ...range, last: range.first })}-${rangeText({ ...range, first: range.last })}`

const urlPattern = (text: string): Recognised<RuleKind> | Refusal => {
  const [start = ''] = WITH_SCHEME.exec(text) ?? []
  if (start.includes('*')) return refuse(`a rule for a URL names one host; ${WILDCARD}`)
  const value = recognise(start)
  if (isRefusal(value)) return value
  const path = withoutEverythingBelow(text.slice(start.length))
  const query = path.search(/[?#]/)
  if (query > 0 && path[query] === '#')
    return refuse(`a rule for a URL has no fragment, which is never sent; write ${start}${path.slice(0, query)}`)
  if (query >= 0) return refuse(`a rule for a URL has no query; write ${start}${path.slice(0, query)}`)
  const signs = refusePathSigns(start, path)
  if (signs) return signs
  const url = recognise(`${start}${path}`)
  if (isRefusal(url)) return url
  const { canonical, subject } = url
  const pattern = canonical.endsWith('/') ? canonical.slice(0, -1) : canonical
  return pattern.length > MAX_PATTERN
    ? refuse(`a pattern has at most ${MAX_PATTERN} characters`)
    : { kind: 'url', canonical: pattern, subject }
}
