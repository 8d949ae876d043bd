import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ActionIcon } from '@mantine/core'
import { TASK_STATUSES } from '@sortie/contract/core/values.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { GridRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { STATUS_LABELS, type Status, type Task } from '../labels.tsx'
import classes from './board.module.css'
import { BoardCard } from './BoardCard.tsx'
import type { Destination } from './use-board.ts'

interface BoardColumnProps {
  status: Status
  list: GridRows<Task>
  mayChange: boolean
  /** The task whose panel is open. */
  openedId: string | undefined
  onOpen: (task: Task) => void
  /** Absent for a reader. */
  onCreate?: (() => void) | undefined
  onMove: (task: Task, destination: Destination) => void
  /** Announces why a key moved nothing. */
  onEdge: (message: string) => void
}

/** Of a card with one line of title and one of facts, until it is measured. */
const CARD_PX = 68
/** Number of cards before the end at which the next page loads. */
const AHEAD = 20

/** One status. Renders only the cards in view. */
export const BoardColumn = ({
  status,
  list,
  mayChange,
  openedId,
  onOpen,
  onCreate,
  onMove,
  onEdge,
}: BoardColumnProps) => {
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
  const lastId = rows.at(-1)?.id
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && lastShown >= rows.length - AHEAD) readMore()
  }, [hasMore, lastShown, rows.length, readMore])
  useEffect(() => {
    const element = scroller.current
    if (!element || !mayChange) return undefined
    return dropTargetForElements({
      element,
      // A drop below the last card goes after it.
      getData: () => ({ status, taskId: lastId }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    })
  }, [status, lastId, mayChange])

  const moveTo = (task: Task, destination: Destination | undefined) => {
    if (!destination) return
    onMove(task, destination)
    focusCard(task.id)
  }
  const name = STATUS_LABELS[status]
  const press = (event: KeyboardEvent, index: number) => {
    const task = rows[index]
    if (!task) return
    if (!event.altKey || !mayChange || !(event.key in EDGES)) return
    // Also in the outer columns, where the browser would navigate back or forward.
    event.preventDefault()
    const destination = destinationOf(event.key, task, rows, index)
    if (destination) moveTo(task, destination)
    else onEdge(`${event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? name : task.title} ${EDGES[event.key]}.`)
  }
  return (
    <section className={classes.column} aria-label={name} data-over={isOver || undefined}>
      <div className={classes.head}>
        <h2 className={classes.heading}>
          {name} <span className={classes.count}>{list.total ?? (hasMore ? `${rows.length}+` : rows.length)}</span>
        </h2>
        {onCreate && (
          <ActionIcon size="sm" aria-label={`New task: ${name}`} title="New task" onClick={onCreate}>
            <IconPlus size={15} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <div ref={scroller} className={classes.scroller} aria-busy={list.isStale}>
        <ul className={classes.cards} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const task = rows[index]
            return (
              task && (
                <BoardCard
                  key={key}
                  task={task}
                  index={index}
                  measure={virtual.measureElement}
                  top={start}
                  mayChange={mayChange}
                  isOpened={task.id === openedId}
                  onOpen={() => onOpen(task)}
                  onKeyDown={(event) => press(event, index)}
                  {...(index > 0 && { onUp: () => moveTo(task, destinationOf('ArrowUp', task, rows, index)) })}
                  {...(index < rows.length - 1 && {
                    onDown: () => moveTo(task, destinationOf('ArrowDown', task, rows, index)),
                  })}
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

/** Announced if an arrow key cannot move the card. */
const EDGES: Record<string, string> = {
  ArrowUp: 'is the first of its column',
  ArrowDown: 'is the last of its column',
  ArrowLeft: 'is the first column',
  ArrowRight: 'is the last column',
}

/** Time within which a moved card can render again: immediately, and after the response. */
const DRAWN_WITHIN_MS = 3_000

/** Keeps focus on the moved card wherever it renders next, unless the user moves focus. */
const focusCard = (taskId: string): void => {
  const until = performance.now() + DRAWN_WITHIN_MS
  const look = () => {
    // The focused element was removed.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(`[data-task="${taskId}"]`)?.focus()
    if (performance.now() < until) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Destination of a task for an arrow key; undefined at an edge. */
const destinationOf = (
  key: string,
  { status }: Task,
  rows: readonly Task[],
  index: number,
): Destination | undefined => {
  if (key === 'ArrowUp') return rows[index - 1] && { status, beforeId: (rows[index - 1] as Task).id }
  if (key === 'ArrowDown') return rows[index + 1] && { status, afterId: (rows[index + 1] as Task).id }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const next = TASK_STATUSES[TASK_STATUSES.indexOf(status) + (key === 'ArrowLeft' ? -1 : 1)]
  return next && { status: next }
}
