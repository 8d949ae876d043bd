import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ActionIcon, Menu } from '@mantine/core'
import { TASK_STATUSES } from '@sortie/contract/tasks/tasks.ts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDots } from '../../../ui/icons.tsx'
import { formatDue, isLate, PriorityLabel, STATUS_LABELS, type Task } from '../labels.tsx'
import classes from './board.module.css'

interface BoardCardProps {
  task: Task
  /** Pixels from the top of the column. */
  top: number
  mayChange: boolean
  onOpen: () => void
  onKeyDown: (event: KeyboardEvent) => void
  /** Absent at the edge of the column. */
  onUp?: (() => void) | undefined
  onDown?: (() => void) | undefined
  onStatus: (status: Task['status']) => void
}

export const BoardCard = ({ task, top, mayChange, onOpen, onKeyDown, ...moves }: BoardCardProps) => {
  const ref = useRef<HTMLLIElement>(null)
  const [edge, setEdge] = useState<Edge | null>(null)
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || !mayChange) return undefined
    return combine(
      draggable({
        element,
        getInitialData: () => ({ task }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        getData: ({ input }) =>
          attachClosestEdge(
            { status: task.status, taskId: task.id },
            { element, input, allowedEdges: ['top', 'bottom'] },
          ),
        // A card dropped on itself stays, and does not move to the end of the column below it.
        onDrag: ({ self, source }) =>
          setEdge((source.data['task'] as Task | undefined)?.id === task.id ? null : extractClosestEdge(self.data)),
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
      {mayChange && <MoveMenu task={task} {...moves} />}
    </li>
  )
}

/** The moves as menu items, for touch and screen readers. */
const MoveMenu = ({ task, onUp, onDown, onStatus }: Pick<BoardCardProps, 'task' | 'onUp' | 'onDown' | 'onStatus'>) => (
  <div className={classes.move}>
    <DropdownMenu
      position="bottom-end"
      target={
        <ActionIcon size="sm" aria-label={`Move ${task.title}`} title="Move to ...">
          <IconDots size={15} aria-hidden />
        </ActionIcon>
      }
    >
      {onUp && <Menu.Item onClick={onUp}>Up</Menu.Item>}
      {onDown && <Menu.Item onClick={onDown}>Down</Menu.Item>}
      {TASK_STATUSES.filter((status) => status !== task.status).map((status) => (
        <Menu.Item key={status} onClick={() => onStatus(status)}>
          {STATUS_LABELS[status]}
        </Menu.Item>
      ))}
    </DropdownMenu>
  </div>
)
