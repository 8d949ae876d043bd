import { Textarea, TextInput } from '@mantine/core'
import { TARGET_KINDS } from '@sortie/contract/core/values.ts'
import { useSend } from '../../../api/use-send.ts'
import { VERDICT_LABELS } from '../../../domain/verdicts.tsx'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { CriticalitySelect } from '../CriticalitySelect.tsx'
import { type Criticality, TARGET_KIND_LABELS, type Target } from '../labels.ts'
import { staleAfterTargets } from '../stale.ts'
import { TagField } from '../TagField.tsx'

interface AddTargetDialogProps {
  engagementId: string
  tags: readonly string[]
  onClose: () => void
}

export const AddTargetDialog = (props: AddTargetDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Add a target">
    <AddForm {...props} />
  </Dialog>
)

const EMPTY = {
  value: '',
  kind: '' as Target['kind'] | '',
  tags: [] as string[],
  criticality: 'none' as Criticality,
  notes: '',
}

/** The server detects the kind from the value, except for kinds that no value implies. */
const KINDS = [
  { value: '', label: 'Detect automatically' },
  ...TARGET_KINDS.map((value) => ({ value, label: TARGET_KIND_LABELS[value] })),
]

const AddForm = ({ engagementId, tags, onClose }: AddTargetDialogProps) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'createTarget', staleAfterTargets(organization.id))
  const form = useDraftForm({
    draft: `engagement/${engagementId}/new-target`,
    saved: { values: EMPTY },
    send: ({ kind, ...values }) => send({ body: { engagementId, ...values, ...(kind && { kind }) } }),
    onSaved: ({ data }) => {
      toast(`Added ${data.canonical}. Scope: ${VERDICT_LABELS[data.verdict].toLowerCase()}.`)
      onClose()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Add target" onCancel={onClose} disabled={!form.values.value.trim()}>
      <TextInput
        label="Value"
        placeholder="shop.contoso.example"
        maxLength={4_096}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('value')}
      />
      <Choice label="Kind" data={KINDS} {...form.getInputProps('kind')} />
      <CriticalitySelect {...form.getInputProps('criticality')} />
      <TagField label="Tags" tags={tags} {...form.getInputProps('tags')} />
      <Textarea
        label="Notes"
        description="Markdown"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={10_000}
        {...form.getInputProps('notes')}
      />
    </DraftDialogForm>
  )
}
