import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FilterValues } from '../../../ui/filters/filters.ts'
import { STATUSES, type Status, type Task } from '../words.tsx'
import { BoardColumn } from './BoardColumn.tsx'
import classes from './board.module.css'
import { useIsEmpty, useMove } from './use-board.ts'

interface BoardProps {
  engagementId: string
  values: FilterValues
  mayChange: boolean
  onOpen: (task: Task) => void
  /** In place of columns in which nothing stands. */
  empty: ReactNode
}

/** Tasks in columns by status. Cards are moved by mouse, with a finger that stays on them, by the arrow keys with Alt held, and by their menu. */
export const Board = ({ engagementId, values: { status: _, ...values }, mayChange, onOpen, empty }: BoardProps) => {
  const [message, setMessage] = useState('')
  const move = useMove(engagementId, values, setMessage)
  const latest = useRef(move)
  latest.current = move
  useEffect(
    () =>
      monitorForElements({
        onDrop: ({ source, location }) => {
          const task = source.data['task'] as Task | undefined
          const [target] = location.current.dropTargets
          if (!task || !target) return
          const status = target.data['status'] as Status
          const other = target.data['taskId'] as string | undefined
          const side = extractClosestEdge(target.data) === 'top' ? 'beforeId' : 'afterId'
          latest.current(task, { status, ...(other !== undefined && { [side]: other }) })
        },
      }),
    [],
  )
  if (useIsEmpty(engagementId, values)) return empty
  return (
    <div className={classes.board}>
      <p className="visually-hidden" id="board-keys">
        Enter opens a task. Alt with an arrow key moves it up, down, or into the column beside.
      </p>
      {STATUSES.map((status) => (
        <BoardColumn key={status} engagementId={engagementId} values={values} status={status} mayChange={mayChange} onOpen={onOpen} onMove={move} />
      ))}
      <div role="status" aria-live="polite" className="visually-hidden">
        {message}
      </div>
    </div>
  )
}
