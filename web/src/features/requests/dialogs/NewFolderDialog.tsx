import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { staleRequests, usePlace } from '../place.tsx'

interface NewFolderDialogProps {
  parentId: string | null
  onClose: () => void
}

/** Creates a folder in the open one, or at the top level. */
export const NewFolderDialog = ({ parentId, onClose }: NewFolderDialogProps) => {
  const { organizationId, engagementId, addressOf } = usePlace()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const create = useApiMutation(organizationId, 'createRequestFolder', {
    invalidates: staleRequests(organizationId),
    onSuccess: ({ data }) => {
      onClose()
      void navigate({ to: addressOf(data.id) })
    },
  })
  return (
    <Dialog opened onClose={onClose} title="New folder" size="sm">
      <DialogForm
        submitLabel="Create folder"
        onSubmit={() => create.mutate({ body: { engagementId, parentId, name } })}
        onCancel={onClose}
        loading={create.isPending}
        disabled={name.trim() === ''}
        error={create.error ? messageOf(create.error) : undefined}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={200}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  )
}
