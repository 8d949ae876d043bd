import { SEVERITY_LABELS } from '../../ui/vulnerability-words.ts'
import classes from './results.module.css'
import type { Result } from './words.ts'

/** A severity in a word, with a bar whose colour only repeats it. */
export const SeverityLabel = ({ severity }: { severity: Result['severity'] }) =>
  severity && (
    <span className={classes.severity}>
      <span className={classes.bar} data-severity={severity} aria-hidden />
      {SEVERITY_LABELS[severity]}
    </span>
  )
