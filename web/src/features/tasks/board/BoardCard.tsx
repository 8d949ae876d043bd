import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { ActionIcon, Menu } from '@mantine/core'
import { TASK_STATUSES } from '@sortie/contract/core/values.ts'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { formatDay } from '../../../ui/dates/dates.ts'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDots } from '../../../ui/page-icons.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { isLate, PriorityLabel, STATUS_LABELS, type Task } from '../labels.tsx'
import classes from './board.module.css'

interface BoardCardProps {
  task: Task
  /** In its column. */
  index: number
  /** Reports the height of the card, which follows from its content. */
  measure: (element: HTMLElement | null) => void
  /** Pixels from the top of the column. */
  top: number
  mayChange: boolean
  /** Its panel is open. */
  isOpened: boolean
  onOpen: () => void
  onKeyDown: (event: KeyboardEvent) => void
  /** Absent at the edge of the column. */
  onUp?: (() => void) | undefined
  onDown?: (() => void) | undefined
  onStatus: (status: Task['status']) => void
}

export const BoardCard = ({
  task,
  index,
  measure,
  top,
  mayChange,
  isOpened,
  onOpen,
  onKeyDown,
  ...moves
}: BoardCardProps) => {
  const [element, setElement] = useState<HTMLLIElement | null>(null)
  const [edge, setEdge] = useState<Edge | null>(null)
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
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
  }, [element, task, mayChange])
  // The height changes with the text, which only the virtual list can make way for.
  useEffect(() => measure(element), [element, measure])
  const { title, target } = partsOf(task)
  return (
    <li
      ref={setElement}
      data-index={index}
      className={classes.slot}
      style={{ transform: `translateY(${top}px)` }}
      data-edge={edge ?? undefined}
    >
      <button
        type="button"
        className={classes.card}
        onClick={onOpen}
        onKeyDown={onKeyDown}
        aria-describedby="board-keys"
        data-task={task.id}
        data-opened={isOpened || undefined}
        aria-current={isOpened || undefined}
        data-dragged={isDragged || undefined}
      >
        <span className={classes.title}>{title}</span>
        {target && (
          <span className={classes.target} title={target}>
            {target}
          </span>
        )}
        <span className={classes.facts}>
          <span className={classes.id}>{task.shortId}</span>
          <PriorityLabel priority={task.priority} />
          {task.dueOn && <span data-late={isLate(task) || undefined}>{formatDay(task.dueOn)}</span>}
          <Person name={task.assignee?.name} />
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

/** A check that is made of a target has its name after a colon: it is a line of its own. */
const partsOf = ({ title, check, links }: Task): { title: string; target: string | undefined } => {
  const at = check?.targetId ? title.lastIndexOf(': ') : -1
  if (at > 0) return { title: title.slice(0, at), target: title.slice(at + 2) }
  return { title, target: links.find(({ type }) => type === 'target')?.title ?? undefined }
}
