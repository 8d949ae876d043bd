import { Textarea, TextInput } from '@mantine/core'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { staleReads } from '../reads.ts'

interface CreateDialogProps {
  onClose: () => void
  onCreated: (methodologyId: string) => Promise<void>
}

/** Creates a methodology by name; its checks are added on its page. */
export const CreateDialog = (props: CreateDialogProps) => (
  <Dialog opened onClose={props.onClose} title="New methodology">
    <CreateForm {...props} />
  </Dialog>
)

const CreateForm = ({ onClose, onCreated }: CreateDialogProps) => {
  const { id } = useOrganization()
  const send = useSend(id, 'createMethodology', staleReads(id))
  const form = useDraftForm({
    draft: `organization/${id}/new-methodology`,
    saved: { values: { name: '', version: '', description: '' } },
    send: (body) => send({ body }),
    onSaved: ({ data }) => onCreated(data.id),
  })
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create methodology"
      onCancel={onClose}
      disabled={!form.values.name.trim()}
    >
      <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Version" maxLength={50} {...form.getInputProps('version')} />
      <Textarea
        label="Description"
        description="Markdown"
        autosize
        minRows={3}
        maxRows={12}
        {...form.getInputProps('description')}
      />
    </DraftDialogForm>
  )
}
