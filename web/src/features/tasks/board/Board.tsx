import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Fill } from '../../../shell/Fill.tsx'
import { QueryView, together } from '../../../shell/QueryView.tsx'
import { type Command, useCommands } from '../../../ui/commands.ts'
import type { FilterValues } from '../../../ui/filters/filters.ts'
import { STATUSES, type Status, type Task } from '../words.tsx'
import classes from './board.module.css'
import { BoardColumn } from './BoardColumn.tsx'
import { BoardSkeleton } from './BoardSkeleton.tsx'
import { useColumns, useIsEmpty, useMove } from './use-board.ts'

interface BoardProps {
  engagementId: string
  values: FilterValues
  mayChange: boolean
  onOpen: (task: Task) => void
  /** In place of columns in which nothing stands. */
  empty: ReactNode
}

/** Told of in the sheet of keys: the columns handle them. */
const OPEN_KEY: Command = { id: 'board-open', label: 'Open', group: 'Board', shortcut: 'Enter' }
const MOVE_KEYS: readonly Command[] = [
  { id: 'board-up', label: 'Move up', group: 'Board', shortcut: 'Alt ↑' },
  { id: 'board-down', label: 'Move down', group: 'Board', shortcut: 'Alt ↓' },
  { id: 'board-left', label: 'Move to the column on the left', group: 'Board', shortcut: 'Alt ←' },
  { id: 'board-right', label: 'Move to the column on the right', group: 'Board', shortcut: 'Alt →' },
]

/** Tasks in columns by status. Cards are moved by mouse, with a finger that stays on them, by the arrow keys with Alt held, and by their menu. */
export const Board = ({ engagementId, values: { status: _, ...values }, mayChange, onOpen, empty }: BoardProps) => {
  const [said, setSaid] = useState({ message: '', count: 0 })
  const announce = (message: string) => setSaid(({ count }) => ({ message, count: count + 1 }))
  const columns = useColumns(engagementId, values)
  const move = useMove(engagementId, values, announce)
  useDrops(move)
  useCommands([OPEN_KEY, ...(mayChange ? MOVE_KEYS : [])])
  const isEmpty = useIsEmpty(engagementId, values)
  const { open, in_progress, blocked, done, cancelled } = columns
  const reads = together({ open: open.query, in_progress: in_progress.query, blocked: blocked.query, done: done.query, cancelled: cancelled.query })
  if (isEmpty) return empty
  const board = () => (
    <div className={classes.board}>
      <p className="visually-hidden" id="board-keys">
        Enter opens a task. Alt with an arrow key moves it up, down, or into the column beside.
      </p>
      {STATUSES.map((status) => (
        <BoardColumn key={status} status={status} list={columns[status]} mayChange={mayChange} onOpen={onOpen} onMove={move} onEdge={announce} />
      ))}
      <div role="status" aria-live="polite" className="visually-hidden">
        {/* Another element each time: what is said twice is heard twice. */}
        <span key={said.count}>{said.message}</span>
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

/** Moves what is dropped: beside the card below the pointer, or to the end of a column. */
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
