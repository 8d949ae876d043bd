import type { MouseEvent, ReactNode } from 'react'
import { CheckBox } from './cells/CheckBox.tsx'
import type { GridColumn } from './columns/columns.ts'
import type { GridTable } from './columns/use-grid-columns.ts'
import { isPinnedEdge, shownColumns, stickyLeft } from './columns/widths.ts'
import classes from './grid.module.css'

interface GridRowProps<Row> {
  id: string
  index: number
  row: Row
  columns: readonly GridColumn<Row>[]
  table: GridTable
  template: string
  /** Pixels from the first row. */
  top: number
  isActive: boolean
  isPeeked: boolean
  /** Undefined if rows cannot be selected. */
  selected: boolean | undefined
  /** Address of the row, for its first column. */
  href?: string | undefined
  onToggle: (index: number, extend: boolean) => void
  onClick: (index: number) => void
}

/** One line of 32 pixels; on phones two lines, as the columns define. */
export const GridRow = <Row,>({
  id,
  index,
  row,
  columns,
  table,
  template,
  top,
  isActive,
  isPeeked,
  selected,
  href,
  onToggle,
  onClick,
}: GridRowProps<Row>) => {
  const click = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a[data-row]')
    if (link) {
      // Any other click is the browser's: it opens a tab, a window, or saves the page.
      if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && selected === undefined)) return
      event.preventDefault()
    }
    // Any other link or button in the row handles its own click.
    else if ((event.target as Element).closest('a, button, input, select, label')) return
    if (event.shiftKey && selected !== undefined) onToggle(index, true)
    else onClick(index)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the surrounding grid has the focus and handles the keys
    <div
      id={id}
      className={classes.row}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-active={isActive || undefined}
      data-peeked={isPeeked || undefined}
      data-odd={index % 2 === 1 || undefined}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
      onClick={click}
    >
      {selected !== undefined && (
        <div className={classes.check} role="gridcell">
          <CheckBox
            tabIndex={-1}
            label="Select"
            checked={selected}
            onChange={(event) =>
              onToggle(index, (event.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey ?? false)
            }
          />
        </div>
      )}
      {shownColumns(table).map((shown) => {
        const column = columns.find((candidate) => candidate.id === shown.id)
        if (!column) return null
        const left = stickyLeft(table, column.id, selected !== undefined)
        return (
          <div
            key={column.id}
            className={classes.cell}
            role="gridcell"
            data-align={column.align}
            data-line={column.line}
            data-sticky={left !== undefined || undefined}
            data-edge={isPinnedEdge(table, column.id) || undefined}
            style={{ left }}
          >
            {href !== undefined && column === columns[0] && !column.hasLink ? (
              <a href={href} className={classes.link} data-row tabIndex={-1}>
                {inElement(column.cell(row))}
              </a>
            ) : (
              inElement(column.cell(row))
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Only an element within the cell is cut with an ellipsis: the cell itself is a flex container. */
const inElement = (content: ReactNode): ReactNode =>
  typeof content === 'string' || typeof content === 'number' ? <span>{content}</span> : content
