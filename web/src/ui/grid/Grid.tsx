import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useId, useRef, useState } from 'react'
import { type Command, useShortcuts } from '../commands/commands.ts'
import { IconArrowUp } from '../icons.tsx'
import { BulkBar } from './BulkBar.tsx'
import { useGridColumns } from './columns/use-grid-columns.ts'
import { columnsWidth, columnTemplate, shownColumns } from './columns/widths.ts'
import type { GridProps } from './grid-props.ts'
import classes from './grid.module.css'
import { GridHeader } from './GridHeader.tsx'
import { GridRow } from './GridRow.tsx'
import { GridToolbar } from './GridToolbar.tsx'
import { Peek } from './Peek.tsx'
import { type GridSelection, isEmpty, isSelected, NOTHING, toggled, withRange } from './rows/selection.ts'
import { PRINTED_ROWS, usePrinting } from './rows/use-printing.ts'
import type { GridRows } from './rows/use-rows.ts'
import { useGridKeys } from './use-grid-keys.ts'

const ROW_PX = 32
const PHONE_ROW_PX = 56
/** Number of rows before the end at which the next window loads. */
const AHEAD = 30

/** For the shortcut sheet only: `useGridKeys` handles them. */
const KEYS: readonly Command[] = [
  { id: 'grid-next', label: 'Next row', group: 'List', shortcut: 'J' },
  { id: 'grid-previous', label: 'Previous row', group: 'List', shortcut: 'K' },
  { id: 'grid-peek', label: 'Preview', group: 'List', shortcut: 'Space' },
  { id: 'grid-open', label: 'Open', group: 'List', shortcut: 'Enter' },
]
const SELECTION_KEYS: readonly Command[] = [
  { id: 'grid-select', label: 'Select', group: 'List', shortcut: 'X' },
  { id: 'grid-extend', label: 'Extend selection', group: 'List', shortcut: 'Shift J' },
]

const ORDER_KEYS: readonly Command[] = [
  { id: 'grid-up', label: 'Move up', group: 'List', shortcut: 'Alt ↑' },
  { id: 'grid-down', label: 'Move down', group: 'List', shortcut: 'Alt ↓' },
]

/**
 * Grid for every list that can grow long. The server sorts and filters; rows load by the hundred on scroll, and only
 * those in view are rendered. The page around it needs `layout="full"`.
 */
