import classes from './SecretValue.module.css'

/** A value that is shown once: selectable, breaks anywhere, never offered to password managers. */
export const SecretValue = ({ value, label }: { value: string; label: string }) => (
  <output className={classes.secret} aria-label={label} translate="no">
    {value}
  </output>
)
