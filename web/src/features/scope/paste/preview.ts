import type { Input, Output } from '@sortie/client/calls.ts'
import { writtenLines } from '@sortie/contract/core/pasted-lines.ts'
import { EFFECT_LABELS, type Effect } from '../../../domain/verdicts.tsx'

export type LetterRule = Output<'parseScopeRules'>['data']['rules'][number]

/** The user's choice for a rule; undefined: undecided. */
export type Choice = Effect | 'skip' | undefined

/** A line of the letter without a rule: a heading or a comment. */
export interface ContextLine {
  line: number
  text: string
}

/** Items of the preview, in the order of the letter. */
type PreviewItem =
  | { kind: 'context'; context: ContextLine }
  | { kind: 'rule'; rule: LetterRule; index: number; isFirstOfLine: boolean }

export const EFFECTS_STRICTEST_FIRST = ['deny', 'caution', 'allow'] as const

export const itemsOf = (text: string, rules: readonly LetterRule[]): PreviewItem[] => {
  const ofLine = new Map<number, { rule: LetterRule; index: number }[]>()
  for (const [index, rule] of rules.entries())
    ofLine.set(rule.line, [...(ofLine.get(rule.line) ?? []), { rule, index }])
  return [...writtenLines(text)].flatMap(({ line, input, comment }): PreviewItem[] => {
    const found = ofLine.get(line)
    if (!found) return [{ kind: 'context', context: { line, text: input === '' ? comment : input } }]
    return found.map(({ rule, index }, at) => ({ kind: 'rule', rule, index, isFirstOfLine: at === 0 }))
  })
}

/** An existing rule has this pattern with another effect. */
export const isConflict = ({ effect, existing }: LetterRule): boolean => existing !== null && existing.effect !== effect

/**
 * Preselects unambiguous effects. Lines without a pattern are skipped, unless the letter denies them or asks for
 * caution.
 */
export const firstChoice = (rule: LetterRule): Choice => {
  if (rule.pattern === null) return rule.effect === 'deny' || rule.effect === 'caution' ? undefined : 'skip'
  return isConflict(rule) ? undefined : (rule.effect ?? undefined)
}

/** Patterns that the letter would save with two effects. */
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

/** Rules to save: each pattern once, without existing rules. */
export const chosenRules = (rules: readonly LetterRule[], choices: readonly Choice[]): ChosenRule[] => {
  const chosen = new Map<string, ChosenRule>()
  for (const [index, { pattern, note, existing }] of rules.entries()) {
    const effect = choices[index]
    if (
      pattern === null ||
      effect === undefined ||
      effect === 'skip' ||
      existing?.effect === effect ||
      chosen.has(pattern)
    )
      continue
    chosen.set(pattern, { effect, pattern, note, ...(existing && { replaces: existing.effect }) })
  }
  return [...chosen.values()]
}

/** Effect options of a rule, with their consequence for an existing rule. */
export const optionsOf = ({ pattern, existing }: LetterRule): { value: string; label: string }[] => {
  const none = { value: '', label: pattern === null ? 'Confirm …' : 'Choose …' }
  if (pattern === null) return [none, { value: 'skip', label: 'Leave out' }]
  const effects = EFFECTS_STRICTEST_FIRST.map((value) => ({
    value: value as string,
    label:
      existing && existing.effect !== value
        ? `${EFFECT_LABELS[value]} (changes the rule)`
        : `${EFFECT_LABELS[value]}${existing ? ' (unchanged)' : ''}`,
  }))
  return [none, ...effects, { value: 'skip', label: 'Leave out' }]
}

/**
 * Allows "in scope" for all undecided rules with one click, but only if all are undecided for the same reason, such as
 * a plain list without headings. Lines with additional words need individual choices.
 */
export const mayAllowAll = (open: readonly LetterRule[]): boolean =>
  open.length > 0 &&
  new Set(open.map(({ reason }) => reason)).size === 1 &&
  open.every(({ existing }) => existing === null)
