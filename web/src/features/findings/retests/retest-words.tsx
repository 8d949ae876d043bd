import type { Output } from '@sortie/client/calls.ts'
import { REMEDIATION_LABELS, RemediationLabel } from '../../../domain/finding-words.tsx'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { RETEST_STATE_LABELS } from './retest-filters.ts'

export type Retest = Output<'getRetest'>['data']
export type RetestItem = Output<'listRetestItems'>['data'][number]
export type Outcome = NonNullable<RetestItem['outcome']>

/** In the order of their buttons. */
export const OUTCOME_KEYS: Record<Outcome, string> = {
  fixed: 'F',
  partly_fixed: 'P',
  open: 'O',
  not_reproducible: 'N',
  not_retested: 'X',
}
export const OUTCOMES = Object.keys(OUTCOME_KEYS) as Outcome[]

export const OUTCOME_LABELS: Record<Outcome, string> = {
  fixed: 'Fixed',
  partly_fixed: 'Partly fixed',
  open: 'Still open',
  not_reproducible: REMEDIATION_LABELS.not_reproducible,
  not_retested: 'Not retested',
}

/** What a tester saw; without an outcome, the item is still to do. */
export const OutcomeLabel = ({ outcome }: { outcome: RetestItem['outcome'] }) => {
  if (outcome === null) return <StatusLabel tone="quiet">To do</StatusLabel>
  if (outcome === 'not_retested') {
    return (
      <StatusLabel tone="quiet" shape="dash">
        {OUTCOME_LABELS[outcome]}
      </StatusLabel>
    )
  }
  return <RemediationLabel status={outcome} label={OUTCOME_LABELS[outcome]} />
}

const STATE_TONES = { planned: 'quiet', running: 'busy', done: 'good' } as const

export const RetestStateLabel = ({ state }: Pick<Retest, 'state'>) => (
  <StatusLabel tone={STATE_TONES[state]}>{RETEST_STATE_LABELS[state]}</StatusLabel>
)

/** Items with an outcome, and all. */
export const progressOf = ({ none, ...outcomes }: Retest['counts']): { done: number; total: number } => {
  const done = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
  return { done, total: done + none }
}

/** `12 of 40` */
export const describeProgress = (counts: Retest['counts']): string => {
  const { done, total } = progressOf(counts)
  return `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
}

/** `1 item`, `12 items` */
export const countOfItems = (count: number): string => (count === 1 ? '1 item' : `${count.toLocaleString('en')} items`)

/** Reads that are stale after a retest or one of its items changed. */
export const staleRetestReads = (organizationId: string) =>
  (['listRetests', 'getRetest', 'listRetestItems'] as const).map((name) => [organizationId, name] as const)
