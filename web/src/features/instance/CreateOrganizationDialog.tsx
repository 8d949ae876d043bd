import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { formErrors, useCommand } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toast.ts'

export const CreateOrganizationDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="New organization">
    <CreateForm onClose={onClose} />
  </Dialog>
)

const CreateForm = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState('')
  const [ownerEmail, setOwnerEmail] = useState('')
  const [ownerName, setOwnerName] = useState('')
  const create = useCommand(null, 'createOrganization', {
    invalidates: [
      [null, 'listInstanceOrganizations'],
      [null, 'listOwnOrganizations'],
      [null, 'listAccounts'],
      [null, 'getInstance'],
    ],
    onSuccess: ({ data }) => {
      toast(
        data.ownerIsNew
          ? `${data.organization.name} was created. A mail asks ${data.organization.owner.email} to choose a password.`
          : `${data.organization.name} was created. ${data.organization.owner.name} was told by mail.`,
      )
      onClose()
    },
  })
  const errors = create.error ? formErrors(create.error, ['name', 'ownerEmail', 'ownerName']) : { fields: {} }
  return (
    <DialogForm
      submitLabel="Create organization"
      onSubmit={() => create.mutate({ body: { name, ownerEmail: ownerEmail.trim(), ...(ownerName.trim() && { ownerName }) } })}
      onCancel={onClose}
      error={errors.form}
      loading={create.isPending}
      disabled={!name.trim() || !ownerEmail.trim()}
    >
      <TextInput label="Name" value={name} maxLength={200} onChange={(event) => setName(event.currentTarget.value)} error={errors.fields.name} data-autofocus />
      <TextInput
        label="Owner’s email"
        description="Somebody with an account owns it at once; anybody else gets a mail to set one up."
        type="email"
        value={ownerEmail}
        onChange={(event) => setOwnerEmail(event.currentTarget.value)}
        error={errors.fields.ownerEmail}
      />
      <TextInput
        label="Owner’s name"
        description="For a new account; its owner can change it."
        value={ownerName}
        maxLength={200}
        onChange={(event) => setOwnerName(event.currentTarget.value)}
        error={errors.fields.ownerName}
      />
    </DialogForm>
  )
}
