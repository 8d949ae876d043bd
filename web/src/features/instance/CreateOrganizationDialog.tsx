import { TextInput } from '@mantine/core'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { toast } from '../../ui/toasts/toast.ts'

export const CreateOrganizationDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="New organization">
    <CreateForm onClose={onClose} />
  </Dialog>
)

const CreateForm = ({ onClose }: { onClose: () => void }) => {
  const send = useSend(null, 'createOrganization', [
    [null, 'listInstanceOrganizations'],
    [null, 'listOwnOrganizations'],
    [null, 'listAccounts'],
    [null, 'getInstance'],
  ])
  const form = useDraftForm({
    draft: 'new-organization',
    saved: { values: { name: '', ownerEmail: '', ownerName: '' } },
    send: ({ name, ownerEmail, ownerName }) =>
      send({ body: { name, ownerEmail: ownerEmail.trim(), ...(ownerName.trim() && { ownerName }) } }),
    onSaved: ({ data }) => {
      toast(
        data.ownerIsNew
          ? `Created ${data.organization.name}. An email asks ${data.organization.owner.email} to choose a password.`
          : `Created ${data.organization.name}. ${data.organization.owner.name} was notified by email.`,
      )
      onClose()
    },
  })
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create organization"
      onCancel={onClose}
      disabled={!form.values.name.trim() || !form.values.ownerEmail.trim()}
    >
      <TextInput label="Name" maxLength={200} {...form.getInputProps('name')} data-autofocus />
      <TextInput
        label="Owner’s email"
        description="A person with an account owns it immediately; anyone else gets an email to set one up."
        type="email"
        {...form.getInputProps('ownerEmail')}
      />
      <TextInput
        label="Owner’s name"
        description="For a new account; its owner can change it."
        maxLength={200}
        {...form.getInputProps('ownerName')}
      />
    </DraftDialogForm>
  )
}
