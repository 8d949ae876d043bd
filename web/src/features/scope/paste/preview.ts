import type { Input, Output } from '@sortie/client/calls.ts'
import { writtenLines } from '@sortie/contract/pasted-lines.ts'
import { EFFECT_LABELS, type Effect } from '../../../ui/verdicts.tsx'

export type LetterRule = Output<'parseScopeRules'>['data']['rules'][number]

/** What the person has chosen for a rule; undefined: not yet. */
export type Choice = Effect | 'skip' | undefined

/** A line of the letter that is no rule of its own: a heading or a comment. */
export interface ContextLine {
  line: number
  text: string
}

/** What stands in the preview, in the order of the letter. */
type PreviewItem = { kind: 'context'; context: ContextLine } | { kind: 'rule'; rule: LetterRule; index: number; isFirstOfLine: boolean }

export const EFFECTS_STRICTEST_FIRST = ['deny', 'caution', 'allow'] as const

export const itemsOf = (text: string, rules: readonly LetterRule[]): PreviewItem[] => {
  const ofLine = new Map<number, { rule: LetterRule; index: number }[]>()
  for (const [index, rule] of rules.entries()) ofLine.set(rule.line, [...(ofLine.get(rule.line) ?? []), { rule, index }])
  return [...writtenLines(text)].flatMap(({ line, input, comment }): PreviewItem[] => {
    const found = ofLine.get(line)
    if (!found) return [{ kind: 'context', context: { line, text: input === '' ? comment : input } }]
    return found.map(({ rule, index }, at) => ({ kind: 'rule', rule, index, isFirstOfLine: at === 0 }))
  })
}

/** Whether a rule with this pattern is there that says something else. */
export const isConflict = ({ effect, existing }: LetterRule): boolean => existing !== null && existing.effect !== effect

/** Certain effects are chosen already; the rest is for the person. Text that nothing excludes can be left out without a word. */
export const firstChoice = (rule: LetterRule): Choice => {
  if (rule.pattern === null) return rule.effect === 'deny' || rule.effect === 'caution' ? undefined : 'skip'
  return isConflict(rule) ? undefined : (rule.effect ?? undefined)
}

/** Patterns for which the letter would save two effects. */
export const clashing = (rules: readonly LetterRule[], choices: readonly Choice[]): ReadonlySet<string> => {
  const chosen = new Map<string, Choice>()
  const clashes = new Set<string>()
  for (const [index, { pattern }] of rules.entries()) {
    const choice = choices[index]
    if (pattern === null || choice === undefined || choice === 'skip') continue
    if (chosen.has(pattern) && chosen.get(pattern) !== choice) clashes.add(pattern)
    chosen.set(pattern, choice)
  }
  return clashes
}

export type ChosenRule = NonNullable<NonNullable<Input<'createScopeRules'>['body']>['rules']>[number]

/** What is sent: each pattern once, without what is there already. */
export const chosenRules = (rules: readonly LetterRule[], choices: readonly Choice[]): ChosenRule[] => {
  const chosen = new Map<string, ChosenRule>()
  for (const [index, { pattern, note, existing }] of rules.entries()) {
    const effect = choices[index]
    if (pattern === null || effect === undefined || effect === 'skip' || existing?.effect === effect || chosen.has(pattern)) continue
    chosen.set(pattern, { effect, pattern, note, ...(existing && { replaces: existing.effect }) })
  }
  return [...chosen.values()]
}

/** Of a rule: effects with what choosing them does to the rule that is there. */
export const optionsOf = ({ pattern, existing }: LetterRule): { value: string; label: string }[] => {
  const none = { value: '', label: pattern === null ? 'Confirm …' : 'Choose …' }
  if (pattern === null) return [none, { value: 'skip', label: 'Leave out' }]
  const effects = EFFECTS_STRICTEST_FIRST.map((value) => ({
    value: value as string,
    label: existing && existing.effect !== value ? `${EFFECT_LABELS[value]} (changes the rule)` : `${EFFECT_LABELS[value]}${existing ? ' (as it is)' : ''}`,
  }))
  return [none, ...effects, { value: 'skip', label: 'Leave out' }]
}

/**
 * Whether all that is open may become "in scope" with one click: only where it is open for one and the same reason, such as a
 * plain list without headings. Lines with words of their own are chosen one by one.
 */
export const mayAllowAll = (open: readonly LetterRule[]): boolean =>
  open.length > 0 && new Set(open.map(({ reason }) => reason)).size === 1 && open.every(({ existing }) => existing === null)
