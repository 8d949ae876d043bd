import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { type Entry, staleReads } from '../entries.tsx'

interface ApproveDialogProps {
  entry: Entry
  /** What seems to belong to the client, of a proposal. */
  clientData: readonly string[]
  onClose: () => void
}

/** Approves an entry. Each piece of client data in its texts must be replaced before, or confirmed here. */
export const ApproveDialog = (props: ApproveDialogProps) => (
  <Dialog opened onClose={props.onClose} title={`Approve ${props.entry.title}?`}>
    <ApproveForm {...props} />
  </Dialog>
)

const ApproveForm = ({ entry, clientData, onClose }: ApproveDialogProps) => {
  const { id } = useOrganization()
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const approve = useApiMutation(id, 'updateLibraryEntry', {
    invalidates: staleReads(id),
    onSuccess: () => {
      toast('Approved. Suggestions use it from now on.')
      onClose()
    },
  })
  const left = clientData.filter((found) => !confirmed.includes(found))
  const toggle = (found: string, isKept: boolean) =>
    setConfirmed(isKept ? [...confirmed, found] : confirmed.filter((one) => one !== found))
  return (
    <DialogForm
      submitLabel="Approve"
      onSubmit={() =>
        approve.mutate({
          params: { entryId: entry.id },
          body: {
            state: 'approved',
            ifUpdatedAt: entry.updatedAt,
            ...(confirmed.length > 0 && { confirmed: [...confirmed] }),
          },
        })
      }
      onCancel={onClose}
      loading={approve.isPending}
      error={approve.error ? messageOf(approve.error) : undefined}
      disabled={left.length > 0 && 'Confirm each of these, or replace it in the texts first.'}
    >
      <Text size="sm">
        {entry.fromFindingId === null
          ? 'Everyone in the organization can use it in findings, and suggestions offer it.'
          : 'Everyone in the organization can then see it, including people who cannot see the engagement that it comes from.'}
      </Text>
      {clientData.length > 0 && (
        <Stack gap="xs" role="group" aria-label="Data of the client">
          <Text size="sm" fw={500}>
            These seem to belong to the client. Confirm what may stay:
          </Text>
          {clientData.map((found) => (
            <Checkbox
              key={found}
              label={found}
              checked={confirmed.includes(found)}
              onChange={({ currentTarget }) => toggle(found, currentTarget.checked)}
            />
          ))}
        </Stack>
      )}
    </DialogForm>
  )
}
