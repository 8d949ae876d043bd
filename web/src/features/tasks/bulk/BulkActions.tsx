import { Button } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useAssignToMe } from '../../../shell/fields/use-assign-to-me.ts'
import { useRestore, useRevert } from '../../../shell/undo/use-undo.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { KeyButton } from '../../../ui/dialogs/KeyButton.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { staleReads } from '../labels.tsx'
import { BulkEditDialog } from './BulkEditDialog.tsx'
import { countOfTasks, type Selected } from './selected.ts'
import {
  ASSIGNEE_SHORTCUT,
  AssigneeChoices,
  PRIORITY_SHORTCUT,
  PriorityChoices,
  STATUS_SHORTCUT,
  StatusChoices,
} from './TaskMenus.tsx'

type BulkSet = NonNullable<Input<'bulkUpdateTasks'>['body']>['set']

interface BulkActionsProps {
  selected: Selected
  engagementId: string
  /** Clears the selection. */
  clear: () => void
}

/** Actions on the selected tasks. */
export const BulkActions = ({ selected, engagementId, clear }: BulkActionsProps) => {
  const organization = useOrganization()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const close = () => setAsked(undefined)
  const offerRevert = useRevert('revertTasks', staleReads(organization.id))
  const update = useApiMutation(organization.id, 'bulkUpdateTasks', {
    invalidates: staleReads(organization.id),
    onSuccess: ({ data: { updated, undo = [] } }) => {
      offerRevert(`${countOfTasks(updated)} changed.`, undo)
      clear()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const set = (values: BulkSet) => update.mutate({ body: { ...selected, set: values, withUndo: true } })
  useAssignToMe({ id: 'task-mine', group: 'Tasks', onAssign: (assigneeId) => set({ assigneeId }) })
  return (
    <>
      <DropdownMenu
        position="top-start"
        shortcut={STATUS_SHORTCUT}
        target={<KeyButton label="Status" hint="S" loading={update.isPending} />}
      >
        <StatusChoices set={set} />
      </DropdownMenu>
      <DropdownMenu position="top-start" shortcut={PRIORITY_SHORTCUT} target={<KeyButton label="Priority" hint="V" />}>
        <PriorityChoices set={set} />
      </DropdownMenu>
      <DropdownMenu position="top-start" shortcut={ASSIGNEE_SHORTCUT} target={<KeyButton label="Assignee" hint="A" />}>
        <AssigneeChoices set={set} />
      </DropdownMenu>
      <Button variant="default" size="compact-sm" onClick={() => setAsked('edit')}>
        Assign and label
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'edit' && (
        <BulkEditDialog selected={selected} engagementId={engagementId} onClose={close} onDone={clear} />
      )}
      <DeleteDialog opened={asked === 'delete'} selected={selected} onClose={close} onDone={clear} />
    </>
  )
}

const DeleteDialog = ({
  opened,
  selected,
  onClose,
  onDone,
}: {
  opened: boolean
  selected: Selected
  onClose: () => void
  onDone: () => void
}) => {
  const organization = useOrganization()
  const offerRestore = useRestore('restoreTasks', staleReads(organization.id))
  const remove = useApiMutation(organization.id, 'bulkDeleteTasks', {
    invalidates: staleReads(organization.id),
    onSuccess: ({ data: { deleted, ids = [] } }) => {
      offerRestore(`${countOfTasks(deleted)} deleted.`, ids)
      onClose()
      onDone()
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => remove.mutate({ body: { ...selected, withUndo: true } })}
      title={selected.ids?.length === 1 ? 'Delete the selected task?' : 'Delete the selected tasks?'}
      confirmLabel="Delete"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      Their comments and files are deleted with them. You can undo this.
    </ConfirmDialog>
  )
}
