import { Badge, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf, patchCached, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import type { Member } from './member.ts'

type Assignable = 'admin' | 'member'

const WORDS = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const

interface RoleCellProps {
  member: Member
  mayChange: boolean
  isSelf: boolean
}

/** Changes the role optimistically; rolls back if the server refuses. Confirms before giving up one's own role. */
export const RoleCell = ({ member, mayChange, isSelf }: RoleCellProps) => {
  const organization = useOrganization()
  const [isAsking, setAsking] = useState(false)
  const change = useApiMutation(organization.id, 'changeMemberRole', {
    invalidates: [
      [organization.id, 'listMembers'],
      [null, 'listOwnOrganizations'],
    ],
    optimistic: (cache, { params, body }) =>
      patchCached(cache, organization.id, 'listMembers', (output) => ({
        ...output,
        data: output.data.map((row) => (row.id === params.userId ? { ...row, role: body.role } : row)),
      })),
    onError: (error) => toastError(messageOf(error)),
  })
  const setRole = (role: Assignable) => change.mutate({ params: { userId: member.id }, body: { role } })
  if (member.role === 'owner') return <Badge variant="light">Owner</Badge>
  if (!mayChange) return <Text size="sm">{WORDS[member.role]}</Text>
  return (
    <>
      <Choice
        size="xs"
        w={104}
        aria-label={`Role of ${member.name}`}
        value={member.role}
        data={[
          { value: 'admin', label: WORDS.admin },
          { value: 'member', label: WORDS.member },
        ]}
        onChange={(chosen) => (isSelf ? setAsking(true) : setRole(chosen))}
      />
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          setRole('member')
        }}
        title="Stop being an admin?"
        confirmLabel="Become a member"
      >
        You can no longer change {organization.name}, its people or its API keys. You can't undo this yourself: the
        owner or another admin has to make you an admin again.
      </ConfirmDialog>
    </>
  )
}
