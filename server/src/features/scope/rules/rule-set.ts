import { type AddressRange, carriedBy, END, rangeText } from './address-range.ts'
import { type RuleKind, storedSubject } from './pattern.ts'
import { compilePortRules, type PortRules, portRuleOfAddress, portRuleOfName } from './port-rules.ts'
import type { Port, Subject } from './recognise.ts'
import { compileUrlRules, exactRule, lenientRules, type UrlRules } from './url-rules.ts'

export type Effect = 'allow' | 'deny' | 'caution'
export type Verdict = 'in' | 'out' | 'caution' | 'unknown'

export interface ScopeRule {
  id: string
  effect: Effect
  kind: RuleKind
  /** Canonical. */
  pattern: string
}

/** The verdict and the rule that decided; if the parts of a network differ, the part that it decided. */
export interface Decision {
  verdict: Verdict
  rule: ScopeRule | undefined
  part?: AddressRange
}

/** The compiled rules of an engagement: evaluating a value costs about as much as a map lookup. */
export interface RuleSet {
  hasAllow: boolean
  names: ReadonlyMap<string, ScopeRule>
  wildcards: ReadonlyMap<string, ScopeRule>
  urls: ReadonlyMap<string, UrlRules>
  /** Undefined if no rule is for a port. */
  ports: PortRules | undefined
  addresses: Readonly<Record<4 | 6, Segments>>
}

/** The address space, split at the borders of all rules: `rules[i]` decides from `starts[i]` to the next start. */
interface Segments {
  starts: readonly bigint[]
  rules: readonly (ScopeRule | undefined)[]
}

const SEVERITY: Readonly<Record<Effect, number>> = { deny: 0, caution: 1, allow: 2 }
const VERDICTS: Readonly<Record<Effect, Verdict>> = { allow: 'in', caution: 'caution', deny: 'out' }

/** At equal weight deny beats caution beats allow; the pattern decides which of equal effects is named. */
const firstOfEqual = (a: ScopeRule, b: ScopeRule): number =>
  SEVERITY[a.effect] - SEVERITY[b.effect] || Number(a.pattern > b.pattern) - Number(a.pattern < b.pattern)

interface Parsed {
  rule: ScopeRule
  subject: Subject
}

export const compileRules = (rules: readonly ScopeRule[]): RuleSet => {
  const parsed = rules
    .flatMap((rule) => {
      const subject = storedSubject(rule.pattern, rule.effect)
      return subject ? [{ rule, subject }] : []
    })
    .toSorted((a, b) => firstOfEqual(a.rule, b.rule))
  const urls = parsed.filter(({ subject }) => subject.url)
  const atPorts = parsed.filter(({ subject }) => subject.port && !subject.url)
  const hosts = parsed.filter(({ subject }) => !subject.port)
  const named = hosts.filter(({ subject }) => typeof subject.host === 'string')
  const isWildcard = ({ rule }: Parsed) => rule.kind === 'wildcard'
  return {
    hasAllow: rules.some(({ effect }) => effect === 'allow'),
    names: firstByKey(
      named.filter((each) => !isWildcard(each)),
      ({ subject }) => subject.host as string,
    ),
    wildcards: firstByKey(named.filter(isWildcard), ({ subject }) => subject.host as string),
    urls: new Map([...byOrigin(urls)].map(([origin, ofOrigin]) => [origin, compileUrlRules(ofOrigin)])),
    ports: compilePortRules(atPorts),
    addresses: { 4: segmentsOf(hosts, 4), 6: segmentsOf(hosts, 6) },
  }
}

/** Not by `Map.groupBy`: the command line runs this with Node 20, too. */
const byOrigin = (parsed: readonly Parsed[]): Map<string, { rule: ScopeRule; path: string }[]> => {
  const found = new Map<string, { rule: ScopeRule; path: string }[]>()
  for (const { rule, subject } of parsed) {
    const { origin, path } = subject.url as { origin: string; path: string }
    const ofOrigin = found.get(origin) ?? []
    ofOrigin.push({ rule, path })
    found.set(origin, ofOrigin)
  }
  return found
}

const firstByKey = (parsed: readonly Parsed[], keyOf: (each: Parsed) => string): Map<string, ScopeRule> => {
  const found = new Map<string, ScopeRule>()
  for (const each of parsed) if (!found.has(keyOf(each))) found.set(keyOf(each), each.rule)
  return found
}

