import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { StatusLabel, type Tone } from '../feedback/StatusLabel.tsx'
import classes from './LineList.module.css'

/** A pasted line and its outcome. */
export interface Line {
  /** Counted from 1. */
  line: number
  input: string
  tone: Tone
  label: string
  /** Why it was rejected, or what it became. */
  note?: string | null
}

const LINE_PX = 32
/** Enough to identify a line: one of a thousand characters would fill the list. */
const SHOWN_CHARACTERS = 300

/** Pasted lines with their outcome. Renders only those in view, so that ten thousand are as fast as ten. */
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
    // Scrollable regions must be reachable by keyboard.
    <div ref={scroller} className={classes.scroller} role="region" aria-label={label} tabIndex={0}>
      <ol className={classes.lines} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.line}
              style={{ transform: `translateY(${start}px)` }}
            >
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

const shortened = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
