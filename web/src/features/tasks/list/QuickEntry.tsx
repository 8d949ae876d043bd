import { Select, TextInput } from '@mantine/core'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembersWithAccess } from '../../../shell/context/use-members-with-access.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { PRIORITY_LABELS, type Priority, staleReads } from '../labels.tsx'

interface QuickEntryProps {
  engagementId: string
  onClose: () => void
}

/** Creates a task by title; the other fields can follow later. */
export const QuickEntry = ({ engagementId, onClose }: QuickEntryProps) => (
  <Dialog opened onClose={onClose} title="New task">
    <EntryForm engagementId={engagementId} onClose={onClose} />
  </Dialog>
)

const EMPTY = { title: '', priority: 'none' as Priority, assigneeId: null as string | null, dueOn: '' }

const EntryForm = ({ engagementId, onClose }: QuickEntryProps) => {
  const organization = useOrganization()
  const members = useMembersWithAccess(engagementId)
  const send = useSend(organization.id, 'createTask', staleReads(organization.id))
  const form = useDraftForm({
    draft: `engagement/${engagementId}/new-task`,
    saved: { values: EMPTY },
    send: ({ dueOn, ...values }) => send({ body: { engagementId, ...values, dueOn: dueOn || null } }),
    onSaved: ({ data }) => {
      toast(`Created ${data.title}.`)
      onClose()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Create task" onCancel={onClose} disabled={!form.values.title.trim()}>
      <TextInput label="Title" maxLength={200} data-autofocus {...form.getInputProps('title')} />
      <Select
        label="Priority"
        data={optionsOf(PRIORITY_LABELS)}
        allowDeselect={false}
        {...form.getInputProps('priority')}
      />
      <Select
        label="Assignee"
        placeholder="Unassigned"
        data={members.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        {...form.getInputProps('assigneeId')}
      />
      <TextInput type="date" label="Due" {...form.getInputProps('dueOn')} />
    </DraftDialogForm>
  )
}
