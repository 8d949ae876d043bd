import classes from './SecretValue.module.css'

/** A value that is shown once: selectable, broken anywhere, never offered to be remembered. */
export const SecretValue = ({ value, label }: { value: string; label: string }) => (
  <output className={classes.secret} aria-label={label} translate="no">
    {value}
  </output>
)
