import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/engagement/scope-rules.ts'
import { invalid } from '../../../platform/errors.ts'
import { type LetterRule, readLetter } from '../letter/letter.ts'
import { isRefusal } from './host.ts'
import { type RuleKind, recognisePattern } from './pattern.ts'
import type { Effect } from './rule-set.ts'

/** A requested rule, ready to be saved. */
export interface ChosenRule {
  /** Line of the text or index in the list, counted from 1. */
  line: number
  input: string
  effect: Effect
  kind: RuleKind
  /** Canonical. */
  pattern: string
  note: string
  /** A rule with this pattern and this other effect is replaced. */
  replaces?: Effect | undefined
}

export interface Unchosen {
  line: number
  input: string
  /** The reason. */
  rejected: string
}

/** Rules recognised per batch, so that other requests run in between. */
const RULE_BATCH_SIZE = 500
/** Maximum length of a line in the response. */
const MAX_INPUT = 4_096
const STRICTNESS: Readonly<Record<Effect, number>> = { deny: 0, caution: 1, allow: 2 }

/**
 * Rules that the caller lists one by one.
 *
 * @throws ApiError VALIDATION_ERROR for an invalid pattern, and for one pattern with two effects
 */
export const chosenFromRules = async (
  given: NonNullable<Body<typeof contract.createScopeRules>['rules']>,
): Promise<ChosenRule[]> => {
  const effects = new Map<string, Effect>()
  const chosen: ChosenRule[] = []
  for (const [index, { effect, pattern: input, note = '', replaces }] of given.entries()) {
    if (index % RULE_BATCH_SIZE === RULE_BATCH_SIZE - 1) await nextTurn()
    const found = recognisePattern(input)
    if (isRefusal(found)) throw invalid(`rules/${index}/pattern: ${found.refused}`)
    const other = effects.get(found.canonical)
    if (other !== undefined && other !== effect)
      throw invalid(`rules/${index}: ${found.canonical} occurs twice, with the effects ${other} and ${effect}`)
    effects.set(found.canonical, effect)
    chosen.push({ line: index + 1, input, effect, kind: found.kind, pattern: found.canonical, note, replaces })
  }
  return chosen
}

/**
 * Rules of one effect from a text with one pattern per line. A line is rejected if its heading or its words are, or may
 * be, stricter than the effect: no one has reviewed them (D1).
 *
 * @throws ApiError VALIDATION_ERROR for too many lines
 */
export const chosenFromText = async (text: string, effect: Effect): Promise<(ChosenRule | Unchosen)[]> =>
  (await readLetter(text)).map((rule): ChosenRule | Unchosen => {
    const { line, note, pattern } = rule
    const input = rule.input.length > MAX_INPUT ? `${rule.input.slice(0, MAX_INPUT)}…`.toWellFormed() : rule.input
    const problem = whyNot(rule, effect)
    if (problem !== undefined) return { line, input, rejected: problem }
    const found = recognisePattern(pattern as string)
    if (isRefusal(found)) return { line, input, rejected: found.refused }
    return { line, input, effect, kind: found.kind, pattern: found.canonical, note }
  })

const LETTER = 'read the text with POST /scope-rules/parse, and choose the effect of this line'

const whyNot = (rule: LetterRule, effect: Effect): string | undefined => {
  if (rule.pattern === null) return rule.reason ?? 'this line contains no pattern'
  if (effect !== 'deny' && rule.isDoubtful) return `${rule.reason ?? 'this line may be excluded'}: ${LETTER}`
  if (rule.effect !== null && STRICTNESS[rule.effect] < STRICTNESS[effect])
    return `its effect is ${rule.effect} (${rule.reason}): ${LETTER}`
  return rule.isPlain ? undefined : `there are words before the pattern: ${LETTER}`
}
