import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import type { Domain } from './domain.ts'

export const RemoveDomainDialog = ({ domain, isLastProved, onClose }: { domain: Domain | undefined; isLastProved: boolean; onClose: () => void }) => {
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
      toast(data.autoJoinEnded ? `${shown?.domain} was removed, and joining by domain is switched off.` : `${shown?.domain} was removed.`)
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
        <Text size="sm">Nobody joins by an address at {shown?.domain} any more. Who has joined stays a member.</Text>
        {endsJoining && <Text size="sm">It is the last verified domain: joining by domain is switched off with it.</Text>}
        <Text size="sm">Claiming it again makes a new record: this one can be taken out of the DNS.</Text>
      </Stack>
    </ConfirmDialog>
  )
}