/**
 * The most specific rule that covers a segment gets it: specific rules are assigned first, and later ones skip their
 * segments.
 */
const segmentsOf = (parsed: readonly Parsed[], family: 4 | 6): Segments => {
  const ranges = parsed
    .flatMap(({ rule, subject: { host } }) =>
      typeof host !== 'string' && host.family === family ? [{ rule, ...host, size: host.last - host.first }] : [],
    )
    .toSorted((a, b) => (a.size === b.size ? firstOfEqual(a.rule, b.rule) : a.size < b.size ? -1 : 1))
  const borders = new Set([0n, ...ranges.flatMap(({ first, last }) => [first, last + 1n])])
  borders.delete(END[family])
  const starts = [...borders].toSorted((a, b) => (a < b ? -1 : 1))
  const taken: (ScopeRule | undefined)[] = starts.map(() => undefined)
  /** The next free segment from an index on; paths are shortened as they are followed. */
  const next = starts.map((_, index) => index)
  next.push(starts.length)
  const freeFrom = (index: number): number => {
    let free = index
    while (next[free] !== free) {
      next[free] = next[next[free] as number] as number
      free = next[free] as number
    }
    return free
  }
  for (const { rule, first, last } of ranges) {
    for (
      let at = freeFrom(segmentAt(starts, first));
      at < starts.length && (starts[at] as bigint) <= last;
      at = freeFrom(at + 1)
    ) {
      taken[at] = rule
      next[at] = at + 1
    }
  }
  return { starts, rules: taken }
}

/** The last segment that starts at or before this address. */
const segmentAt = (starts: readonly bigint[], address: bigint): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as bigint) <= address) low = middle
    else high = middle - 1
  }
  return low
}

const STRICTNESS: Readonly<Record<Verdict, number>> = { out: 0, caution: 1, unknown: 2, in: 3 }

/**
 * Evaluates a value by the rules of docs/features/targets.md. Without a subject (clouds, repositories) no rule applies.
 */
export const evaluate = (rules: RuleSet, subject: Subject | undefined): Decision => {
  if (!subject) return { verdict: 'unknown', rule: undefined }
  const ofOrigin = subject.url && rules.urls.get(subject.url.origin)
  if (!subject.url || !ofOrigin) return evaluatePlace(rules, subject)
  const { path } = subject.url
  const rule = exactRule(ofOrigin, path)
  const plain = rule ? decided(rules, rule) : evaluatePlace(rules, subject)
  return lenientRules(ofOrigin, path)
    .map((each) => decided(rules, each))
    .reduce(stricter, plain)
}

/** A host, or a port of it, without the path of a URL. */
const evaluatePlace = (rules: RuleSet, { host, port }: Subject): Decision => {
  if (typeof host !== 'string') return rangeDecisions(rules, host, port).reduce(stricter)
  if (!port || !rules.ports?.has(port.number)) return evaluateName(rules, host)
  if (port.protocol !== null) return evaluateNameAtPort(rules, host, port.number, port.protocol)
  return strictest(
    evaluateNameAtPort(rules, host, port.number, 'tcp'),
    evaluateNameAtPort(rules, host, port.number, 'udp'),
  )
}

const evaluateName = (rules: RuleSet, name: string): Decision =>
  decided(rules, rules.names.get(name) ?? wildcardOf(rules, name))

/**
 * A rule for a port decides if its host is at least as specific as the one of the rule for the host. Otherwise each is
 * more specific in one way, and the stricter of both decides.
 */
const evaluateNameAtPort = (rules: RuleSet, name: string, port: number, protocol: 'tcp' | 'udp'): Decision => {
  const at = rules.ports?.get(port)
  const atPort = at && portRuleOfName(at, name, protocol)
  if (!atPort) return evaluateName(rules, name)
  const { rule, belowLength } = atPort
  if (belowLength === undefined) return decided(rules, rule)
  const ofName = rules.names.get(name)
  const ofHost = ofName ?? wildcardOf(rules, name)
  const isAsSpecific = !ofHost || (!ofName && ofHost.pattern.length - WILDCARD_START <= belowLength)
  return decided(rules, isAsSpecific || SEVERITY[rule.effect] <= SEVERITY[ofHost.effect] ? rule : ofHost)
}

