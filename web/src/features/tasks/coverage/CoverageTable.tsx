import type { Output } from '@sortie/client/calls.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { paths } from '../../../paths.ts'
import { PlainLink } from '../../../shell/links.tsx'
import { useOrganization } from '../../../shell/organization.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { OUTCOME_LABELS } from '../words.tsx'
import classes from './coverage.module.css'

type Coverage = Output<'getCoverage'>['data']

const ROW_PX = 32
const CELL_PX = 96
const ITEM_PX = 320
/** What an outcome looks like in a cell; its word is said to screen readers, and shown on hover. */
const SIGNS = { untested: '·', pass: '✓', fail: '✗', not_applicable: '–' } as const

/** Items by targets. Only the rows and columns in view are in the page. */
export const CoverageTable = ({ coverage }: { coverage: Coverage }) => {
  const { slug } = useOrganization()
  const scroller = useRef<HTMLDivElement>(null)
  const { items, cells } = coverage
  const byPlace = useMemo(() => new Map(cells.map((cell) => [`${cell.itemKey}\n${cell.targetId ?? ''}`, cell])), [cells])
  const hasOnce = cells.some(({ targetId }) => targetId === null)
  const columns = [...(hasOnce ? [{ id: '', value: 'Engagement' }] : []), ...coverage.targets]
  const virtual = useVirtualizer({ count: items.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 10 })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CELL_PX,
    paddingStart: ITEM_PX,
    overscan: 4,
  })
  const shown = across.getVirtualItems().flatMap(({ index }) => {
    const column = columns[index]
    return column ? [{ ...column, index, place: { gridColumnStart: index + 2 } }] : []
  })
  if (cells.length === 0) {
    return <EmptyState title="Nothing of this methodology is planned yet">Make its tasks: one for each item and each target that it applies to.</EmptyState>
  }
  const template = { gridTemplateColumns: `${ITEM_PX}px repeat(${columns.length}, ${CELL_PX}px)` }
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label="Coverage"
      aria-rowcount={items.length + 1}
      aria-colcount={columns.length + 1}
      tabIndex={0}
    >
      <div role="row" className={classes.head} style={template}>
        <span role="columnheader" aria-colindex={1}>
          Item
        </span>
        {shown.map(({ id, value, index, place }) => (
          <span role="columnheader" key={id} title={value ?? id} aria-colindex={index + 2} style={place}>
            {value ?? id}
          </span>
        ))}
      </div>
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="rowgroup">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index]
          if (!item) return null
          return (
            <div role="row" key={item.key} aria-rowindex={index + 2} className={classes.row} style={{ ...template, transform: `translateY(${start}px)` }}>
              <span role="rowheader" title={item.title} aria-colindex={1}>
                {item.key} {item.title}
              </span>
              {shown.map(({ id, index: columnIndex, place }) => {
                const cell = byPlace.get(`${item.key}\n${id}`)
                return (
                  <span role="gridcell" key={id} aria-colindex={columnIndex + 2} style={place}>
                    {cell && (
                      <PlainLink to={paths.task(slug, cell.taskId)} className={classes[cell.outcome]} hint={OUTCOME_LABELS[cell.outcome]}>
                        <span aria-hidden>{SIGNS[cell.outcome]}</span>
                        <span className="visually-hidden">{OUTCOME_LABELS[cell.outcome]}</span>
                      </PlainLink>
                    )}
                  </span>
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}
