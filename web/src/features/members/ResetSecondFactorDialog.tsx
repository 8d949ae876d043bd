import { Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ProofForm } from '../../shell/proof/ProofForm.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import type { Member } from './member.ts'

export const ResetSecondFactorDialog = ({ member, onClose }: { member: Member | undefined; onClose: () => void }) => {
  const last = useRef(member)
  if (member) last.current = member
  return (
    <Dialog
      opened={member !== undefined}
      onClose={onClose}
      title={`Reset the two-factor authentication of ${last.current?.name ?? ''}?`}
    >
      {last.current && <ResetForm member={last.current} onClose={onClose} />}
    </Dialog>
  )
}

const ResetForm = ({ member, onClose }: { member: Member; onClose: () => void }) => {
  const organization = useOrganization()
  const reset = useApiMutation(organization.id, 'resetMemberSecondFactor', {
    invalidates: [
      [organization.id, 'listMemberSecondFactors'],
      [organization.id, 'getSecurityOverview'],
    ],
    onSuccess: () => {
      toast(`Two-factor authentication of ${member.name} reset.`)
      onClose()
    },
  })
  return (
    <ProofForm
      label="Reset"
      danger
      error={reset.error}
      loading={reset.isPending}
      onSubmit={(body) => reset.mutate({ params: { userId: member.id }, body })}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">
          For a member who has lost phone, passkeys and recovery codes. All of them are removed from the account, and{' '}
          {member.name} is signed out everywhere at once. Until two-factor authentication is set up again, only the
          password protects the account.
        </Text>
        <Text size="sm">
          Make sure that it is {member.name} who asks, in person or by phone. {member.email} is notified by email, and
          the audit log records it.
        </Text>
      </Stack>
    </ProofForm>
  )
}
