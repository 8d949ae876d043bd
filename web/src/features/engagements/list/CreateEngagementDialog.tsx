import { Textarea, TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { formErrors, useCommand } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogForm } from '../../../ui/DialogForm.tsx'
import { toast } from '../../../ui/toast.ts'

/** @param onClose resolves once the address no longer opens the dialog */
export const CreateEngagementDialog = ({ opened, onClose }: { opened: boolean; onClose: () => Promise<void> }) => (
  <Dialog opened={opened} onClose={() => void onClose()} title="New engagement" size="lg">
    <CreateForm onClose={onClose} />
  </Dialog>
)

const CreateForm = ({ onClose }: { onClose: () => Promise<void> }) => {
  const organization = useOrganization()
  const router = useRouter()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const create = useCommand(organization.id, 'createEngagement', {
    invalidates: [[organization.id, 'listEngagements']],
    onSuccess: async ({ data }) => {
      toast(`${data.name} was created.`)
      // First the dialog leaves the address, so that Back leads to the list and not to an empty dialog.
      await onClose()
      await router.navigate({ href: paths.engagement(organization.slug, data.id) })
    },
  })
  const errors = create.error ? formErrors(create.error, ['name', 'description']) : { fields: {} }
  return (
    <DialogForm
      submitLabel="Create engagement"
      onSubmit={() => create.mutate({ body: { name, description } })}
      onCancel={() => void onClose()}
      error={errors.form}
      loading={create.isPending}
      disabled={!name.trim()}
    >
      <TextInput
        label="Name"
        placeholder="Contoso external perimeter 2026"
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.fields.name}
        data-autofocus
      />
      <Textarea
        label="Description"
        description="Markdown: scope, rules, contacts. It can be changed at any time."
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={errors.fields.description}
        autosize
        minRows={5}
        maxRows={14}
      />
    </DialogForm>
  )
}
