import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { useRestore } from '../../../../shell/undo/use-undo.ts'
import { useShortcuts } from '../../../../ui/commands/commands.ts'
import { ConfirmDialog } from '../../../../ui/dialogs/ConfirmDialog.tsx'
import { IconEdit, IconTrash } from '../../../../ui/page-icons.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'
import { staleReads, type Task } from '../../labels.tsx'
import type { TaskState } from './task-state.ts'

interface TaskActionsProps extends TaskState {
  task: Task
  onDeleted: () => Promise<void> | void
}

/** Editing the text of a task, and deleting it. */
export const TaskActions = ({ task, mayChange, isEditing, setEditing, onDeleted }: TaskActionsProps) => {
  const organization = useOrganization()
  const [isDeleting, setDeleting] = useState(false)
  const offerRestore = useRestore('restoreTasks', staleReads(organization.id))
  const remove = useApiMutation(organization.id, 'deleteTask', {
    invalidates: staleReads(organization.id),
    onSuccess: async () => {
      await onDeleted()
      offerRestore(`Deleted ${task.title}.`, [task.id])
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const isOffered = mayChange && !isEditing
  useShortcuts(
    isOffered
      ? [
          {
            id: 'task-edit',
            label: 'Edit title and description',
            group: 'Tasks',
            shortcut: 'e',
            run: () => setEditing(true),
          },
        ]
      : [],
  )
  if (!isOffered) return null
  return (
    <>
      <ActionIcon aria-label="Edit" title="Edit title and description (E)" onClick={() => setEditing(true)}>
        <IconEdit size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label="Delete" title="Delete" onClick={() => setDeleting(true)}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete this task?"
        confirmLabel="Delete task"
        danger
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ params: { taskId: task.id } })}
      >
        Its comments and files are deleted with it. You can undo this.
      </ConfirmDialog>
    </>
  )
}
