import { Button, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { DELIVERY_COLUMNS } from './deliveries.tsx'

type Pending = Output<'listPendingRepositories'>['data'][number]

const COLUMNS: Column<Pending>[] = [
  {
    header: 'Repository',
    cell: ({ fullName, organization }) => (
      <div>
        <Text size="sm" fw={500}>
          {fullName}
        </Text>
        <Text size="xs" c="dimmed">
          for {organization.name}
        </Text>
      </div>
    ),
  },
  { header: 'Requested', kind: 'secondary', cell: ({ requestedAt }) => <TimeAgo iso={requestedAt} /> },
  { header: 'Actions', kind: 'actions', cell: (repository) => <ConfirmButton repository={repository} /> },
]

export const InstanceCodeHostingPage = () => {
  const pending = useQuery(query(null, 'listPendingRepositories'))
  return (
    <Page
      title="Code hosting"
      description="Notifications are signed with one secret of this installation, so they do not prove who owns a repository: confirm it before an organization gets them."
    >
      <Section
        title="To be confirmed"
        description="Organizations requested these repositories. Confirm one only if you know that it is theirs."
      >
        <QueryView query={pending} skeleton={<ListSkeleton rows={3} />}>
          {({ data }) =>
            data.length > 0 ? (
              <DataTable label="To be confirmed" columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
            ) : (
              <EmptyState title="Nothing to confirm" />
            )
          }
        </QueryView>
      </Section>
      <Section
        title="Unassigned notifications"
        description="From repositories that are not connected to an organization."
      >
        <CursorList
          label="Unassigned notifications"
          {...rows(null, 'listUnassignedDeliveries')}
          columns={DELIVERY_COLUMNS}
          rowKey={({ id }) => id}
          empty={<EmptyState title="There are none" />}
          more="Show older notifications"
        />
      </Section>
    </Page>
  )
}

const ConfirmButton = ({ repository }: { repository: Pending }) => {
  const confirm = useApiMutation(null, 'confirmRepository', {
    invalidates: [[null, 'listPendingRepositories']],
    onSuccess: () => toast(`${repository.organization.name} gets the notifications of ${repository.fullName} now.`),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      variant="default"
      aria-label={`Confirm ${repository.fullName} for ${repository.organization.name}`}
      loading={confirm.isPending}
      onClick={() => confirm.mutate({ params: { repositoryId: repository.id } })}
    >
      Confirm
    </Button>
  )
}
