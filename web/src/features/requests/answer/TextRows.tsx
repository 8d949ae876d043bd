import { Button, Group, Text, TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import classes from './answer.module.css'
import { findRow, rowsOf } from './body-text.ts'

const ROW_PX = 20
/** Grows with the text up to this number of rows. */
const MAX_SHOWN_ROWS = 24

/** Virtualized long text with its own search: the browser's search does not see rows that are not rendered. */
export const TextRows = ({ label, text }: { label: string; text: string }) => {
  const rows = useMemo(() => rowsOf(text), [text])
  const scroller = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState('')
  const [found, setFound] = useState<number>()
  const [isMissing, setMissing] = useState(false)
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
  })
  const find = () => {
    const row = findRow(text, rows, wanted, found ?? -1)
    setFound(row)
    setMissing(row === undefined)
    if (row !== undefined) virtual.scrollToIndex(row, { align: 'center' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (wanted !== '') find()
  }
  return (
    <>
      <Group gap="xs">
        <TextInput
          aria-label={`Find in ${label.toLowerCase()}`}
          placeholder="Find"
          size="xs"
          spellCheck={false}
          value={wanted}
          onChange={(event) => {
            setWanted(event.currentTarget.value)
            setFound(undefined)
            setMissing(false)
          }}
          onKeyDown={onKeyDown}
        />
        <Button variant="default" disabled={wanted === ''} onClick={find}>
          Find next
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {isMissing ? 'Not found.' : ''}
        </Text>
      </Group>
      {/* Scrollable regions must be reachable by keyboard. */}
      <div
        ref={scroller}
        className={classes.rows}
        style={{ height: ROW_PX * (Math.min(rows.count, MAX_SHOWN_ROWS) + 1) }}
        role="region"
        aria-label={label}
        tabIndex={0}
        translate="no"
      >
        <div className={classes.height} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              className={classes.row}
              data-found={index === found || undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={classes.number} aria-hidden>
                {rows.lines[index] || ''}
              </span>
              <code>{text.slice(rows.bounds[2 * index], rows.bounds[2 * index + 1])}</code>
            </div>
          ))}
        </div>
      </div>
      {rows.isCut && (
        <Text size="sm" c="dimmed">
          The text is cut off here. Download it for the rest.
        </Text>
      )}
    </>
  )
}
