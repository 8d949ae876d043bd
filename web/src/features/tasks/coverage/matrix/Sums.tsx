import { OUTCOMES } from '@sortie/contract/tasks/tasks.ts'
import { type CheckOutcome, OUTCOME_LABELS } from '../../labels.tsx'
import classes from './matrix.module.css'
import type { Sums as Counts } from './matrix.ts'

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
