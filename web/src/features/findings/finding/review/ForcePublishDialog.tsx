import { TextInput } from '@mantine/core'
import { useSend } from '../../../../api/use-send.ts'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import { DraftDialogForm } from '../../../../forms/Form.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx'
import type { Finding } from '../../labels.ts'

interface ForcePublishDialogProps {
  finding: Finding
  onClose: () => void
}

/** Publishes a finding that is not approved, with a reason for the audit log. */
export const ForcePublishDialog = (props: ForcePublishDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Publish without approval">
    <ForceForm {...props} />
  </Dialog>
)

const ForceForm = ({ finding, onClose }: ForcePublishDialogProps) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'publishFinding', staleFindingReads(organization.id))
  const form = useDraftForm({
    saved: { values: { reason: '' } },
    send: ({ reason }) => send({ params: { findingId: finding.id }, body: { force: true, reason } }),
    onSaved: onClose,
  })
  return (
    <DraftDialogForm form={form} submitLabel="Publish" onCancel={onClose} disabled={!form.values.reason.trim()}>
      <TextInput
        label="Reason"
        description="Guests see the text as it is now. The reason is kept in the audit log."
        maxLength={500}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DraftDialogForm>
  )
}
