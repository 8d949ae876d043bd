import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { Skeleton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { FilterValues } from '../../../ui/filters/filters.ts'
import { STATUS_LABELS, STATUSES, type Status, type Task } from '../words.tsx'
import { BoardCard } from './BoardCard.tsx'
import classes from './board.module.css'
import { type Destination, useColumn } from './use-board.ts'

interface BoardColumnProps {
  engagementId: string
  values: FilterValues
  status: Status
  mayChange: boolean
  onOpen: (task: Task) => void
  onMove: (task: Task, destination: Destination) => void
}

const CARD_PX = 84
/** Cards before the end at which more is read. */
const AHEAD = 20

/** One status. Only the cards in view are in the page. */
export const BoardColumn = ({ engagementId, values, status, mayChange, onOpen, onMove }: BoardColumnProps) => {
  const list = useColumn(engagementId, values, status)
  const { rows, hasMore, readMore } = list
  const scroller = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    overscan: 8,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastShown >= rows.length - AHEAD) readMore()
  }, [hasMore, lastShown, rows.length, readMore])
  useEffect(() => {
    const element = scroller.current
    if (!element || !mayChange) return undefined
    return dropTargetForElements({
      element,
      getData: () => ({ status }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    })
  }, [status, mayChange])

  const moveTo = (task: Task, destination: Destination | undefined) => {
    if (!destination) return
    onMove(task, destination)
    focusCard(task.id)
  }
  const press = (event: KeyboardEvent, index: number) => {
    const task = rows[index]
    if (!task) return
    if (!event.altKey || !mayChange) return
    const destination = destinationOf(event.key, task, rows, index)
    if (!destination) return
    event.preventDefault()
    moveTo(task, destination)
  }
  const name = STATUS_LABELS[status]
  return (
    <section className={classes.column} aria-label={name} data-over={isOver || undefined}>
      <h2 className={classes.heading}>
        {name} {!list.isPending && <span className={classes.count}>{list.total ?? (hasMore ? `${rows.length}+` : rows.length)}</span>}
      </h2>
      <div ref={scroller} className={classes.scroller} aria-busy={list.isPending || list.isStale}>
        {list.isPending && <Skeleton height={78} role="status" aria-label="Loading" />}
        <ul className={classes.cards} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const task = rows[index]
            return (
              task && (
                <BoardCard
                  key={key}
                  task={task}
                  top={start}
                  mayChange={mayChange}
                  onOpen={() => onOpen(task)}
                  onKeyDown={(event) => press(event, index)}
                  {...(index > 0 && { onUp: () => moveTo(task, destinationOf('ArrowUp', task, rows, index)) })}
                  {...(index < rows.length - 1 && { onDown: () => moveTo(task, destinationOf('ArrowDown', task, rows, index)) })}
                  onStatus={(chosen) => moveTo(task, { status: chosen })}
                />
              )
            )
          })}
        </ul>
      </div>
    </section>
  )
}

/** For so long a card that was moved may be drawn anew: at once, and when the answer is there. */
const DRAWN_WITHIN_MS = 3_000

/** The focus stays on what was moved, wherever that is drawn next, unless the person goes on elsewhere. */
const focusCard = (taskId: string): void => {
  const until = performance.now() + DRAWN_WITHIN_MS
  const look = () => {
    // It was on a card that is gone.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>(`[data-task="${taskId}"]`)?.focus()
    if (performance.now() < until) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Where an arrow key takes a task; undefined at the edge. */
const destinationOf = (key: string, { status }: Task, rows: readonly Task[], index: number): Destination | undefined => {
  if (key === 'ArrowUp') return rows[index - 1] && { status, beforeId: (rows[index - 1] as Task).id }
  if (key === 'ArrowDown') return rows[index + 1] && { status, afterId: (rows[index + 1] as Task).id }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const next = STATUSES[STATUSES.indexOf(status) + (key === 'ArrowLeft' ? -1 : 1)]
  return next && { status: next }
}
