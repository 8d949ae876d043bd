import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type Ref, useEffect, useRef } from 'react'
import { IconChevronDown, IconChevronRight } from '../../../../ui/page-icons.tsx'
import type { CheckOutcome } from '../../labels.tsx'
import classes from './matrix.module.css'
import type { Matrix, Row } from './matrix.ts'
import { cellId, MatrixCell } from './MatrixCell.tsx'
import { Sums } from './Sums.tsx'
import { type Cursor, moveBy, type Position } from './use-cursor.ts'

const ROW_PX = 32
const HEAD_PX = 64
/** Width of a target, and with few of them. */
const CELL_PX = { many: 128, few: 150 }
const FEW = 4
/** Widths of the fixed columns: the item, and the totals of its row. */
const LEFT_PX = { item: 320, sums: 156 }
/** Narrower on phones, to leave space for targets. */
const PHONE_LEFT_PX = { item: 132, sums: 0 }
/** Columns before the targets. */
const BEFORE = 2

const OUTCOME_OF: Readonly<Record<string, CheckOutcome>> = { p: 'pass', f: 'fail', n: 'not_applicable', u: 'untested' }

interface CoverageMatrixProps {
  ref: Ref<HTMLDivElement>
  matrix: Matrix
  rows: readonly Row[]
  cursor: Cursor
  failed: ReadonlySet<string>
  isReadOnly: boolean
  onSet: (outcome: CheckOutcome) => void
  onFold: (row: Row & { kind: 'group' }) => void
  onOpen: () => void
  /** @returns false if there was nothing to close */
  onEscape: () => boolean
}

