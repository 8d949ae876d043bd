import type { Check } from '../../../platform/outbound/outbound.ts'
import { parseSingle } from '../../scope/address-range.ts'
import { isRefusal, parseHost } from '../../scope/host.ts'
import { comparablePath } from '../../scope/recognise.ts'
import { type Decision, judge, judgeConnection, type RuleSet, reasonOf } from '../../scope/rule-set.ts'
import { RunRefused } from '../sending/failures.ts'

/**
 * Judges each hop by the rules of the engagement: first where it is said to go, then the addresses that it resolves to.
 *
 * @throws RunRefused, at once or when it is connected
 */
export const checkByRules =
  (rules: RuleSet) =>
  (url: URL): Check => {
    const host = parseHost(url.hostname)
    if (isRefusal(host)) throw new RunRefused(`the scope rules cannot judge this host: ${host.refused}`)
    const subject = { host: host.host, url: { origin: url.origin, path: comparablePath(url.pathname) } }
    refuseOut(judge(rules, subject))
    return ({ addresses }) => {
      for (const address of addresses) {
        const range = parseSingle(address)
        if (!range) throw new RunRefused('the scope rules cannot judge the address of this host')
        if (typeof subject.host === 'string') refuseOut(judgeConnection(rules, subject, range))
      }
    }
  }

const refuseOut = (decision: Decision): void => {
  if (decision.verdict === 'out') throw new RunRefused(`the scope rules refuse it: ${reasonOf(decision)}`)
}
