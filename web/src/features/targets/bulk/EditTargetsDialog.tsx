import { inParts, sumOf } from '../../../api/in-parts.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useRevert } from '../../../shell/undo/use-undo.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { CriticalitySelect } from '../CriticalitySelect.tsx'
import type { Criticality } from '../labels.ts'
import { staleAfterTargets } from '../stale.ts'
import { TagField } from '../TagField.tsx'
import { countOfTargets, type Selected } from './selected.ts'

interface EditTargetsDialogProps {
  selection: Selected
  title: string
  tags: readonly string[]
  onClose: () => void
  onDone: () => void
}

/** Edits criticality and tags of the selected targets. Empty fields stay unchanged. */
export const EditTargetsDialog = (props: EditTargetsDialogProps) => (
  <Dialog opened onClose={props.onClose} title={props.title}>
    <EditForm {...props} />
  </Dialog>
)

const NOTHING = { criticality: '' as Criticality | '', addTags: [] as string[], removeTags: [] as string[] }

const EditForm = ({ selection, tags, onClose, onDone }: EditTargetsDialogProps) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'bulkUpdateTargets', staleAfterTargets(organization.id))
  const offerRevert = useRevert('revertTargets', staleAfterTargets(organization.id))
  const form = useDraftForm({
    saved: { values: NOTHING },
    send: ({ criticality, addTags, removeTags }) => {
      const set = {
        ...(criticality && { criticality }),
        ...(addTags.length > 0 && { addTags }),
        ...(removeTags.length > 0 && { removeTags }),
      }
      return inParts(selection, async (part) => (await send({ body: { ...part, set, withUndo: true } })).data)
    },
    onSaved: (answers) => {
      const undo = answers.flatMap((answer) => answer.undo ?? [])
      offerRevert(`${countOfTargets(sumOf(answers, ({ updated }) => updated))} changed.`, undo)
      onDone()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Change" onCancel={onClose} disabled={!form.hasChanges}>
      <CriticalitySelect unchanged="Unchanged" {...form.getInputProps('criticality')} />
      <TagField label="Add tags" tags={tags} {...form.getInputProps('addTags')} />
      <TagField label="Remove tags" tags={tags} {...form.getInputProps('removeTags')} />
    </DraftDialogForm>
  )
}
