import classes from './SeverityLabel.module.css'
import { SEVERITY_LABELS } from './vulnerability-words.ts'

/** Severity as a word, after a filled pill with its first letter. */
export const SeverityLabel = ({ severity }: { severity: keyof typeof SEVERITY_LABELS | null }) =>
  severity && (
    <span className={classes.severity}>
      <span className={classes.pill} data-severity={severity} aria-hidden>
        {SEVERITY_LABELS[severity][0]}
      </span>
      {SEVERITY_LABELS[severity]}
    </span>
  )
