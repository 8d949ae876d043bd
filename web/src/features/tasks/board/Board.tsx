import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { TASK_STATUSES } from '@sortie/contract/core/values.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FilterQuery } from '../../../shell/fields/custom/field-filters.ts'
import { QueryView, together } from '../../../shell/reads/QueryView.tsx'
import { type Command, useShortcuts } from '../../../ui/commands/commands.ts'
import { Fill } from '../../../ui/page/Fill.tsx'
import { type Status, type Task } from '../labels.tsx'
import classes from './board.module.css'
import { BoardColumn } from './BoardColumn.tsx'
import { BoardSkeleton } from './BoardSkeleton.tsx'
import { useColumns, useIsEmpty, useMove } from './use-board.ts'

interface BoardProps {
  engagementId: string
  values: FilterQuery
  mayChange: boolean
  /** The task whose panel is open. */
  openedId: string | undefined
  onOpen: (task: Task) => void
  onCreate: (status: Status) => void
  /** Shown if all columns are empty. */
  empty: ReactNode
}

/** For the shortcut sheet only: the columns handle the key. */
const OPEN_KEY: Command = { id: 'board-open', label: 'Open', group: 'Board', shortcut: 'Enter' }
const MOVE_KEYS: readonly Command[] = [
  { id: 'board-up', label: 'Move up', group: 'Board', shortcut: 'Alt ↑' },
  { id: 'board-down', label: 'Move down', group: 'Board', shortcut: 'Alt ↓' },
  { id: 'board-left', label: 'Move to the column on the left', group: 'Board', shortcut: 'Alt ←' },
  { id: 'board-right', label: 'Move to the column on the right', group: 'Board', shortcut: 'Alt →' },
]

/** Board with one column per status. Cards move by mouse, by long press, by Alt+arrow keys, and by their menu. */
export const Board = ({
  engagementId,
  values: { status: _, ...values },
  mayChange,
  openedId,
  onOpen,
  onCreate,
  empty,
}: BoardProps) => {
  const [announcement, setAnnouncement] = useState({ message: '', count: 0 })
  const announce = (message: string) => setAnnouncement(({ count }) => ({ message, count: count + 1 }))
  const columns = useColumns(engagementId, values)
  const move = useMove(engagementId, values, announce)
  useDrops(move)
  useShortcuts([OPEN_KEY, ...(mayChange ? MOVE_KEYS : [])])
  const isEmpty = useIsEmpty(engagementId, values)
  const { open, in_progress, blocked, done, cancelled } = columns
  const reads = together({
    open: open.query,
    in_progress: in_progress.query,
    blocked: blocked.query,
    done: done.query,
    cancelled: cancelled.query,
  })
  if (isEmpty) return empty
  const board = () => (
    <div className={classes.board}>
      <p className="visually-hidden" id="board-keys">
        Enter opens a task. Alt with an arrow key moves it up, down, or into the next column.
      </p>
      {TASK_STATUSES.map((status) => (
        <BoardColumn
          key={status}
          status={status}
          list={columns[status]}
          mayChange={mayChange}
          openedId={openedId}
          onOpen={onOpen}
          {...(mayChange && { onCreate: () => onCreate(status) })}
          onMove={move}
          onEdge={announce}
        />
      ))}
      <div role="status" aria-live="polite" className="visually-hidden">
        {/* A new element per message, so that screen readers announce repeated messages. */}
        <span key={announcement.count}>{announcement.message}</span>
      </div>
    </div>
  )
  return (
    <Fill>
      <QueryView query={reads} skeleton={<BoardSkeleton />}>
        {board}
      </QueryView>
    </Fill>
  )
}

/** Handles drops: next to the card under the pointer, or at the end of a column. */
const useDrops = (move: ReturnType<typeof useMove>): void => {
  const latest = useRef(move)
  latest.current = move
  useEffect(
    () =>
      monitorForElements({
        onDrop: ({ source, location }) => {
          const task = source.data['task'] as Task | undefined
          const [target] = location.current.dropTargets
          if (!task || !target) return
          const { status, taskId } = target.data as { status: Status; taskId?: string }
          const side = extractClosestEdge(target.data) === 'top' ? 'beforeId' : 'afterId'
          latest.current(task, { status, ...(taskId !== undefined && { [side]: taskId }) })
        },
      }),
    [],
  )
}
