import { Alert, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { EngagementSelect } from '../../shell/fields/EngagementSelect.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../ui/dialogs/DialogForm.tsx'
import { type Run, usePlace } from './place.tsx'

/** Reason for sending without an engagement. */
export type Override = NonNullable<Run['override']>

type Send = (override: Override | undefined) => void

/**
 * Asks for a reason before sending without an engagement; sends immediately from an engagement.
 * @param objectId request or folder for which an engagement can be chosen instead; undefined before it is saved
 */
export const useOverride = (objectId: string | undefined): { ask: (send: Send) => void; dialog: ReactNode } => {
  const { needsReason = false } = usePlace()
  const [pending, setPending] = useState<Send>()
  // Kept: the same reason usually applies to several requests.
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
            Scope rules, testing hours and dates do not apply. Your name and the reason are kept with the run, in the
            audit log and in the operation log of the organization.
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
  /** Id of a library request or folder. */
  objectId: string
  label?: string
}

/** Opens a library request or folder in an engagement, whose rules apply to requests sent from there. */
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

/** Reason of a run or sequence that was sent without an engagement. */
export const SentWithout = ({ override }: { override: Override | null }) =>
  override && (
    <Alert color="yellow" variant="light" p="xs">
      Sent without an engagement: {override.reason}
    </Alert>
  )
