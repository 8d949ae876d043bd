import { Button, Menu } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { TASK_PRIORITIES, TASK_STATUSES } from '@sortie/contract/tasks/tasks.ts'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { toast, toastError } from '../../../ui/feedback/toast.ts'
import { PRIORITY_LABELS, STATUS_LABELS, staleReads } from '../labels.tsx'
import { BulkEditDialog } from './BulkEditDialog.tsx'
import { countOfTasks, type Selected } from './selected.ts'

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
  const update = useApiMutation(organization.id, 'bulkUpdateTasks', {
    invalidates: staleReads(organization.id),
    onSuccess: ({ data: { updated } }) => {
      toast(`${countOfTasks(updated)} changed.`)
      clear()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const set = (values: BulkSet) => update.mutate({ body: { ...selected, set: values } })
  return (
    <>
      <DropdownMenu
        position="top-start"
        target={
          <Button variant="default" size="compact-sm" loading={update.isPending}>
            Status
          </Button>
        }
      >
        {TASK_STATUSES.map((status) => (
          <Menu.Item key={status} onClick={() => set({ status })}>
            {STATUS_LABELS[status]}
          </Menu.Item>
        ))}
      </DropdownMenu>
      <DropdownMenu
        position="top-start"
        target={
          <Button variant="default" size="compact-sm">
            Priority
          </Button>
        }
      >
        {TASK_PRIORITIES.map((priority) => (
          <Menu.Item key={priority} onClick={() => set({ priority })}>
            {PRIORITY_LABELS[priority]}
          </Menu.Item>
        ))}
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
  const remove = useApiMutation(organization.id, 'bulkDeleteTasks', {
    invalidates: staleReads(organization.id),
    onSuccess: ({ data: { deleted } }) => {
      toast(`${countOfTasks(deleted)} deleted.`)
      onClose()
      onDone()
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => remove.mutate({ body: selected })}
      title={selected.ids?.length === 1 ? 'Delete the selected task?' : 'Delete the selected tasks?'}
      confirmLabel="Delete"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      Their comments and files are deleted with them. This can't be undone.
    </ConfirmDialog>
  )
}
