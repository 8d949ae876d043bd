import { Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { type Methodology, staleReads } from '../reads.ts'

interface DetailsDialogProps {
  methodology: Methodology
  onClose: () => void
}

const savedOf = ({ name, version, description, updatedAt }: Methodology) => ({
  values: { name, version, description },
  version: updatedAt,
})

/** Edits name, version and description. */
export const DetailsDialog = (props: DetailsDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Edit the methodology">
    <DetailsForm {...props} />
  </Dialog>
)

const DetailsForm = ({ methodology, onClose }: DetailsDialogProps) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const params = { methodologyId: methodology.id }
  const send = useSend(id, 'updateMethodology', staleReads(id))
  const form = useDraftForm({
    draft: `methodology/${methodology.id}`,
    saved: savedOf(methodology),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    reread: async () => savedOf((await cache.fetchQuery(query(id, 'getMethodology', { params }))).data),
    onSaved: onClose,
  })
  return (
    <DraftDialogForm
      form={form}
      labels={{ name: 'Name', version: 'Version', description: 'Description' }}
      submitLabel="Save"
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
