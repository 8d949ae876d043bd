import { parseSingle } from '../scope/rules/address-range.ts'
import { isRefusal, parseHost } from '../scope/rules/host.ts'
import { comparablePath, type Subject } from '../scope/rules/recognise.ts'
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
  const { host, url, path, addresses = [], isProxy = false } = destined
  const subjects = [
    subjectOf(host, url),
    ...(url && path !== undefined && path !== url.pathname ? [subjectOf(host, url, path)] : []),
  ]
  for (const subject of subjects) requireInScope(rules, subject, addresses, isProxy)
}

const requireInScope = (rules: RuleSet, subject: Subject, addresses: readonly string[], isProxy: boolean): void => {
  refuseOut(evaluate(rules, subject), isProxy)
  for (const address of addresses) {
    const range = parseSingle(address)
    if (!range) throw new NotPermittedError('unjudged', 'its address is not an IP address')
    refuseOut(
      typeof subject.host === 'string' ? evaluateConnection(rules, subject, range) : evaluate(rules, subject),
      isProxy,
    )
  }
}

/** @throws NotPermittedError for hosts that scope rules cannot evaluate */
export const subjectOf = (host: string, url: URL | undefined, path = url?.pathname ?? ''): Subject => {
  const parsed = parseHost(host)
  if (isRefusal(parsed)) throw new NotPermittedError('unjudged', parsed.refused)
  return { host: parsed.host, ...(url && { url: { origin: url.origin, path: comparablePath(path) } }) }
}

const refuseOut = (decision: Decision, isProxy: boolean): void => {
  if (decision.verdict === 'out' && (!isProxy || decision.rule)) throw new NotPermittedError('out', reasonOf(decision))
}
