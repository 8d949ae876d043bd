import classes from './CodeBlock.module.css'
import { CopyButton } from './CopyButton.tsx'

/** A command or program to copy. */
export const CodeBlock = ({ code, label }: { code: string; label: string }) => (
  <div className={classes.block}>
    {/* Focusable, so that the keyboard can scroll what is wider than the page. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable */}
    <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
      {code}
    </pre>
    <div className={classes.copy}>
      <CopyButton value={code} />
    </div>
  </div>
)
