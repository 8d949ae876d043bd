import { isSingle, rangeText } from './address-range.ts'
import { isRefusal, parseHost, type Refusal, refuse } from './host.ts'
import { parseRange, type Recognised, recognise } from './recognise.ts'

export const RULE_KINDS = ['domain', 'wildcard', 'ip', 'cidr', 'range', 'url'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

/** Of a pattern, in UTF-16 units, before and after it has its canonical form. */
export const MAX_PATTERN = 1_000

/** Tells what the pattern of a scope rule covers. A wildcard's subject is the name that it stands below. */
export const recognisePattern = (text: string): Recognised<RuleKind> | Refusal => {
  if (text.length > MAX_PATTERN) return refuse(`a pattern has at most ${MAX_PATTERN} characters`)
  if (text.startsWith('*.')) return wildcard(text)
  const range = parseRange(text)
  if (range) return isRefusal(range) ? range : { kind: isSingle(range) ? 'ip' : 'range', canonical: hyphenated(range), subject: { host: range } }
  const value = recognise(text)
  if (isRefusal(value)) return text.includes('*') ? refuse(WILDCARD) : value
  if (value.kind === 'service') return refuse('a rule covers a host at every port; leave the port out')
  if (value.kind === 'url') return urlPattern(value)
  return { ...value, kind: value.kind }
}

const WILDCARD = 'a wildcard is written *.example.com, and covers every name below'

const wildcard = (text: string): Recognised<RuleKind> | Refusal => {
  const below = text.lastIndexOf('*') > 0 ? refuse(WILDCARD) : parseHost(text.slice(2))
  if (isRefusal(below)) return below
  if (typeof below.host !== 'string') return refuse('a wildcard stands before a name; write a network as 10.0.0.0/8')
  return { kind: 'wildcard', canonical: `*.${below.text}`, subject: { host: below.host } }
}

/** Kept as a range even where a network says the same: as it was entered. */
const hyphenated = (range: Parameters<typeof rangeText>[0]): string =>
  isSingle(range) ? rangeText(range) : `${rangeText({ ...range, last: range.first })}-${rangeText({ ...range, first: range.last })}`

const urlPattern = ({ canonical, subject }: Recognised): Recognised<RuleKind> | Refusal => {
  if (canonical.includes('?')) return refuse(`a rule for a URL has no query; write ${canonical.slice(0, canonical.indexOf('?'))}`)
  const pattern = canonical.endsWith('/') ? canonical.slice(0, -1) : canonical
  return pattern.length > MAX_PATTERN ? refuse(`a pattern has at most ${MAX_PATTERN} characters`) : { kind: 'url', canonical: pattern, subject }
}
