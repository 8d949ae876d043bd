import type { AddressRange } from './address-range.ts'
import type { Port, Subject } from './recognise.ts'
import type { ScopeRule } from './rule-set.ts'

type Protocol = NonNullable<Port['protocol']>

/** The rules for one port of one host, by protocol; `both` are those without a protocol. */
type ByProtocol = Partial<Record<Protocol | 'both', ScopeRule>>

/** The rules for one port number. */
interface RulesAtPort {
  names: Map<string, ByProtocol>
  wildcards: Map<string, ByProtocol>
  addresses: Map<string, ByProtocol>
}

/** By port number. */
export type PortRules = ReadonlyMap<number, RulesAtPort>

/** A rule for a port, and how specific its host is. */
interface PortRule {
  rule: ScopeRule
  /** Length of the name below which a wildcard covers; undefined for an exact name. */
  belowLength: number | undefined
}

interface Parsed {
  rule: ScopeRule
  subject: Subject
}

/** @param rules those of one pattern are sorted: the first decides @returns undefined without rules */
export const compilePortRules = (rules: readonly Parsed[]): PortRules | undefined => {
  const byPort = new Map<number, RulesAtPort>()
  for (const { rule, subject } of rules) {
    const { host, port } = subject
    if (!port) continue
    const at = byPort.get(port.number) ?? { names: new Map(), wildcards: new Map(), addresses: new Map() }
    byPort.set(port.number, at)
    const [of, key] =
      typeof host !== 'string'
        ? [at.addresses, addressKey(host)]
        : [rule.pattern.startsWith('*.') ? at.wildcards : at.names, host]
    const known: ByProtocol = of.get(key) ?? {}
    of.set(key, known)
    known[port.protocol ?? 'both'] ??= rule
  }
  return byPort.size === 0 ? undefined : byPort
}

const addressKey = ({ family, first }: AddressRange): string => `${family} ${first}`

const ruleOf = (rules: ByProtocol | undefined, protocol: Protocol): ScopeRule | undefined =>
  rules?.[protocol] ?? rules?.both

/** The most specific rule for a port of a name: the exact name, then the longest wildcard. */
export const portRuleOfName = (
  { names, wildcards }: RulesAtPort,
  name: string,
  protocol: Protocol,
): PortRule | undefined => {
  const exact = ruleOf(names.get(name), protocol)
  if (exact) return { rule: exact, belowLength: undefined }
  if (wildcards.size === 0) return undefined
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const rule = ruleOf(wildcards.get(name.slice(dot + 1)), protocol)
    if (rule) return { rule, belowLength: name.length - dot - 1 }
  }
  return undefined
}

/** The rule for a port of one address; none covers a network. */
export const portRuleOfAddress = (
  { addresses }: RulesAtPort,
  range: AddressRange,
  protocol: Protocol,
): ScopeRule | undefined =>
  addresses.size > 0 && range.first === range.last ? ruleOf(addresses.get(addressKey(range)), protocol) : undefined
