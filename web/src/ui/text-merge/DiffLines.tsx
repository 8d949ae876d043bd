import classes from './text-merge.module.css'

interface DiffLinesProps {
  passages: readonly { type: 'same' | 'added' | 'removed'; lines: readonly string[] }[]
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

/** Lines of a text with what was added and removed. */
export const DiffLines = ({ passages }: DiffLinesProps) => (
  <pre className={classes.diff}>
    {passages.map(({ type, lines }, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- passages have no id
      <span key={index} className={classes.passage} data-type={type}>
        {lines.map((line) => `${SIGNS[type]} ${line}\n`).join('')}
      </span>
    ))}
  </pre>
)

/** A text as it is. */
export const PlainLines = ({ text }: { text: string }) => <pre className={classes.side}>{text}</pre>
