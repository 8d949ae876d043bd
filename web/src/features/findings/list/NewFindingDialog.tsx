import { TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useSend } from '../../../api/use-send.ts'
import { staleFindingReads } from '../../../domain/finding-words.tsx'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { type ChosenEntry, LibraryField } from './LibraryField.tsx'

interface NewFindingDialogProps {
  engagementId: string
  /** Resolves once the dialog is removed from the address. */
  onClose: () => Promise<void>
}

/** Creates a finding as a draft, empty or from an entry of the library, and opens its editor. */
export const NewFindingDialog = (props: NewFindingDialogProps) => (
  <Dialog opened onClose={() => void props.onClose()} title="New finding">
    <NewForm {...props} />
  </Dialog>
)

const NewForm = ({ engagementId, onClose }: NewFindingDialogProps) => {
  const organization = useOrganization()
  const router = useRouter()
  const send = useSend(organization.id, 'createFinding', staleFindingReads(organization.id))
  const form = useDraftForm({
    draft: `engagement/${engagementId}/new-finding`,
    saved: { values: { title: '', severity: 'medium', entry: null as ChosenEntry | null } },
    send: ({ title, severity, entry }) =>
      send({
        body: entry
          ? { engagementId, libraryEntryId: entry.id, ...(title.trim() && { title: title.trim() }) }
          : { engagementId, title, severity: severity as keyof typeof SEVERITY_LABELS },
      }),
    onSaved: async ({ data }) => {
      await onClose()
      await router.navigate({ href: `${paths.finding(organization.slug, engagementId, data.id)}?view=edit` })
    },
  })
  const { title, entry } = form.values
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create finding"
      onCancel={() => void onClose()}
      disabled={!entry && !title.trim()}
    >
      <TextInput
        label="Title"
        placeholder={entry?.title ?? 'SQL injection in the search'}
        maxLength={300}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <LibraryField value={entry} onChange={(chosen) => form.setFieldValue('entry', chosen)} />
      {!entry && <Choice label="Severity" data={optionsOf(SEVERITY_LABELS)} {...form.getInputProps('severity')} />}
    </DraftDialogForm>
  )
}
