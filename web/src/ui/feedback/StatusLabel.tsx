import type { ReactNode } from 'react'
import classes from './StatusLabel.module.css'

export type Tone = 'good' | 'busy' | 'quiet' | 'bad' | 'warn'
/** Shape of the icon: the colour only repeats it. */
export type Shape = 'ring' | 'half' | 'check' | 'cross' | 'dash' | 'alert'

const SHAPES: Record<Tone, Shape> = { good: 'check', busy: 'half', quiet: 'ring', bad: 'cross', warn: 'alert' }

/** What is inside the ring. */
const MARKS: Record<Shape, ReactNode> = {
  ring: null,
  half: <path d="M7 3.6a3.4 3.4 0 0 1 0 6.8z" fill="currentColor" stroke="none" />,
  check: <path d="M4.4 7.2l1.8 1.8 3.4-3.8" />,
  cross: <path d="M5.1 5.1l3.8 3.8M8.9 5.1l-3.8 3.8" />,
  dash: <path d="M4.8 7h4.4" />,
  alert: <path d="M7 4.2v3.2M7 9.6v.1" />,
}

/** State as a word, with a ring whose shape and colour repeat it. */
export const StatusLabel = ({
  tone,
  shape = SHAPES[tone],
  children,
}: {
  tone: Tone
  shape?: Shape
  children: ReactNode
}) => (
  <span className={classes.status}>
    <svg
      className={classes.icon}
      data-tone={tone}
      viewBox="0 0 14 14"
      width={14}
      height={14}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      aria-hidden
    >
      <circle cx="7" cy="7" r="5.9" />
      <g strokeLinecap="round" strokeLinejoin="round">
        {MARKS[shape]}
      </g>
    </svg>
    <span className={classes.text}>{children}</span>
  </span>
)
