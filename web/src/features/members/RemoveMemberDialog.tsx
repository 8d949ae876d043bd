import { Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import type { Member } from './member.ts'

export const RemoveMemberDialog = ({ member, onClose }: { member: Member | undefined; onClose: () => void }) => {
  const organization = useOrganization()
  const last = useRef(member)
  if (member) last.current = member
  const shown = last.current
  const remove = useApiMutation(organization.id, 'removeMember', {
    invalidates: [
      [organization.id, 'listMembers'],
      [organization.id, 'getOrganization'],
      [organization.id, 'listApiKeys'],
      [null, 'listOwnOrganizations'],
    ],
    onSuccess: () => {
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened={member !== undefined}
      onClose={onClose}
      onConfirm={() => shown && remove.mutate({ params: { userId: shown.id } })}
      title={`Remove ${shown?.name ?? ''}?`}
      confirmLabel="Remove"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      <Stack gap="xs">
        <Text size="sm">
          {shown?.name} ({shown?.email}) loses access to {organization.name} at once, in every open window.
        </Text>
        <Text size="sm">
          The account is kept, and so is everything that {shown?.name} made here. API keys belong to the organization
          and keep working: delete those that only {shown?.name} used. Rejoining needs a new invitation.
        </Text>
      </Stack>
    </ConfirmDialog>
  )
}
