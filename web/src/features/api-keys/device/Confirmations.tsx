import { Button, Group, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { summarize } from '../scopes.ts'

type Confirmation = Output<'listDeviceConfirmations'>['data'][number]

/** A terminal waits for ten minutes: the list is read again after this time. */
const REREAD_MS = 15_000

/** Approvals of members that wait for an owner or admin; nothing while there are none. */
export const Confirmations = () => {
  const { id } = useOrganization()
  const list = useQuery({ ...query(id, 'listDeviceConfirmations'), refetchInterval: REREAD_MS })
  const invalidates = [
    [id, 'listDeviceConfirmations'],
    [id, 'listApiKeys'],
  ] as const
  const confirm = useApiMutation(id, 'confirmDeviceAuthorization', { invalidates: [...invalidates] })
  const refuse = useApiMutation(id, 'refuseDeviceAuthorization', { invalidates: [...invalidates] })
  const rows = list.data?.data ?? []
  if (rows.length === 0) return null
  const error = confirm.error ?? refuse.error
  const columns: Column<Confirmation>[] = [
    {
      header: 'Program',
      cell: ({ keyName, client, device, address, createdAt }) => (
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {keyName}
          </Text>
          <Text size="xs" c="dimmed">
            {client}, {device}, <span className="mono">{address}</span>, <TimeAgo iso={createdAt} />
          </Text>
        </Stack>
      ),
    },
    { header: 'Of', kind: 'secondary', cell: ({ approvedBy }) => <Text size="sm">{approvedBy.name}</Text> },
    { header: 'Scopes', kind: 'secondary', cell: ({ scopes }) => <Text size="sm">{summarize(scopes)}</Text> },
    {
      header: 'Engagements',
      kind: 'secondary',
      cell: ({ engagementIds }) => <Text size="sm">{reachOf(engagementIds)}</Text>,
    },
    { header: 'Ends', kind: 'secondary', cell: ({ keyExpiresAt }) => <TimeAgo iso={keyExpiresAt} /> },
    {
      header: 'Answer',
      kind: 'actions',
      cell: ({ id: authorizationId, keyName }) => (
        <Group gap={6} wrap="nowrap">
          <Button
            size="compact-sm"
            aria-label={`Confirm ${keyName}`}
            loading={confirm.isPending}
            onClick={() => confirm.mutate({ params: { authorizationId } })}
          >
            Confirm
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Refuse ${keyName}`}
            loading={refuse.isPending}
            onClick={() => refuse.mutate({ params: { authorizationId } })}
          >
            Refuse
          </Button>
        </Group>
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Members who sign in a terminal or an AI client
      </Text>
      <DataTable label="Sign-ins to confirm" columns={columns} rows={rows} rowKey={(row) => row.id} />
      {error && (
        <Text size="sm" c="red" role="alert">
          {messageOf(error)}
        </Text>
      )}
    </Stack>
  )
}

const reachOf = (engagementIds: Confirmation['engagementIds']): string => {
  if (engagementIds === 'all') return 'All that the person sees'
  return engagementIds === 'open' ? 'Shared' : `${engagementIds.length}`
}
