import { type AddressRange, parseSingle } from '../scope/rules/address-range.ts'
import { isRefusal, parseHost } from '../scope/rules/host.ts'
import { comparablePath, type Port, portOfOrigin, type Subject } from '../scope/rules/recognise.ts'
import { type Decision, evaluate, evaluateConnection, type RuleSet, reasonOf } from '../scope/rules/rule-set.ts'

/** The rules of the engagement and the sender's permission at one moment. */
export interface CurrentRules {
  /** Undefined: sent without an engagement. */
  rules: RuleSet | undefined
  /**
   * Why nothing may be sent, even with an override: the engagement is not active, or the sender's permission was
   * revoked.
   */
  stop: string | null
  /** Why nothing may be sent now, unless an override sets testing hours and dates aside. */
  outsideHours: string | null
}

/** The destination of a connection, or a host that a request names. */
export interface Destined {
  /** A name or an address. */
  host: string
  /** The port of the connection, if there is no `url`. Absent: all that is sent to the host, at any port. */
  port?: Port | undefined
  /** The requested URL, if known, because rules may match URLs. */
  url?: URL | undefined
  /**
   * The path as it is sent, where it is not that of `url`: servers differ in what they take `/a/../b` for. Rules have
   * to permit both.
   */
  path?: string | undefined
  /** Where the name leads to; none before it was resolved. */
  addresses?: readonly string[]
  /** A proxy only must not be denied; no rule has to allow it. */
  isProxy?: boolean
}

/** Thrown if a connection is not permitted. */
export class NotPermittedError extends Error {
  /**
   * `ended`: nothing may be sent at all. `out`: denied by the scope rules. `unjudged`: the scope rules cannot evaluate
   * it.
   */
  readonly kind: 'ended' | 'out' | 'unjudged'

  constructor(kind: NotPermittedError['kind'], reason: string) {
    super(reason)
    this.name = 'NotPermittedError'
    this.kind = kind
  }
}

/**
 * Decides whether something may be sent, by the sender's permission, the engagement's status, dates and hours, and its
 * scope rules. This is the only such function: scans, requests, redirects, proxies and `Host` headers all use it.
 * `platform/outbound` checks the egress policy at the same moment.
 *
 * @param override sets scope, dates and hours aside
 * @throws NotPermittedError
 */
export const requirePermitted = (
  { rules, stop, outsideHours }: CurrentRules,
  destined: Destined,
  override = false,
): void => {
  const ended = stop ?? (override ? null : outsideHours)
  if (ended !== null) throw new NotPermittedError('ended', ended)
  if (override || rules === undefined) return
  const { host, port, url, path, addresses = [], isProxy = false } = destined
  const subjects = [
    subjectOf(host, { url, port }),
    ...(url && path !== undefined && path !== url.pathname ? [subjectOf(host, { url, path })] : []),
  ]
  const ranges = rangesOf(addresses)
  for (const subject of subjects)
    for (const decision of decisionsOf(rules, subject, ranges)) refuseOut(decision, isProxy)
}

/** @throws NotPermittedError */
const rangesOf = (addresses: readonly string[]): AddressRange[] =>
  addresses.map((address) => {
    const range = parseSingle(address)
    if (!range) throw new NotPermittedError('unjudged', 'its address is not an IP address')
    return range
  })

/** The decision on the name or address itself, and on each address behind a name. */
const decisionsOf = (rules: RuleSet, subject: Subject, ranges: readonly AddressRange[]): Decision[] => [
  evaluate(rules, subject),
  ...(typeof subject.host === 'string' ? ranges.map((range) => evaluateConnection(rules, subject, range)) : []),
]

/** @throws NotPermittedError for hosts that scope rules cannot evaluate */
export const subjectOf = (
  host: string,
  { url, path = url?.pathname ?? '', port }: Pick<Destined, 'url' | 'path' | 'port'>,
): Subject => {
  const parsed = parseHost(host)
  if (isRefusal(parsed)) throw new NotPermittedError('unjudged', parsed.refused)
  if (url)
    return {
      host: parsed.host,
      port: portOfOrigin(url.origin),
      url: { origin: url.origin, path: comparablePath(path) },
    }
  return { host: parsed.host, ...(port && { port }) }
}

/** Port numbers by protocol. */
export type PortNumbers = Readonly<Record<'tcp' | 'udp', readonly number[]>>

/** What may be sent to a host, for programs that send to many ports. */
export interface PermittedPorts {
  /** True if the host is permitted: at every port that is not in `denied`. Otherwise only those in `allowed` are. */
  isHost: boolean
  denied: PortNumbers
  allowed: PortNumbers
}

const NO_PORTS: PortNumbers = { tcp: [], udp: [] }

/**
 * Decides at which ports something may be sent to a host by a program that sends to many, by `requirePermitted`: for
 * the host itself, and for each port that a scope rule names.
 *
 * @throws NotPermittedError unless scope rules deny the host
 */
export const permittedPorts = (current: CurrentRules, destined: Destined, override = false): PermittedPorts => {
  let isHost = true
  try {
    requirePermitted(current, destined, override)
  } catch (error) {
    if (!(error instanceof NotPermittedError) || error.kind !== 'out') throw error
    isHost = false
  }
  const { rules } = current
  if (override || !rules?.ports) return { isHost, denied: NO_PORTS, allowed: NO_PORTS }
  const { host } = subjectOf(destined.host, {})
  const ranges = rangesOf(destined.addresses ?? [])
  const [denied, allowed] = [portLists(), portLists()]
  for (const number of rules.ports.keys())
    for (const protocol of ['tcp', 'udp'] as const) {
      const decisions = decisionsOf(rules, { host, port: { number, protocol } }, ranges)
      const isOut = decisions.some(({ verdict }) => verdict === 'out')
      ;(isOut ? denied : allowed)[protocol].push(number)
    }
  return { isHost, denied, allowed }
}

const portLists = (): Record<'tcp' | 'udp', number[]> => ({ tcp: [], udp: [] })

const refuseOut = (decision: Decision, isProxy: boolean): void => {
  if (decision.verdict === 'out' && (!isProxy || decision.rule)) throw new NotPermittedError('out', reasonOf(decision))
}
