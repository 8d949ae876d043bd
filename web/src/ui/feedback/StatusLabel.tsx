import type { ReactNode } from 'react'
import classes from './StatusLabel.module.css'

export type Tone = 'good' | 'busy' | 'quiet' | 'bad' | 'warn'

/** State as a word, with a dot whose colour only repeats it. */
export const StatusLabel = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes.status}>
    <span className={classes.dot} data-tone={tone} aria-hidden />
    {children}
  </span>
)