/** Items by targets, with totals and a cursor. Renders only the rows and columns in view. */
export const CoverageMatrix = ({
  ref,
  matrix,
  rows,
  cursor,
  failed,
  isReadOnly,
  onSet,
  onFold,
  onOpen,
  onEscape,
}: CoverageMatrixProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const { columns } = matrix
  const { at, range } = cursor
  const left = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ? PHONE_LEFT_PX : LEFT_PX
  const start = left.item + left.sums
  const cellPx = columns.length > FEW ? CELL_PX.many : CELL_PX.few
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    // The head covers the first pixels of the window on the rows.
    scrollPaddingEnd: HEAD_PX,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cellPx,
    paddingStart: start,
    scrollPaddingStart: start,
    overscan: 4,
  })
  const shown = across.getVirtualItems().flatMap(({ index }) => {
    const column = columns[index]
    return column ? [{ ...column, index, place: index + BEFORE + 1 }] : []
  })
  const end = { row: rows.length - 1, column: columns.length - 1 }
  const isDragging = useRef(false)
  useEffect(() => {
    virtual.scrollToIndex(at.row)
    across.scrollToIndex(at.column)
  }, [at.row, at.column, virtual, across])

  const activate = () => {
    const row = rows[at.row]
    if (row?.kind === 'group') onFold(row)
    else onOpen()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return
    const isFar = event.ctrlKey || event.metaKey
    const to = moveBy(event.key, isFar, at, end)
    const outcome = isFar ? undefined : OUTCOME_OF[event.key.toLowerCase()]
    if (to) cursor.move(to, event.shiftKey)
    else if (isFar && event.key.toLowerCase() === 'a') cursor.select({ row: 0, column: 0 }, end)
    else if (isFar) return
    else if (outcome) {
      if (!isReadOnly) onSet(outcome)
    } else if (event.key === 'Enter' || event.key === ' ') activate()
    else if (!(event.key === 'Escape' && (cursor.collapse() || onEscape()))) return
    event.preventDefault()
  }
  const cellUnder = (event: PointerEvent | MouseEvent): Position | undefined => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-column]')
    return cell ? { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) } : undefined
  }
  const onPointerDown = (event: PointerEvent) => {
    const to = cellUnder(event)
    if (!to || event.button !== 0) return
    isDragging.current = event.pointerType === 'mouse'
    cursor.move(to, event.shiftKey)
  }
  const onPointerOver = (event: PointerEvent) => {
    if ((event.buttons & 1) === 0) isDragging.current = false
    const to = isDragging.current ? cellUnder(event) : undefined
    if (to) cursor.move(to, true)
  }
  const selectColumn = (column: number) => cursor.select({ row: 0, column }, { row: end.row, column })

  const second = { insetInlineStart: left.item }
  const template = { gridTemplateColumns: `${left.item}px ${left.sums}px repeat(${columns.length}, ${cellPx}px)` }
  return (
    <div
      ref={(element) => {
        scroller.current = element
        if (typeof ref === 'function') ref(element)
        else if (ref) ref.current = element
      }}
      className={classes.scroller}
      role="grid"
      aria-label="Coverage"
      aria-multiselectable
      aria-rowcount={rows.length + 2}
      aria-colcount={columns.length + BEFORE}
      aria-activedescendant={rows.length > 0 ? cellId(at.row, at.column) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerOver={onPointerOver}
      onDoubleClick={(event) => cellUnder(event) && activate()}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} style={template}>
          <span role="columnheader" aria-colindex={1}>
            Check
          </span>
          <span role="columnheader" aria-colindex={2} style={second}>
            Total
          </span>
          {shown.map(({ id, label, index, place }) => (
            <span role="columnheader" key={id} title={label} aria-colindex={place} style={{ gridColumnStart: place }}>
              <button type="button" tabIndex={-1} className={classes.column} onClick={() => selectColumn(index)}>
                {label}
              </button>
            </span>
          ))}
        </div>
        <div role="row" aria-rowindex={2} style={template}>
          <span role="rowheader" aria-colindex={1}>
            Total
          </span>
          <span role="gridcell" aria-colindex={2} style={second}>
            <Sums sums={matrix.sums} />
          </span>
          {shown.map(({ id, place }) => (
            <span role="gridcell" key={id} aria-colindex={place} style={{ gridColumnStart: place }}>
              <Sums sums={matrix.sumsOfColumn(id)} />
            </span>
          ))}
        </div>
      </div>
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="rowgroup">
        {virtual.getVirtualItems().map(({ index, start: top }) => {
          const row = rows[index]
          if (!row) return null
          const isInRange = (column: number) =>
            index >= range.from.row && index <= range.to.row && column >= range.from.column && column <= range.to.column
          const style = { ...template, transform: `translateY(${top}px)` }
          if (row.kind === 'group') {
            return (
              <div role="row" key={row.key} aria-rowindex={index + 3} className={classes.row} data-group style={style}>
                <span role="rowheader" aria-colindex={1} style={{ gridColumn: 'span 2' }}>
                  <button
                    type="button"
                    tabIndex={-1}
                    className={classes.fold}
                    aria-expanded={!row.isFolded}
                    onClick={() => onFold(row)}
                  >
                    {row.isFolded ? (
                      <IconChevronRight size={14} aria-hidden />
                    ) : (
                      <IconChevronDown size={14} aria-hidden />
                    )}
                    <span>{row.name}</span>
                  </button>
                </span>
                {shown.map(({ id, index: column, place }) => (
                  <span
                    role="gridcell"
                    key={id}
                    id={cellId(index, column)}
                    aria-colindex={place}
                    aria-selected={isInRange(column)}
                    className={classes.cell}
                    style={{ gridColumnStart: place }}
                    data-row={index}
                    data-column={column}
                    data-active={(index === at.row && column === at.column) || undefined}
                  >
                    <Sums sums={matrix.sumsOfGroup(row.items, id)} />
                  </span>
                ))}
              </div>
            )
          }
          const { item } = row
          return (
            <div
              role="row"
              key={row.key}
              aria-rowindex={index + 3}
              className={classes.row}
              data-current={index === at.row || undefined}
              style={style}
            >
              <span role="rowheader" title={`${item.key} ${item.title}`} aria-colindex={1}>
                <span className={classes.key}>{item.key}</span> {item.title}
              </span>
              <span role="gridcell" aria-colindex={2} style={second}>
                <Sums sums={matrix.sumsOfItem(item.key)} />
              </span>
              {shown.map(({ id, index: column, place }) => {
                const check = matrix.checkAt(item.key, id)
                return (
                  <MatrixCell
                    key={id}
                    row={index}
                    column={column}
                    place={place}
                    outcome={check?.outcome}
                    isFailed={check !== undefined && failed.has(check.taskId)}
                    isActive={index === at.row && column === at.column}
                    isSelected={isInRange(column)}
                  />
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}
