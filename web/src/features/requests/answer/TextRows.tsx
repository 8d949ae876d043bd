import { Button, Group, Menu, Text, TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useContext, useMemo, useRef, useState } from 'react'
import { FocusOnOpen } from '../../../ui/dialogs/FocusOnOpen.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import classes from './answer.module.css'
import { type Markup, type MarkupToken, markupTokens } from './markup/markup-text.ts'
import { findRow, rowsOf } from './text-rows.ts'
import { type JsonToken, jsonTokens, type JsonValue, valueOnLine } from './values/json-text.ts'
import { ValueActionsContext } from './values/value-actions.ts'

const ROW_PX = 20
/** Grows with the text up to this number of rows. */
const MAX_SHOWN_ROWS = 24

type Language = 'json' | Markup

interface TextRowsProps {
  label: string
  text: string
  /** The text is formatted, and coloured. Values of JSON can be captured and asserted. */
  language?: Language | undefined
}

/** Virtualized long text with its own search: the browser's search does not see rows that are not rendered. */
export const TextRows = ({ label, text, language }: TextRowsProps) => {
  const isJson = language === 'json'
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
  const actions = useContext(ValueActionsContext)
  const [active, setActive] = useState<number>()
  const [chosen, setChosen] = useState<{ row: number; value: JsonValue }>()
  const choose = (row: number) => {
    // A long value continues in rows without a number.
    let first = row
    while (first > 0 && rows.lines[first] === 0) first--
    const value = isJson && actions ? valueOnLine(text, (rows.lines[first] ?? 1) - 1) : undefined
    setActive(row)
    setChosen(value && { row, value })
  }
  const onRowKey = (event: KeyboardEvent) => {
    if (!isJson || !actions || event.target !== scroller.current) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      const next = Math.max(0, Math.min(rows.count - 1, (active ?? -1) + step))
      setActive(next)
      virtual.scrollToIndex(next)
    } else if (event.key === 'Enter' && active !== undefined) {
      // After this event, which would close the menu again.
      setTimeout(() => choose(active))
    } else return
    event.preventDefault()
  }
  const onRowClick = (event: MouseEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('[data-value]')?.closest<HTMLElement>('[data-row]')
      ?.dataset['row']
    if (row !== undefined) choose(Number(row))
  }
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- scrollable regions must be reachable by keyboard; its rows are chosen by arrow keys and Enter */}
      <div
        ref={scroller}
        className={classes.rows}
        style={{ height: ROW_PX * (Math.min(rows.count, MAX_SHOWN_ROWS) + 1) }}
        role="region"
        aria-label={label}
        tabIndex={0}
        translate="no"
        onKeyDown={onRowKey}
        onClick={onRowClick}
      >
        <div className={classes.height} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              className={classes.row}
              data-row={index}
              data-found={index === found || undefined}
              data-active={index === active || undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={classes.number} aria-hidden>
                {rows.lines[index] || ''}
              </span>
              <RowText
                text={text.slice(rows.bounds[2 * index], rows.bounds[2 * index + 1])}
                language={language}
                canChoose={isJson && actions !== undefined}
              />
              {chosen?.row === index && actions && (
                <Menu
                  opened
                  onClose={() => setChosen(undefined)}
                  position="bottom-start"
                  trapFocus={false}
                  returnFocus={false}
                  withInitialFocusPlaceholder={false}
                  hideDetached={false}
                  transitionProps={{ duration: 0 }}
                >
                  <Menu.Target>
                    <span className={classes.anchor} />
                  </Menu.Target>
                  <Menu.Dropdown>
                    <FocusOnOpen choose={chooseItem} />
                    <Menu.Label className={classes.path}>{chosen.value.path}</Menu.Label>
                    <Menu.Item onClick={() => actions.capture(chosen.value)}>Capture as a variable</Menu.Item>
                    <Menu.Item onClick={() => actions.assert(chosen.value)}>Assert this value</Menu.Item>
                    <Menu.Item
                      onClick={() =>
                        void navigator.clipboard.writeText(chosen.value.path).then(() => toast('Path copied.'))
                      }
                    >
                      Copy path
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              )}
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

const chooseItem = (anchor: HTMLElement): HTMLElement | null | undefined =>
  anchor.closest('[role="menu"]')?.querySelector<HTMLElement>('[role="menuitem"]')

const RowText = ({
  text,
  language,
  canChoose,
}: {
  text: string
  language: Language | undefined
  canChoose: boolean
}) => {
  if (!language) return <code>{text}</code>
  const tokens: readonly (JsonToken | MarkupToken)[] = language === 'json' ? jsonTokens(text) : markupTokens(text)
  return (
    <code>
      {tokens.map(({ text: piece, kind }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- tokens have no id
        <span key={index} data-kind={kind} data-value={(canChoose && kind !== 'name' && kind !== 'sign') || undefined}>
          {piece}
        </span>
      ))}
    </code>
  )
}
