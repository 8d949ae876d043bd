import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import classes from './LineList.module.css'
import { StatusLabel, type Tone } from './StatusLabel.tsx'

/** A pasted line and what became of it. */
export interface Line {
  /** Counted from 1. */
  line: number
  input: string
  tone: Tone
  label: string
  /** Why it was refused, or what was made of it. */
  note?: string | null
}

const LINE_PX = 32
/** Enough to tell what a line is: one of a thousand characters would fill the list. */
const SHOWN_CHARACTERS = 300

/** Pasted lines with what became of each. Ten thousand are as quick as ten: only those in view are in the page. */
export const LineList = ({ label, lines }: { label: string; lines: readonly Line[] }) => {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.line ?? index,
    overscan: 8,
  })
  return (
    <div ref={scroller} className={classes.scroller} role="region" aria-label={label} tabIndex={0}>
      <ol className={classes.lines} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <li key={key} ref={virtual.measureElement} data-index={index} className={classes.line} style={{ transform: `translateY(${start}px)` }}>
              <span className={classes.number}>{line.line}</span>
              <span className={classes.input}>{shortened(line.input)}</span>
              <StatusLabel tone={line.tone}>{line.label}</StatusLabel>
              {line.note && <span className={classes.note}>{shortened(line.note)}</span>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const shortened = (text: string): string => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)
