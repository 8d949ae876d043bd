import { useMediaQuery } from '@mantine/hooks'
import type { Output } from '@sortie/client/calls.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { OUTCOME_LABELS } from '../labels.tsx'
import classes from './coverage.module.css'
import { SIGNS, Sums } from './Sums.tsx'

type Coverage = Output<'getCoverage'>['data']

const ROW_PX = 32
const CELL_PX = 116
/** Widths of the fixed columns: the item, and the totals of its row. */
const LEFT_PX = { item: 320, sums: 132 }
/** Narrower on phones, to leave space for targets. */
const PHONE_LEFT_PX = { item: 120, sums: 118 }
/** Columns before the targets. */
const BEFORE = 2

/** Items by targets, with totals. Renders only the rows and columns in view. */
export const CoverageTable = ({ coverage }: { coverage: Coverage }) => {
  const { slug } = useOrganization()
  const scroller = useRef<HTMLDivElement>(null)
  const { items, cells } = coverage
  const byPlace = useMemo(
    () => new Map(cells.map((cell) => [`${cell.itemKey}\n${cell.targetId ?? ''}`, cell])),
    [cells],
  )
  const left = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ? PHONE_LEFT_PX : LEFT_PX
  const hasOnce = cells.some(({ targetId }) => targetId === null)
  const columns = [...(hasOnce ? [{ id: '', value: 'Engagement', sums: null }] : []), ...coverage.targets]
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CELL_PX,
    paddingStart: left.item + left.sums,
    overscan: 4,
  })
  const shown = across.getVirtualItems().flatMap(({ index }) => {
    const column = columns[index]
    return column ? [{ ...column, index, place: { gridColumnStart: index + BEFORE + 1 } }] : []
  })
  if (cells.length === 0) {
    return (
      <EmptyState title="No tasks from this methodology yet">
        Create its tasks: one for each item and each target that it applies to.
      </EmptyState>
    )
  }
  const second = { insetInlineStart: left.item }
  const template = { gridTemplateColumns: `${left.item}px ${left.sums}px repeat(${columns.length}, ${CELL_PX}px)` }
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label="Coverage"
      aria-rowcount={items.length + 2}
      aria-colcount={columns.length + BEFORE}
      tabIndex={0}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} style={template}>
          <span role="columnheader" aria-colindex={1}>
            Check
          </span>
          <span role="columnheader" aria-colindex={2} style={second}>
            Total
          </span>
          {shown.map(({ id, value, index, place }) => (
            <span role="columnheader" key={id} title={value ?? id} aria-colindex={index + BEFORE + 1} style={place}>
              {value ?? id}
            </span>
          ))}
        </div>
        <div role="row" aria-rowindex={2} style={template}>
          <span role="rowheader" aria-colindex={1}>
            Total
          </span>
          <span role="gridcell" aria-colindex={2} style={second}>
            <Sums sums={coverage.sums} />
          </span>
          {shown.map(({ id, sums, index, place }) => (
            <span role="gridcell" key={id} aria-colindex={index + BEFORE + 1} style={place}>
              {sums && <Sums sums={sums} />}
            </span>
          ))}
        </div>
      </div>
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="rowgroup">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index]
          if (!item) return null
          return (
            <div
              role="row"
              key={item.key}
              aria-rowindex={index + 3}
              className={classes.row}
              style={{ ...template, transform: `translateY(${start}px)` }}
            >
              <span role="rowheader" title={item.title} aria-colindex={1}>
                {item.key} {item.title}
              </span>
              <span role="gridcell" aria-colindex={2} style={second}>
                <Sums sums={item.sums} />
              </span>
              {shown.map(({ id, index: columnIndex, place }) => {
                const cell = byPlace.get(`${item.key}\n${id}`)
                return (
                  <span role="gridcell" key={id} aria-colindex={columnIndex + BEFORE + 1} style={place}>
                    {cell && (
                      <PlainLink
                        to={paths.task(slug, cell.taskId)}
                        className={classes[cell.outcome]}
                        hint={OUTCOME_LABELS[cell.outcome]}
                      >
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
