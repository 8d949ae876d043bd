import type { KeyboardEvent } from 'react'
import { CheckBox } from './cells/CheckBox.tsx'
import { type GridColumn, type GridSort, nextSort } from './columns/columns.ts'
import type { GridTable } from './columns/use-grid-columns.ts'
import { isPinnedEdge, shownColumns, stickyLeft } from './columns/widths.ts'
import classes from './grid.module.css'

interface GridHeaderProps<Row> {
  table: GridTable
  columns: readonly GridColumn<Row>[]
  template: string
  sort: GridSort
  onSort: (sort: GridSort) => void
  selectAll?: { isAll: boolean; isSome: boolean; onChange: () => void }
}

const KEY_STEP_PX = 16

/**
 * Sortable headings with resizable edges: by pointer, or by Shift and the arrow keys on the heading. The edges are not
 * tab stops.
 */
export const GridHeader = <Row,>({ table, columns, template, sort, onSort, selectAll }: GridHeaderProps<Row>) => {
  const resize = (event: KeyboardEvent, id: string, size: number) => {
    const step = event.key === 'ArrowRight' ? KEY_STEP_PX : event.key === 'ArrowLeft' ? -KEY_STEP_PX : 0
    if (step === 0) return
    event.preventDefault()
    table.setColumnSizing((sizes) => ({ ...sizes, [id]: Math.max(60, Math.min(800, size + step)) }))
  }
  const headers = new Map(table.getHeaderGroups()[0]?.headers.map((header) => [header.column.id, header]))
  return (
    <div className={classes.header} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
      {selectAll && (
        <div className={classes.check} role="columnheader" aria-label="Selection">
          <CheckBox
            label="Select all rows that are shown"
            checked={selectAll.isAll}
            indeterminate={selectAll.isSome && !selectAll.isAll}
            onChange={selectAll.onChange}
          />
        </div>
      )}
      {shownColumns(table).map(({ id }) => {
        const column = columns.find((candidate) => candidate.id === id)
        const header = headers.get(id)
        if (!column || !header) return null
        const isSorted = column.sort !== undefined && sort.by === column.sort
        const left = stickyLeft(table, id, selectAll !== undefined)
        return (
          <div
            key={id}
            className={classes.heading}
            role="columnheader"
            data-align={column.align}
            data-sticky={left !== undefined || undefined}
            data-edge={isPinnedEdge(table, id) || undefined}
            style={{ left }}
            {...(isSorted && { 'aria-sort': sort.order === 'asc' ? 'ascending' : 'descending' })}
          >
            {column.sort ? (
              <button
                type="button"
                className={classes.sort}
                aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
                onClick={() => onSort(nextSort(column, sort))}
                onKeyDown={(event) => event.shiftKey && resize(event, id, header.column.getSize())}
              >
                {column.header}
                <span aria-hidden>{isSorted ? (sort.order === 'asc' ? ' ↑' : ' ↓') : ''}</span>
              </button>
            ) : (
              column.header
            )}
            {/* A focusable separator is interactive (WAI-ARIA). */}
            <div
              role="separator"
              aria-orientation="vertical"
              aria-label="Column width"
              aria-valuenow={header.column.getSize()}
              aria-valuemin={60}
              aria-valuemax={800}
              tabIndex={-1}
              className={classes.resizer}
              onPointerDown={(event) => event.stopPropagation()}
              onMouseDown={header.getResizeHandler()}
              onTouchStart={header.getResizeHandler()}
              onDoubleClick={() => header.column.resetSize()}
              onKeyDown={(event) => resize(event, id, header.column.getSize())}
            />
          </div>
        )
      })}
    </div>
  )
}