/** Length of `*.`, with which the pattern of a wildcard starts. */
const WILDCARD_START = 2

/** The stricter of two decisions, if a rule made the other: values without a rule change nothing. */
const stricter = (decision: Decision, other: Decision): Decision =>
  other.rule &&
  (other.verdict === 'out' || other.verdict === 'caution') &&
  STRICTNESS[other.verdict] < STRICTNESS[decision.verdict]
    ? other
    : decision

/** The stricter of two decisions about the same host. */
const strictest = (decision: Decision, other: Decision): Decision =>
  STRICTNESS[other.verdict] < STRICTNESS[decision.verdict] ? other : decision

/**
 * Evaluates a connection to a name, by the name and its address, both at the port: the stricter rule of both decides.
 * An allow for the address does not apply to the name, and an address without a rule changes nothing.
 */
export const evaluateConnection = (rules: RuleSet, name: Subject, address: AddressRange): Decision =>
  rangeDecisions(rules, address, name.port).reduce(stricter, evaluate(rules, name))

const decided = ({ hasAllow }: RuleSet, rule: ScopeRule | undefined): Decision => ({
  verdict: rule ? VERDICTS[rule.effect] : hasAllow ? 'out' : 'unknown',
  rule,
})

const wildcardOf = ({ wildcards }: RuleSet, name: string): ScopeRule | undefined => {
  if (wildcards.size === 0) return undefined
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const rule = wildcards.get(name.slice(dot + 1))
    if (rule) return rule
  }
  return undefined
}

/**
 * Decisions on addresses, and on the IPv4 addresses that IPv6 ones carry: a `deny` for `192.0.2.1` also covers
 * `64:ff9b::192.0.2.1` (finding T19). An `allow` for the IPv4 address does not apply to the IPv6 one.
 */
const rangeDecisions = (rules: RuleSet, range: AddressRange, port: Port | undefined): Decision[] =>
  [range, ...carriedBy(range)].map((each) => evaluateAddressesAt(rules, each, port))

const evaluateAddressesAt = (rules: RuleSet, range: AddressRange, port: Port | undefined): Decision => {
  const at = port && rules.ports?.get(port.number)
  if (!at) return evaluateAddresses(rules, range)
  const decide = (protocol: 'tcp' | 'udp') => {
    const rule = portRuleOfAddress(at, range, protocol)
    return rule ? decided(rules, rule) : evaluateAddresses(rules, range)
  }
  return port.protocol === null ? strictest(decide('tcp'), decide('udp')) : decide(port.protocol)
}

/** If all parts have one verdict, that is the verdict; otherwise it is caution, and the strictest part is named. */
const evaluateAddresses = (rules: RuleSet, range: AddressRange): Decision => {
  const { starts, rules: taken } = rules.addresses[range.family]
  const from = segmentAt(starts, range.first)
  let strictest = from
  let isMixed = false
  const verdictAt = (index: number) => decided(rules, taken[index]).verdict
  for (let at = from + 1; at < starts.length && (starts[at] as bigint) <= range.last; at++) {
    if (taken[at] === taken[strictest]) continue
    const [here, strict] = [verdictAt(at), verdictAt(strictest)]
    if (here !== strict) isMixed = true
    if (STRICTNESS[here] < STRICTNESS[strict]) strictest = at
  }
  const decision = decided(rules, taken[strictest])
  if (!isMixed) return decision
  const start = starts[strictest] as bigint
  const end = (starts[strictest + 1] ?? END[range.family]) - 1n
  const part = {
    family: range.family,
    first: start > range.first ? start : range.first,
    last: end < range.last ? end : range.last,
  }
  return { verdict: 'caution', rule: decision.rule, part }
}

const WORDS: Readonly<Record<Effect, string>> = { allow: 'allowed', caution: 'marked for caution', deny: 'denied' }

/** The reason for the verdict, as a message. */
export const reasonOf = ({ verdict, rule, part }: Decision): string => {
  const why = rule ? `${WORDS[rule.effect]} by ${rule.pattern}` : undefined
  if (part) return `only in part: ${rangeText(part)} is ${why ?? 'covered by no rule'}`
  return why ?? (verdict === 'out' ? 'covered by no rule' : 'covered by no rule, and nothing is allowed yet')
}
