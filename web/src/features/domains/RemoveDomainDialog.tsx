import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import type { Domain } from './domain.ts'

export const RemoveDomainDialog = ({
  domain,
  isLastProved,
  onClose,
}: {
  domain: Domain | undefined
  isLastProved: boolean
  onClose: () => void
}) => {
  const { id } = useOrganization()
  const organization = useQuery(query(id, 'getOrganization'))
  const last = useRef(domain)
  if (domain) last.current = domain
  const shown = last.current
  const remove = useApiMutation(id, 'removeDomain', {
    invalidates: [
      [id, 'listDomains'],
      [id, 'getOrganization'],
    ],
    onSuccess: ({ data }) => {
      toast(
        data.autoJoinEnded ? `Removed ${shown?.domain}. Joining by domain is now off.` : `Removed ${shown?.domain}.`,
      )
      onClose()
    },
  })
  const endsJoining = isLastProved && organization.data?.data.settings.domainAutoJoin === true
  return (
    <ConfirmDialog
      opened={domain !== undefined}
      onClose={onClose}
      onConfirm={() => shown && remove.mutate({ params: { domainId: shown.id } })}
      title={`Remove ${shown?.domain ?? ''}?`}
      confirmLabel="Remove"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      <Stack gap="xs">
        <Text size="sm">No one can join with an address at {shown?.domain} any more. Existing members stay.</Text>
        {endsJoining && (
          <Text size="sm">It is the last verified domain: joining by domain is switched off with it.</Text>
        )}
        <Text size="sm">Claiming it again creates a new record: you can remove this one from the DNS.</Text>
      </Stack>
    </ConfirmDialog>
  )
}
