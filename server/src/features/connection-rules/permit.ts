import { parseSingle } from '../scope/address-range.ts'
import { isRefusal, parseHost } from '../scope/host.ts'
import { comparablePath, type Subject } from '../scope/recognise.ts'
import { type Decision, judge, judgeConnection, type RuleSet, reasonOf } from '../scope/rule-set.ts'

/** What the engagement, and the rights of the sender, say at one moment. */
export interface CurrentRules {
  /** Undefined: it is sent without an engagement. */
  rules: RuleSet | undefined
  /** Why nothing may be sent any more, whatever is overridden: the engagement is not active, the sender has lost the right. */
  stop: string | null
  /** Why nothing may be sent now, unless testing hours and dates are overridden. */
  outsideHours: string | null
}

/** Something that a connection is about to be made to, or that a request names. */
export interface Destined {
  /** A name or an address. */
  host: string
  /** What is requested there, where that is known: rules may be about URLs. */
  url?: URL | undefined
  /**
   * The path as it is sent, where it is not that of `url`: servers differ in what they take `/a/../b` for. Rules have to permit
   * both.
   */
  path?: string | undefined
  /** Where the name leads to; none before it was resolved. */
  addresses?: readonly string[]
  /** A proxy is refused where a rule denies it: nothing has to allow it. */
  isProxy?: boolean
}

/** Why a connection may not be made. */
export class NotPermittedError extends Error {
  /** `ended`: nothing may be sent at all. `out`: the scope rules refuse it. `unjudged`: they cannot judge it. */
  readonly kind: 'ended' | 'out' | 'unjudged'

  constructor(kind: NotPermittedError['kind'], reason: string) {
    super(reason)
    this.name = 'NotPermittedError'
    this.kind = kind
  }
}

/**
 * The one function that decides whether something may be sent: by the right of the sender, the status, the dates and hours of
 * the engagement, and its scope rules. Everything that opens connections for people asks it: scans, requests, redirects,
 * proxies, and names in a `Host` header. `platform/outbound` asks the egress policy at the same moment.
 *
 * @param override scope, dates and hours are set aside
 * @throws NotPermittedError
 */
export const requirePermitted = ({ rules, stop, outsideHours }: CurrentRules, destined: Destined, override = false): void => {
  const ended = stop ?? (override ? null : outsideHours)
  if (ended !== null) throw new NotPermittedError('ended', ended)
  if (override || rules === undefined) return
  const { host, url, path, addresses = [], isProxy = false } = destined
  const subjects = [subjectOf(host, url), ...(url && path !== undefined && path !== url.pathname ? [subjectOf(host, url, path)] : [])]
  for (const subject of subjects) requireInScope(rules, subject, addresses, isProxy)
}

const requireInScope = (rules: RuleSet, subject: Subject, addresses: readonly string[], isProxy: boolean): void => {
  refuseOut(judge(rules, subject), isProxy)
  for (const address of addresses) {
    const range = parseSingle(address)
    if (!range) throw new NotPermittedError('unjudged', 'its address is no address')
    refuseOut(typeof subject.host === 'string' ? judgeConnection(rules, subject, range) : judge(rules, subject), isProxy)
  }
}

/** @throws NotPermittedError for hosts that scope rules cannot judge */
export const subjectOf = (host: string, url: URL | undefined, path = url?.pathname ?? ''): Subject => {
  const parsed = parseHost(host)
  if (isRefusal(parsed)) throw new NotPermittedError('unjudged', parsed.refused)
  return { host: parsed.host, ...(url && { url: { origin: url.origin, path: comparablePath(path) } }) }
}

const refuseOut = (decision: Decision, isProxy: boolean): void => {
  if (decision.verdict === 'out' && (!isProxy || decision.rule)) throw new NotPermittedError('out', reasonOf(decision))
}
