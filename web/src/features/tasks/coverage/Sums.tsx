import type { Output } from '@sortie/client/calls.ts'
import { OUTCOMES } from '@sortie/contract/tasks/tasks.ts'
import { OUTCOME_LABELS, type CheckOutcome } from '../labels.tsx'
import classes from './coverage.module.css'

type Counts = Output<'getCoverage'>['data']['sums']

/** Symbols of outcomes, where a word does not fit. */
export const SIGNS: Record<CheckOutcome, string> = { untested: '·', pass: '✓', fail: '✗', not_applicable: '–' }

/** Nonzero counts per outcome; in words for screen readers and on hover. */
export const Sums = ({ sums }: { sums: Counts }) => {
  const some = OUTCOMES.filter((outcome) => sums[outcome] > 0)
  const words = some.map((outcome) => `${sums[outcome]} ${OUTCOME_LABELS[outcome].toLowerCase()}`).join(', ')
  return (
    <span className={classes.sums} title={words}>
      <span aria-hidden>
        {some.map((outcome) => (
          <span key={outcome} className={classes.sum} data-outcome={outcome}>
            {SIGNS[outcome]}&#8201;{sums[outcome]}
          </span>
        ))}
      </span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
