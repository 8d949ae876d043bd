import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembers } from '../../../shell/context/use-members.ts'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { type BulkChange, type BulkSelection, CHANGED_READS, useRevertResults } from './use-triage.ts'

interface BulkEditDialogProps {
  opened: boolean
  onClose: () => void
  selection: BulkSelection
}

/** Edits assignee, tags and acceptance end of all selected results. */
export const BulkEditDialog = (props: BulkEditDialogProps) => (
  <Dialog opened={props.opened} onClose={props.onClose} title="Assign and tag">
    <BulkEditForm {...props} />
  </Dialog>
)

const KEEP = 'keep'
const NOBODY = 'nobody'

const BulkEditForm = ({ onClose, selection }: BulkEditDialogProps) => {
  const organization = useOrganization()
  const members = useMembers()
  const [assignee, setAssignee] = useState(KEEP)
  const [addTags, setAddTags] = useState<string[]>([])
  const [removeTags, setRemoveTags] = useState<string[]>([])
  const [acceptedUntil, setAcceptedUntil] = useState('')
  const offerRevert = useRevertResults()
  const change = useApiMutation(organization.id, 'bulkUpdateResults', {
    invalidates: CHANGED_READS.map((name) => [organization.id, name] as const),
    onSuccess: ({ data: { updated, undo = [] } }) => {
      offerRevert(updated === 1 ? '1 result changed.' : `${updated.toLocaleString('en')} results changed.`, undo)
      onClose()
    },
  })
  const set: BulkChange = {
    ...(assignee !== KEEP && { assigneeId: assignee === NOBODY ? null : assignee }),
    ...(addTags.length > 0 && { addTags }),
    ...(removeTags.length > 0 && { removeTags }),
    ...(acceptedUntil && { status: 'accepted' as const, acceptedUntil }),
  }
  return (
    <DialogForm
      submitLabel="Change"
      onSubmit={() => change.mutate({ body: { ...selection, set, withUndo: true } })}
      onCancel={onClose}
      loading={change.isPending}
      disabled={Object.keys(set).length === 0}
      error={change.error ? messageOf(change.error) : undefined}
    >
      <Choice
        label="Assignee"
        value={assignee}
        onChange={(chosen) => setAssignee(chosen)}
        data={[
          { value: KEEP, label: 'Unchanged' },
          { value: NOBODY, label: 'Unassigned' },
          ...(members.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []),
        ]}
      />
      <TagsInput label="Add tags" value={addTags} onChange={setAddTags} maxTags={50} clearable />
      <TagsInput label="Remove tags" value={removeTags} onChange={setRemoveTags} maxTags={50} clearable />
      <DateField
        label="Accept the risk until"
        description="Vulnerabilities only: they reopen after this day."
        value={acceptedUntil}
        onChange={setAcceptedUntil}
      />
    </DialogForm>
  )
}
