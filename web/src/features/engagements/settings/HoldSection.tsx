import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Section } from '../../../ui/page/Page.tsx'

const MAX_REASON = 500

/** For the owner and admins. Sets and releases the legal hold. */
export const HoldSection = () => {
  const organization = useOrganization()
  const { engagement, details } = useEngagement()
  const [asking, setAsking] = useState<'hold' | 'release'>()
  const close = () => setAsking(undefined)
  const release = useApiMutation(organization.id, 'releaseEngagementHold', {
    invalidates: [[organization.id, 'getEngagementDetails']],
    onSuccess: close,
  })
  const isHeld = details.hold !== null
  return (
    <Section
      title="Legal hold"
      description={
        isHeld
          ? 'The engagement cannot be deleted, and nothing in it is deleted because its time is over.'
          : 'Blocks the deletion of the engagement, and keeps what would be deleted because its time is over. People can still edit; archive the engagement to make it read-only as well.'
      }
      actions={
        <Button variant="default" onClick={() => setAsking(isHeld ? 'release' : 'hold')}>
          {isHeld ? 'Release the hold' : 'Put on legal hold'}
        </Button>
      }
    >
      <Dialog opened={asking === 'hold'} onClose={close} title={`Put ${engagement.name} on legal hold`}>
        <HoldForm onClose={close} />
      </Dialog>
      <ConfirmDialog
        opened={asking === 'release'}
        onClose={close}
        onConfirm={() => release.mutate({ params: { engagementId: engagement.id } })}
        title="Release the legal hold?"
        confirmLabel="Release hold"
        loading={release.isPending}
        error={release.error ? messageOf(release.error) : undefined}
      >
        The engagement can be deleted again. What was kept only because of the hold is deleted soon. The audit log keeps
        who released it.
      </ConfirmDialog>
    </Section>
  )
}

const HoldForm = ({ onClose }: { onClose: () => void }) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const send = useSend(organization.id, 'holdEngagement', [[organization.id, 'getEngagementDetails']])
  const form = useDraftForm({
    draft: `engagement/${engagement.id}/hold`,
    saved: { values: { reason: '' } },
    send: ({ reason }) => send({ params: { engagementId: engagement.id }, body: { reason: reason.trim() } }),
    onSaved: onClose,
  })
  return (
    <DraftDialogForm form={form} submitLabel="Put on hold" onCancel={onClose} disabled={!form.values.reason.trim()}>
      <Textarea
        label="Reason"
        description="For example the matter, and who asked for it. Everyone who sees the engagement can read it."
        maxLength={MAX_REASON}
        autosize
        minRows={2}
        {...form.getInputProps('reason')}
        data-autofocus
      />
    </DraftDialogForm>
  )
}
