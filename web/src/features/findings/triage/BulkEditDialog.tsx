import { TagsInput } from '@mantine/core'
import { useSend } from '../../../api/use-send.ts'
import { staleFindingReads } from '../../../domain/finding-words.tsx'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembersWithAccess } from '../../../shell/context/use-members-with-access.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { countOfFindings, type FindingSelection, useRevertFindings } from '../use-finding-change.ts'

interface BulkEditDialogProps {
  selection: FindingSelection
  engagementId: string
  onClose: () => void
}

/** Sets author, reviewer and tags of the selected findings. Empty fields stay unchanged. */
export const BulkEditDialog = (props: BulkEditDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Assign and tag">
    <EditForm {...props} />
  </Dialog>
)

const KEEP = { value: '', label: 'Unchanged' }
const NOBODY = { value: 'nobody', label: 'Unassigned' }
const NOTHING = { author: '', reviewer: '', addTags: [] as string[], removeTags: [] as string[] }

const EditForm = ({ selection, engagementId, onClose }: BulkEditDialogProps) => {
  const organization = useOrganization()
  const people = [
    KEEP,
    NOBODY,
    ...useMembersWithAccess(engagementId).map(({ id, name }) => ({ value: id, label: name })),
  ]
  const offerRevert = useRevertFindings()
  const send = useSend(organization.id, 'bulkUpdateFindings', staleFindingReads(organization.id))
  const form = useDraftForm({
    saved: { values: NOTHING },
    send: (values) => send({ body: { ...selection, set: setOf(values), withUndo: true } }),
    onSaved: ({ data: { updated, undo = [] } }) => {
      offerRevert(`${countOfFindings(updated)} changed.`, undo)
      onClose()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Change" onCancel={onClose} disabled={!form.hasChanges}>
      <Choice label="Author" data={people} data-autofocus {...form.getInputProps('author')} />
      <Choice label="Reviewer" data={people} {...form.getInputProps('reviewer')} />
      <TagsInput label="Add tags" maxTags={50} clearable {...form.getInputProps('addTags')} />
      <TagsInput label="Remove tags" maxTags={50} clearable {...form.getInputProps('removeTags')} />
    </DraftDialogForm>
  )
}

const personOf = (value: string): string | null => (value === NOBODY.value ? null : value)

const setOf = ({ author, reviewer, addTags, removeTags }: typeof NOTHING) => ({
  ...(author && { authorId: personOf(author) }),
  ...(reviewer && { reviewerId: personOf(reviewer) }),
  ...(addTags.length > 0 && { addTags }),
  ...(removeTags.length > 0 && { removeTags }),
})
