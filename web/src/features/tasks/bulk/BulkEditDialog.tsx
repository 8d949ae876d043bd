import { Checkbox, TagsInput } from '@mantine/core'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useRevert } from '../../../shell/undo/use-undo.ts'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { OUTCOME_LABELS, type CheckOutcome, staleReads } from '../labels.tsx'
import { useAssignees } from '../use-assignees.ts'
import { countOfTasks, type Selected } from './selected.ts'

interface BulkEditDialogProps {
  selected: Selected
  engagementId: string
  onClose: () => void
  onDone: () => void
}

/** Edits assignee, due date, labels and outcome of the selected tasks. Empty fields stay unchanged. */
export const BulkEditDialog = (props: BulkEditDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Assign and label">
    <EditForm {...props} />
  </Dialog>
)

const KEEP = { value: '', label: 'Unchanged' }
const NOBODY = { value: 'nobody', label: 'Unassigned' }
const MAX_LABELS = 20

const NOTHING = {
  assignee: '',
  dueOn: '',
  hasNoDueDay: false,
  addLabels: [] as string[],
  removeLabels: [] as string[],
  outcome: '' as CheckOutcome | '',
}

const EditForm = ({ selected, engagementId, onClose, onDone }: BulkEditDialogProps) => {
  const organization = useOrganization()
  const members = useAssignees(engagementId)
  const send = useSend(organization.id, 'bulkUpdateTasks', staleReads(organization.id))
  const offerRevert = useRevert('revertTasks', staleReads(organization.id))
  const form = useDraftForm({
    saved: { values: NOTHING },
    send: (values) => send({ body: { ...selected, set: setOf(values), withUndo: true } }),
    onSaved: ({ data }) => {
      offerRevert(`${countOfTasks(data.updated)} changed.`, data.undo ?? [])
      onClose()
      onDone()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Change" onCancel={onClose} disabled={!form.hasChanges}>
      <Choice
        label="Assignee"
        data={[KEEP, NOBODY, ...members.map(({ id, name }) => ({ value: id, label: name }))]}
        {...form.getInputProps('assignee')}
      />
      <DateField label="Due" disabled={form.values.hasNoDueDay} {...form.getInputProps('dueOn')} />
      <Checkbox label="Remove the due date" {...form.getInputProps('hasNoDueDay', { type: 'checkbox' })} />
      <TagsInput label="Add labels" maxTags={MAX_LABELS} clearable {...form.getInputProps('addLabels')} />
      <TagsInput label="Remove labels" maxTags={MAX_LABELS} clearable {...form.getInputProps('removeLabels')} />
      <Choice
        label="Outcome"
        description="Only for tasks created from a methodology."
        data={[KEEP, ...optionsOf(OUTCOME_LABELS)]}
        {...form.getInputProps('outcome')}
      />
    </DraftDialogForm>
  )
}

const setOf = ({ assignee, dueOn, hasNoDueDay, addLabels, removeLabels, outcome }: typeof NOTHING) => ({
  ...(assignee && { assigneeId: assignee === NOBODY.value ? null : assignee }),
  ...(hasNoDueDay ? { dueOn: null } : dueOn && { dueOn }),
  ...(addLabels.length > 0 && { addLabels }),
  ...(removeLabels.length > 0 && { removeLabels }),
  ...(outcome && { outcome }),
})
