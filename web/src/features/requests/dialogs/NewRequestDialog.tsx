import { Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { staleRequests, usePlace } from '../place.tsx'
import { nameOf } from '../request/request-values.ts'
import { isCurl, useImport } from './use-import.ts'

interface NewRequestDialogProps {
  folderId: string | null
  onClose: () => void
}

/** Creates a request from an address or a cURL command. */
export const NewRequestDialog = (props: NewRequestDialogProps) => (
  <Dialog opened onClose={props.onClose} title="New request">
    <NewRequest {...props} />
  </Dialog>
)

const EMPTY = { url: '', name: '' }

const NewRequest = ({ folderId, onClose }: NewRequestDialogProps) => {
  const { organizationId, engagementId, addressOf } = usePlace()
  const navigate = useNavigate()
  const create = useSend(organizationId, 'createApiRequest', staleRequests(organizationId))
  const importInto = useImport(folderId)
  const form = useDraftForm({
    draft: `${engagementId ?? organizationId}/new-request`,
    saved: { values: EMPTY },
    send: async ({ url, name }) => {
      if (isCurl(url)) {
        const { requests, problems } = await importInto(url, 'curl')
        for (const { reason } of problems.slice(0, 3)) toastError(`Left out: ${reason}`)
        return requests[0]?.id
      }
      return (await create({ body: { engagementId, folderId, url: url.trim(), name: name.trim() || nameOf(url) } }))
        .data.id
    },
    onSaved: async (id) => {
      onClose()
      if (id !== undefined) await navigate({ to: addressOf(id) })
    },
  })
  const isCommand = isCurl(form.values.url)
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create request"
      onCancel={onClose}
      disabled={form.values.url.trim() === ''}
    >
      <Textarea
        label="Address, or a cURL command"
        description="{{name}} is a variable of the environment."
        placeholder="https://{{host}}/api/users"
        autosize
        minRows={1}
        maxRows={10}
        maxLength={1_000_000}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('url')}
      />
      {!isCommand && (
        <TextInput label="Name" placeholder={nameOf(form.values.url)} maxLength={200} {...form.getInputProps('name')} />
      )}
    </DraftDialogForm>
  )
}
