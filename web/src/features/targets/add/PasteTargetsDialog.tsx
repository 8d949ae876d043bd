import { Text, Textarea } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { sendable } from '@sortie/contract/core/pasted-lines.ts'
import { useState } from 'react'
import { messageOf } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useRemoveCreated } from '../../../shell/undo/use-undo.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { LineList } from '../../../ui/lists/LineList.tsx'
import { countOfTargets } from '../bulk/selected.ts'
import { staleAfterTargets } from '../stale.ts'
import { TagField } from '../TagField.tsx'
import { PasteOutcome } from './PasteOutcome.tsx'
import { usePreview } from './use-preview.ts'

interface PasteTargetsDialogProps {
  engagementId: string
  /** Suggested tags of the engagement. */
  tags: readonly string[]
  onClose: () => void
}

/** Adds many targets from pasted text, such as a letter, a table or a report. */
export const PasteTargetsDialog = (props: PasteTargetsDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Paste targets" size="lg">
    <PasteTargets {...props} />
  </Dialog>
)

const EMPTY = { text: '', tags: [] as string[] }

const PasteTargets = ({ engagementId, tags, onClose }: PasteTargetsDialogProps) => {
  const organization = useOrganization()
  const [outcome, setOutcome] = useState<Output<'createTargets'>['data']>()
  const stale = staleAfterTargets(organization.id)
  const send = useSend(organization.id, 'createTargets', stale)
  const offerRemoval = useRemoveCreated('bulkDeleteTargets', stale)
  const form = useDraftForm({
    draft: `engagement/${engagementId}/paste-targets`,
    saved: { values: EMPTY },
    send: (values) => send({ body: { engagementId, ...values, text: sendable(values.text) } }),
    savedBy: () => ({ values: EMPTY }),
    onSaved: ({ data }) => {
      setOutcome(data)
      const created = data.lines.filter(({ outcome }) => outcome === 'created')
      offerRemoval(
        `${countOfTargets(data.created)} added.`,
        created.flatMap(({ targetId }) => targetId ?? []),
        () => setOutcome(undefined),
      )
    },
  })
  const preview = usePreview(engagementId, form.values.text)
  const correct = (rejected: string) => {
    form.setFieldValue('text', rejected)
    setOutcome(undefined)
  }
  if (outcome)
    return <PasteOutcome outcome={outcome} nouns={['target', 'targets']} onClose={onClose} onCorrect={correct} />
  return (
    <DraftDialogForm form={form} submitLabel="Add targets" onCancel={onClose} disabled={!form.values.text.trim()}>
      <Textarea
        label="Targets, one per line"
        description="Names, addresses, networks, URLs, host:port. hxxp:// and [.] are converted back; # starts a comment."
        placeholder={'shop.contoso.example\n10.20.0.0/24\nhttps://portal.contoso.example/login'}
        rows={7}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('text')}
      />
      {preview.lines.length > 0 && <LineList label="Preview of each line" lines={preview.lines} />}
      {(preview.error || preview.isCut) && (
        <Text size="xs" c="dimmed" role="status">
          {preview.error
            ? `The preview could not be read: ${messageOf(preview.error)}`
            : 'Only the first lines are previewed. All of them are added.'}
        </Text>
      )}
      <TagField label="Tags for all of them" tags={tags} {...form.getInputProps('tags')} />
    </DraftDialogForm>
  )
}
