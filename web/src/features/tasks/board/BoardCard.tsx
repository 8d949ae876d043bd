import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatDue, isLate, PriorityLabel, type Task } from '../words.tsx'
import classes from './board.module.css'

interface BoardCardProps {
  task: Task
  /** Pixels from the top of the column. */
  top: number
  mayChange: boolean
  onOpen: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

export const BoardCard = ({ task, top, mayChange, onOpen, onKeyDown }: BoardCardProps) => {
  const ref = useRef<HTMLLIElement>(null)
  const [edge, setEdge] = useState<Edge | null>(null)
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || !mayChange) return undefined
    return combine(
      draggable({ element, getInitialData: () => ({ task }), onDragStart: () => setDragged(true), onDrop: () => setDragged(false) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => (source.data['task'] as Task | undefined)?.id !== task.id,
        getData: ({ input }) => attachClosestEdge({ status: task.status, taskId: task.id }, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => setEdge(extractClosestEdge(self.data)),
        onDragLeave: () => setEdge(null),
        onDrop: () => setEdge(null),
      }),
    )
  }, [task, mayChange])
  return (
    <li ref={ref} className={classes.slot} style={{ transform: `translateY(${top}px)` }} data-edge={edge ?? undefined}>
      <button
        type="button"
        className={classes.card}
        onClick={onOpen}
        onKeyDown={onKeyDown}
        aria-describedby="board-keys"
        data-task={task.id}
        data-dragged={isDragged || undefined}
      >
        <span className={classes.title}>{task.title}</span>
        <span className={classes.facts}>
          <PriorityLabel priority={task.priority} />
          {task.dueOn && <span data-late={isLate(task) || undefined}>{formatDue(task.dueOn)}</span>}
          {task.assignee && <span>{task.assignee.name}</span>}
          {task.checklist.length > 0 && (
            <span>
              {task.checklist.filter(({ done }) => done).length}/{task.checklist.length}
            </span>
          )}
        </span>
      </button>
    </li>
  )
}
