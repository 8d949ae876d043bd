import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { LinePair } from './line-pairs.ts'
import classes from './text-merge.module.css'

interface LinePairsProps {
  pairs: readonly LinePair[]
  /** For screen readers. */
  label: string
  /** Headings of the two sides. */
  before: ReactNode
  after: ReactNode
}

/** More lines are shown on request. */
const SHOWN = 200

/** Two texts next to each other, with changed lines marked; one below the other on phones. */
export const LinePairs = ({ pairs, label, before, after }: LinePairsProps) => {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? pairs : pairs.slice(0, SHOWN)
  return (
    <>
      <div className={classes.pairs} role="group" aria-label={label}>
        <Side heading={before} lines={shown.map(({ before: text, isSame }) => ({ text, isSame }))} type="removed" />
        <Side heading={after} lines={shown.map(({ after: text, isSame }) => ({ text, isSame }))} type="added" />
      </div>
      {pairs.length > shown.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          Show {(pairs.length - shown.length).toLocaleString('en')} more lines
        </Button>
      )}
    </>
  )
}

interface SideProps {
  heading: ReactNode
  lines: readonly { text: string | undefined; isSame: boolean }[]
  type: 'added' | 'removed'
}

const Side = ({ heading, lines, type }: SideProps) => (
  <div className={classes.pairSide}>
    {heading}
    <pre className={classes.pairLines}>
      {lines.map(({ text, isSame }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no id
        <span key={index} className={classes.passage} {...(!isSame && text !== undefined && { 'data-type': type })}>
          {text === undefined || text === '' ? '\u00A0' : text}
        </span>
      ))}
    </pre>
  </div>
)
