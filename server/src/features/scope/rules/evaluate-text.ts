import { rangeText } from './address-range.ts'
import { isRefusal } from './host.ts'
import { recognise } from './recognise.ts'
import { evaluate, type RuleSet, reasonOf } from './rule-set.ts'

/**
 * The decision for a value as it is written, in the form of the API. The command line imports this file: without a
 * connection it decides with the same code.
 */
export const evaluateText = (rules: RuleSet, value: string) => {
  const found = recognise(value.trim())
  if (isRefusal(found))
    return {
      value,
      kind: null,
      canonical: null,
      verdict: 'invalid' as const,
      scopeRuleId: null,
      part: null,
      reason: found.refused,
    }
  const decision = evaluate(rules, found.subject)
  return {
    value,
    kind: found.kind,
    canonical: found.canonical,
    verdict: decision.verdict,
    scopeRuleId: decision.rule?.id ?? null,
    part: decision.part
      ? { value: rangeText(decision.part), verdict: evaluate(rules, { host: decision.part }).verdict }
      : null,
    reason: reasonOf(decision),
  }
}
