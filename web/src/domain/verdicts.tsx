import type { Output } from '@sortie/client/calls.ts'
import { SCOPE_EFFECTS } from '@sortie/contract/engagement/scope-rules.ts'
import { StatusLabel, type Tone } from '../ui/feedback/StatusLabel.tsx'

export type ScopeRule = Output<'listScopeRules'>['data'][number]
export type Effect = ScopeRule['effect']
/** Verdict of the scope rules for a value; `invalid` for a value that cannot be parsed. */
export type Verdict = Output<'checkScope'>['data'][number]['verdict']

export const EFFECT_LABELS: Record<Effect, string> = { allow: 'In scope', deny: 'Out of scope', caution: 'Caution' }

export const RULE_KIND_LABELS: Record<ScopeRule['kind'], string> = {
  domain: 'Name',
  wildcard: 'Wildcard',
  ip: 'Address',
  cidr: 'Network',
  range: 'Address range',
  url: 'URL',
  service: 'Port',
}

export const VERDICT_LABELS: Record<Verdict, string> = {
  in: 'In scope',
  out: 'Out of scope',
  caution: 'Caution',
  unknown: 'Unknown',
  invalid: 'Not recognized',
}

const VERDICT_TONES: Record<Verdict, Tone> = {
  in: 'good',
  out: 'bad',
  caution: 'warn',
  unknown: 'quiet',
  invalid: 'bad',
}
const EFFECT_TONES: Record<Effect, Tone> = { allow: 'good', deny: 'bad', caution: 'warn' }

export const VerdictLabel = ({ verdict }: { verdict: Verdict }) => (
  <StatusLabel tone={VERDICT_TONES[verdict]}>{VERDICT_LABELS[verdict]}</StatusLabel>
)

export const EffectLabel = ({ effect }: { effect: Effect }) => (
  <StatusLabel tone={EFFECT_TONES[effect]}>{EFFECT_LABELS[effect]}</StatusLabel>
)

/** In a list only what is not in scope is marked. */
export const VerdictMark = ({ verdict }: { verdict: Verdict }) =>
  verdict === 'in' ? <span className="visually-hidden">{VERDICT_LABELS.in}</span> : <VerdictLabel verdict={verdict} />

/** Effects as select options. */
export const EFFECT_OPTIONS = SCOPE_EFFECTS.map((value) => ({ value, label: EFFECT_LABELS[value] }))
