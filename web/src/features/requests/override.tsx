import { Alert, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { paths } from '../../paths.ts'
import { EngagementSelect } from '../../shell/EngagementSelect.tsx'
import { useOrganization } from '../../shell/organization.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { type Run, usePlace } from './place.tsx'

/** Why something is sent without an engagement. */
export type Override = NonNullable<Run['override']>

type Send = (override: Override | undefined) => void

/**
 * Asks for the reason before something is sent without an engagement; sends at once from an engagement.
 *
 * @param objectId the request or folder, so that an engagement can be chosen for it instead; undefined before it is saved
 */
export const useOverride = (objectId: string | undefined): { ask: (send: Send) => void; dialog: ReactNode } => {
  const { needsReason = false } = usePlace()
  const [pending, setPending] = useState<Send>()
  // The same reason holds for several requests, as a rule.
  const [reason, setReason] = useState('')
  const close = () => setPending(undefined)
  return {
    ask: (send) => {
      if (needsReason) setPending(() => send)
      else send(undefined)
    },
    dialog: needsReason && (
      <Dialog opened={pending !== undefined} onClose={close} title="Send without an engagement">
        <DialogForm
          submitLabel="Send"
          danger
          disabled={reason.trim() === ''}
          onCancel={close}
          onSubmit={() => {
            close()
            pending?.({ reason: reason.trim() })
          }}
        >
          <Text size="sm">
            No scope rules, testing hours or dates apply. Your name and the reason are kept with the run, in the audit log and in the operation log of the
            organization.
          </Text>
          <TextInput
            label="Reason"
            placeholder="Check of the proxy before the engagement begins"
            maxLength={500}
            required
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            data-autofocus
          />
          {objectId !== undefined && <ChooseEngagement objectId={objectId} label="Or send it from an engagement" />}
        </DialogForm>
      </Dialog>
    ),
  }
}

interface ChooseEngagementProps {
  /** Of a request or a folder of the library. */
  objectId: string
  label?: string
}

/** Opens a request or a folder of the library in an engagement, whose rules hold for what is sent there. */
export const ChooseEngagement = ({ objectId, label = 'Send it from' }: ChooseEngagementProps) => {
  const { slug } = useOrganization()
  const navigate = useNavigate()
  return (
    <EngagementSelect
      label={label}
      placeholder="Choose an engagement"
      mt="xs"
      maw={360}
      onlyActive
      clearable={false}
      onChange={(engagementId) => {
        if (engagementId !== null) void navigate({ to: paths.openEngagementRequest(slug, engagementId, objectId) })
      }}
    />
  )
}

/** Of a run or a sequence that was sent without an engagement: why. */
export const SentWithout = ({ override }: { override: Override | null }) =>
  override && (
    <Alert color="yellow" variant="light" p="xs">
      Sent without an engagement: {override.reason}
    </Alert>
  )
