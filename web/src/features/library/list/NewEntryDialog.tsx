import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { staleReads } from '../entries.tsx'
import { keyFrom } from './key-from.ts'

interface NewEntryDialogProps {
  onClose: () => void
  onCreated: (entryId: string) => Promise<void>
}

/** Creates a draft with its title; its texts are written on its page. */
export const NewEntryDialog = (props: NewEntryDialogProps) => (
  <Dialog opened onClose={props.onClose} title="New library entry">
    <NewForm {...props} />
  </Dialog>
)

const NewForm = ({ onClose, onCreated }: NewEntryDialogProps) => {
  const { id } = useOrganization()
  const settings = useQuery(query(id, 'getReportSettings')).data?.data
  const send = useSend(id, 'createLibraryEntry', staleReads(id))
  const form = useDraftForm({
    draft: `organization/${id}/new-library-entry`,
    saved: { values: { title: '', key: '', mainLanguage: settings?.language ?? 'en' } },
    send: ({ title, key, mainLanguage }) =>
      send({
        body: {
          key: key.trim() || keyFrom(title),
          mainLanguage: mainLanguage.trim(),
          texts: { [mainLanguage.trim()]: { title: title.trim() } },
        },
      }),
    onSaved: ({ data }) => onCreated(data.id),
  })
  const { title, mainLanguage } = form.values
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create entry"
      onCancel={onClose}
      disabled={!title.trim() || !mainLanguage.trim()}
    >
      <TextInput
        label="Title"
        placeholder="SQL injection"
        maxLength={300}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <TextInput
        label="Key"
        description="Its name in imports and exports."
        placeholder={keyFrom(title) || 'sql-injection'}
        maxLength={40}
        {...form.getInputProps('key')}
      />
      <TextInput
        label="Language"
        description="Of the main text, such as en or de."
        maxLength={35}
        {...form.getInputProps('mainLanguage')}
      />
    </DraftDialogForm>
  )
}
