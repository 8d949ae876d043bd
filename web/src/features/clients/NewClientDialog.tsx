import { TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { staleReads } from './client.ts'

/** @param onClose resolves once the dialog is removed from the address */
export const NewClientDialog = ({ onClose }: { onClose: () => Promise<void> }) => (
  <Dialog opened onClose={() => void onClose()} title="New client">
    <NewForm onClose={onClose} />
  </Dialog>
)

const NewForm = ({ onClose }: { onClose: () => Promise<void> }) => {
  const organization = useOrganization()
  const router = useRouter()
  const send = useSend(organization.id, 'createClient', staleReads(organization.id))
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-client`,
    saved: { values: { name: '', shortName: '' } },
    send: (values) => send({ body: values }),
    onSaved: async ({ data }) => {
      await onClose()
      await router.navigate({ href: paths.client(organization.slug, data.id) })
    },
  })
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create client"
      onCancel={() => void onClose()}
      disabled={!form.values.name.trim()}
    >
      <TextInput
        label="Name"
        placeholder="Contoso Ltd."
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label="Short name" placeholder="CON" maxLength={40} {...form.getInputProps('shortName')} />
    </DraftDialogForm>
  )
}
