import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { createContext, useContext, useEffect, useRef } from 'react'
import type { FindingRow } from '../../../domain/finding-words.tsx'
import { IconGripVertical } from '../../../ui/page-icons.tsx'
import classes from '../findings.module.css'
import type { Reorder, Side } from './use-reorder.ts'

/** Moves findings; undefined while the list is sorted by something else, or cannot be changed. */
export const Reordering = createContext<Reorder['move'] | undefined>(undefined)

/** Drags the row of a finding to another place. Alt with an arrow key does the same. */
export const OrderHandle = ({ finding }: { finding: FindingRow }) => {
  const move = useContext(Reordering)
  const handle = useRef<HTMLSpanElement>(null)
  const latest = useRef({ move, finding })
  latest.current = { move, finding }
  const isOn = move !== undefined
  useEffect(() => {
    const { current } = handle
    const row = current?.closest<HTMLElement>('[role="row"]')
    if (!current || !row) return undefined
    const show = (side: Side | undefined) => {
      row.style.boxShadow =
        side === undefined ? '' : `inset 0 ${side === 'before' ? 2 : -2}px 0 var(--mantine-primary-color-filled)`
    }
    const sideAt = (clientY: number): Side => {
      const { top, height } = row.getBoundingClientRect()
      return clientY < top + height / 2 ? 'before' : 'after'
    }
    return combine(
      draggable({ element: row, dragHandle: current, getInitialData: () => ({ finding: latest.current.finding }) }),
      dropTargetForElements({
        element: row,
        canDrop: ({ source }) =>
          findingOf(source.data) !== undefined && findingOf(source.data)?.id !== latest.current.finding.id,
        onDrag: ({ location }) => show(sideAt(location.current.input.clientY)),
        onDragLeave: () => show(undefined),
        onDrop: ({ source, location }) => {
          show(undefined)
          const dragged = findingOf(source.data)
          if (dragged) latest.current.move?.(dragged, sideAt(location.current.input.clientY), latest.current.finding)
        },
      }),
    )
  }, [isOn])
  if (!isOn) return null
  return (
    <span ref={handle} className={classes.handle} title="Drag to move, or Alt with an arrow key">
      <IconGripVertical size={15} aria-hidden />
    </span>
  )
}

const findingOf = (data: Record<string | symbol, unknown>): FindingRow | undefined =>
  data['finding'] as FindingRow | undefined