export const Grid = <Row,>(props: GridProps<Row>) => {
  const { columns, list, rowKey, peek, onOpen, bulk, waiting = 0 } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [active, setActive] = useState(-1)
  const [selection, setSelection] = useState<GridSelection>(NOTHING)
  const anchor = useRef(0)
  const table = useGridColumns(props.name, columns, props.sort.by)
  const { rows, hasMore, readMore } = list
  const keys = rows.map(rowKey)
  const activeKey = keys[active]
  const { onActive } = props
  useEffect(() => onActive?.(activeKey), [onActive, activeKey])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? PHONE_ROW_PX : ROW_PX),
    overscan: 12,
    getItemKey: (index) => keys[index] ?? index,
  })
  const shown = virtual.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  const items = usePrinting() ? keys.slice(0, PRINTED_ROWS).map((key, index) => ({ index, key, start: 0 })) : shown
  useEffect(() => {
    if (hasMore && lastShown >= rows.length - AHEAD) readMore()
  }, [hasMore, lastShown, rows.length, readMore])
  useEffect(() => virtual.measure(), [virtual, isPhone])

  const goTo = (index: number, extend = false) => {
    const next = Math.max(0, Math.min(index, rows.length - 1))
    if (extend && bulk) {
      if (isEmpty(selection)) anchor.current = Math.max(0, active)
      setSelection(withRange(selection, anchor.current, next, keys))
    }
    setActive(next)
    // A focused heading would handle Space and Enter.
    scroller.current?.focus({ preventScroll: true })
    virtual.scrollToIndex(next)
    if (peek?.id !== undefined && keys[next] !== undefined) peek.onChange(keys[next])
  }
  const open = (index: number) => {
    const row = rows[index]
    if (!row) return
    if (onOpen) onOpen(row)
    else peek?.onChange(rowKey(row))
  }
  const toggle = (index: number, extend: boolean) => {
    const key = keys[index]
    if (!bulk || key === undefined) return
    setSelection(extend ? withRange(selection, anchor.current, index, keys) : toggled(selection, key, keys))
    if (!extend) anchor.current = index
    setActive(index)
  }
  useGridKeys({
    onMove: (by, extend) => goTo(active + by, extend),
    onFirst: () => goTo(0),
    onLast: () => goTo(rows.length - 1),
    onPeek: () => peek?.onChange(peek.id === undefined ? keys[Math.max(0, active)] : undefined),
    onOpen: () => open(active),
    onToggle: () => toggle(active, false),
    onReorder:
      props.onReorder &&
      ((by) => {
        const [row, other] = [rows[active], rows[active + by]]
        if (!row || !other) return
        props.onReorder?.(row, by < 0 ? 'before' : 'after', other)
        goTo(active + by)
      }),
    onEscape: () => {
      if (peek?.id !== undefined) peek.onChange(undefined)
      else if (!isEmpty(selection)) setSelection(NOTHING)
      else return false
      return true
    },
  })

  const showWaiting = () => {
    props.showAll?.()
    setActive(-1)
    scroller.current?.focus({ preventScroll: true })
    virtual.scrollToOffset(0)
  }
  const showing: Command[] =
    waiting > 0 ? [{ id: 'grid-new', label: 'Show new rows', group: 'List', shortcut: '.', run: showWaiting }] : []
  useShortcuts([...KEYS, ...(bulk ? SELECTION_KEYS : []), ...(props.onReorder ? ORDER_KEYS : []), ...showing])
  const onLine = (line: 1 | 2) =>
    shownColumns(table).filter(({ id }) => columns.find((column) => column.id === id)?.line === line).length
  const template = columnTemplate(table, bulk !== undefined)
  const isAll = selection.kind === 'all' || (rows.length > 0 && keys.every((key) => selection.ids.has(key)))
  const clear = () => setSelection(NOTHING)
  const isEmptyList = rows.length === 0 && !list.isPending
  const isBare = isEmptyList && !(props.isFiltered ?? props.filters !== undefined)
  return (
    <div className={classes.grid}>
      {!isBare && <GridToolbar {...props} table={table} />}
      <div className={classes.panes}>
        <div className={classes.frame} data-stale={list.isStale || undefined} data-bare={isBare || undefined}>
          <div
            ref={scroller}
            className={classes.scroller}
            role="grid"
            aria-label={props.label}
            aria-rowcount={list.hasMore ? -1 : rows.length + 1}
            aria-multiselectable={bulk !== undefined}
            aria-busy={list.isPending || list.isStale || list.isReading}
            tabIndex={0}
            onScroll={({ currentTarget }) =>
              currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft > 0)
            }
            style={
              {
                '--columns-width': `${columnsWidth(table, bulk !== undefined)}px`,
                '--first-line': Math.max(1, onLine(1) - 1),
                '--second-line': Math.max(1, onLine(2)),
              } as CSSProperties
            }
            {...(active >= 0 && active < rows.length && { 'aria-activedescendant': `${id}-${active}` })}
          >
            <GridHeader
              table={table}
              columns={columns}
              template={template}
              sort={props.sort}
              onSort={props.onSort}
              {...(bulk && {
                selectAll: {
                  isAll,
                  isSome: !isEmpty(selection),
                  onChange: () => setSelection(isAll ? NOTHING : { kind: 'ids', ids: new Set(keys) }),
                },
              })}
            />
            <div className={classes.rows} style={{ height: virtual.getTotalSize() }} role="rowgroup">
              {items.map(({ index, key, start }) => {
                const row = rows[index]
                if (row === undefined) return null
                return (
                  <GridRow
                    key={key}
                    id={`${id}-${index}`}
                    index={index}
                    row={row}
                    columns={columns}
                    table={table}
                    template={template}
                    top={start}
                    isActive={index === active}
                    isPeeked={peek?.id === keys[index]}
                    href={keys[index] === undefined ? undefined : props.hrefOf?.(keys[index])}
                    selected={bulk && isSelected(selection, keys[index] ?? '')}
                    onToggle={toggle}
                    onClick={(clicked) => {
                      setActive(clicked)
                      if (peek) peek.onChange(keys[clicked])
                    }}
                  />
                )
              })}
            </div>
          </div>
          <div role="status" className={classes.waiting}>
            {waiting > 0 && (
              <Button
                size="compact-xs"
                radius="xl"
                onClick={showWaiting}
                leftSection={<IconArrowUp size={12} aria-hidden />}
              >
                {waiting.toLocaleString('en')} new
              </Button>
            )}
          </div>
          <p className={classes.printed}>{describePrinted(rows.length, list, props.nouns)}</p>
          {isEmptyList && <div className={classes.empty}>{props.empty}</div>}
          {bulk && !isEmpty(selection) && (
            <BulkBar
              selection={selection}
              total={list.total}
              noun={props.nouns[1]}
              canSelectAll={isAll && selection.kind === 'ids' && list.hasMore}
              onSelectAll={() => setSelection({ kind: 'all' })}
              onClear={clear}
            >
              {bulk(selection, clear)}
            </BulkBar>
          )}
        </div>
        {peek?.id !== undefined && (
          <Peek onClose={() => peek.onChange(undefined)}>{peek.render(peek.id, rows[keys.indexOf(peek.id)])}</Peek>
        )}
      </div>
    </div>
  )
}

/** On paper: how many of the rows there are. */
const describePrinted = (
  read: number,
  { total, hasMore }: Pick<GridRows<unknown>, 'total' | 'hasMore'>,
  [, many]: readonly [string, string],
): string => {
  const printed = Math.min(read, PRINTED_ROWS)
  if (!hasMore && printed === read) return ''
  return `The first ${printed.toLocaleString('en')} of ${total?.toLocaleString('en') ?? 'more'} ${many}.`
}
