import classes from './SeverityLabel.module.css'
import { SEVERITY_LABELS } from './vulnerability-words.ts'

/** Severity as a word, with a bar whose colour only repeats it. */
export const SeverityLabel = ({ severity }: { severity: keyof typeof SEVERITY_LABELS | null }) =>
  severity && (
    <span className={classes.severity}>
      <span className={classes.bar} data-severity={severity} aria-hidden />
      {SEVERITY_LABELS[severity]}
    </span>
  )
