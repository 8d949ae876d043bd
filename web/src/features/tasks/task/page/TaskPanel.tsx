import { ActionIcon, CloseButton, Title } from '@mantine/core'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { isWithin } from '../../../../ui/commands/is-within.ts'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import { IconArrowsDiagonal } from '../../../../ui/page-icons.tsx'
import { CopyId } from '../../../../ui/values/CopyId.tsx'
import classes from './page.module.css'
import { TaskActions } from './TaskActions.tsx'
import { TaskBody } from './TaskBody.tsx'
import { TaskRead } from './TaskRead.tsx'

interface TaskPanelProps {
  taskId: string
  onClose: () => Promise<void> | void
  /** Shows the task as a page of its own. */
  onExpand: () => void
}

/** A task over the board or list from which it was opened. Escape closes it. */
export const TaskPanel = ({ taskId, onClose, onExpand }: TaskPanelProps) => {
  const panel = useRef<HTMLElement>(null)
  useFocus(panel, taskId)
  useEscape(onClose)
  return (
    <aside ref={panel} className={classes.panel} aria-label="Task" tabIndex={-1}>
      <TaskRead taskId={taskId} skeleton={<ListSkeleton rows={10} height={28} />}>
        {(task, state) => (
          <>
            <header className={classes.head}>
              <CopyId id={task.shortId} />
              <div className={classes.actions}>
                <TaskActions task={task} {...state} onDeleted={onClose} />
                <ActionIcon aria-label="Open as a page" title="Open as a page" onClick={onExpand}>
                  <IconArrowsDiagonal size={16} aria-hidden />
                </ActionIcon>
                <CloseButton aria-label="Close the task" title="Close (Esc)" onClick={() => void onClose()} />
              </div>
            </header>
            {!state.isEditing && (
              <Title order={2} className={classes.title}>
                {task.title}
              </Title>
            )}
            <TaskBody task={task} {...state} />
          </>
        )}
      </TaskRead>
    </aside>
  )
}

/** Moves the focus into the panel, and back to the card when it closes. */
const useFocus = (panel: RefObject<HTMLElement | null>, taskId: string): void => {
  useEffect(() => {
    const element = panel.current
    element?.focus({ preventScroll: true })
    return () => {
      const { activeElement } = document
      if (activeElement !== null && activeElement !== document.body && !element?.contains(activeElement)) return
      // The panel goes after this.
      queueMicrotask(() =>
        document.querySelector<HTMLElement>(`[data-task="${taskId}"]`)?.focus({ preventScroll: true }),
      )
    }
  }, [panel, taskId])
}

/** What an open menu, list or dialog does with Escape comes first. */
const INNER = '[role="dialog"], [role="menu"], [role="listbox"], [data-mantine-stop-propagation="true"]'

const useEscape = (onEscape: () => Promise<void> | void): void => {
  const escape = useEffectEvent(onEscape)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isWithin(event, INNER)) return
      if (document.querySelector('[data-app-dialog] [role="dialog"], [role="menu"]')) return
      event.preventDefault()
      void escape()
    }
    // Before the list below it, which would clear its selection.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
