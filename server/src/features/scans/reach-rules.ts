import { parseSingle } from '../scope/address-range.ts'
import { isRefusal, parseHost } from '../scope/host.ts'
import { comparablePath, type Subject } from '../scope/recognise.ts'
import { type Decision, judge, judgeConnection, type RuleSet, reasonOf } from '../scope/rule-set.ts'
import { Untouchable } from './scanners/scanner.ts'

/** What the engagement says at this moment. */
export interface RulesNow {
  rules: RuleSet
  /** Why the whole scan must end, whoever overrides what: the engagement is not active, the person has no rights any more. */
  stop: string | null
  /** Why it must end unless somebody has overridden hours and dates. */
  outsideHours: string | null
}

/** What scope rules look at. @throws Untouchable for hosts that they cannot judge */
export const subjectOf = (host: string, url: URL | undefined): Subject => {
  const parsed = parseHost(host)
  if (isRefusal(parsed)) throw new Untouchable(host, `the scope rules cannot judge it: ${parsed.refused}`)
  return { host: parsed.host, ...(url && { url: { origin: url.origin, path: comparablePath(url.pathname) } }) }
}

/** Judges where it is said to go. @throws Untouchable */
export const requireInScope = (rules: RuleSet, host: string, subject: Subject): void => refuseOut(host, judge(rules, subject))

/** Judges every address that it leads to. @throws Untouchable */
export const requireAddressesInScope = (rules: RuleSet, host: string, subject: Subject, addresses: readonly string[]): void => {
  for (const address of addresses) {
    const range = parseSingle(address)
    if (!range) throw new Untouchable(host, 'the scope rules cannot judge its address')
    refuseOut(host, typeof subject.host === 'string' ? judgeConnection(rules, subject, range) : judge(rules, subject))
  }
}

const refuseOut = (host: string, decision: Decision): void => {
  if (decision.verdict === 'out') throw new Untouchable(host, `out of scope: ${reasonOf(decision)}`)
}
