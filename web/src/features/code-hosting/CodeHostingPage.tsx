import { Button, Code, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, patchCached, query, useApiMutation } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { EngagementSelect } from '../../shell/fields/EngagementSelect.tsx'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { StatusLabel } from '../../ui/feedback/StatusLabel.tsx'
import { IconGitBranch, IconPlus } from '../../ui/icons.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { ConnectRepositoryDialog } from './ConnectRepositoryDialog.tsx'
import { DELIVERY_COLUMNS } from './deliveries.tsx'

type Repository = Output<'listRepositories'>['data'][number]

export const CodeHostingPage = () => {
  const organization = useOrganization()
  const [connecting, setConnecting] = useState(false)
  const [disconnecting, setDisconnecting] = useState<Repository>()
  const repositories = useQuery(query(organization.id, 'listRepositories'))
  const connectButton = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setConnecting(true)}>
      Connect a repository
    </Button>
  )
  return (
    <Page
      title="Code hosting"
      description="Repositories on GitHub whose notifications this organization gets."
      actions={repositories.data?.meta.enabled && connectButton}
    >
      <QueryView query={repositories}>
        {({ data, meta }) => (
          <>
            {!meta.enabled && <SwitchedOff />}
            {(meta.enabled || data.length > 0) && <Connected repositories={data} onDisconnect={setDisconnecting} />}
          </>
        )}
      </QueryView>
      <ConnectRepositoryDialog opened={connecting} onClose={() => setConnecting(false)} />
      <DisconnectDialog repository={disconnecting} onClose={() => setDisconnecting(undefined)} />
    </Page>
  )
}

const Connected = ({
  repositories,
  onDisconnect,
}: {
  repositories: readonly Repository[]
  onDisconnect: (repository: Repository) => void
}) => {
  const organization = useOrganization()
  return (
    <>
      <Section title="Repositories">
        {repositories.length > 0 ? (
          <DataTable
            label="Repositories"
            columns={repositoryColumns(onDisconnect)}
            rows={repositories}
            rowKey={({ id }) => id}
          />
        ) : (
          <EmptyState icon={<IconGitBranch size={32} stroke={1.4} />} title="No repositories yet">
            Connect the first one. An instance administrator confirms that it is yours. After that, its notifications
            are listed here.
          </EmptyState>
        )}
      </Section>
      <Section title="Notifications" description="Notifications of the connected repositories, newest first.">
        <CursorList
          label="Notifications"
          {...rows(organization.id, 'listDeliveries')}
          columns={DELIVERY_COLUMNS}
          rowKey={({ id }) => id}
          empty={<EmptyState title="Nothing received yet" />}
          more="Show older notifications"
        />
      </Section>
    </>
  )
}

const SwitchedOff = () => (
  <EmptyState icon={<IconGitBranch size={32} stroke={1.4} />} title="Code hosting is not enabled">
    This installation accepts no notifications from repositories. To enable code hosting, the operator sets{' '}
    <Code>CODE_HOSTING_WEBHOOK_SECRET</Code>, restarts it, and adds a webhook with that secret in GitHub.
  </EmptyState>
)

const repositoryColumns = (onDisconnect: (repository: Repository) => void): Column<Repository>[] => [
  {
    header: 'Repository',
    cell: (repository) => (
      <Text size="sm" fw={500}>
        {repository.fullName}
      </Text>
    ),
  },
  { header: 'State', kind: 'secondary', cell: RepositoryState },
  { header: 'Issues become tasks of', kind: 'secondary', cell: (repository) => <TasksOf repository={repository} /> },
  { header: 'Requested', kind: 'secondary', cell: ({ requestedAt }) => <TimeAgo iso={requestedAt} /> },
  {
    header: 'Actions',
    kind: 'actions',
    cell: (repository) => (
      <Button
        variant="default"
        aria-label={`Disconnect ${repository.fullName}`}
        onClick={() => onDisconnect(repository)}
      >
        Disconnect
      </Button>
    ),
  },
]

const RepositoryState = ({ status }: Pick<Repository, 'status'>) =>
  status === 'connected' ? (
    <StatusLabel tone="good">Connected</StatusLabel>
  ) : (
    <StatusLabel tone="busy">Waiting for confirmation</StatusLabel>
  )

/** Selects the engagement that receives issues as tasks. Applied immediately and rolled back on refusal. */
const TasksOf = ({ repository }: { repository: Repository }) => {
  const { id } = useOrganization()
  const update = useApiMutation(id, 'updateRepository', {
    invalidates: [[id, 'listRepositories']],
    inOrder: `repository/${repository.id}`,
    optimistic: (cache, { params, body: { engagementId } }) =>
      patchCached(cache, id, 'listRepositories', ({ data, meta }) => ({
        data: data.map((row) => (row.id === params.repositoryId ? { ...row, engagementId } : row)),
        meta,
      })),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <EngagementSelect
      size="xs"
      aria-label={`Issues of ${repository.fullName} become tasks of`}
      value={repository.engagementId}
      onChange={(engagementId) => update.mutate({ params: { repositoryId: repository.id }, body: { engagementId } })}
    />
  )
}

const DisconnectDialog = ({ repository, onClose }: { repository: Repository | undefined; onClose: () => void }) => {
  const organization = useOrganization()
  const disconnect = useApiMutation(organization.id, 'disconnectRepository', {
    invalidates: [[organization.id, 'listRepositories']],
    onSuccess: () => {
      toast(`Disconnected ${repository?.fullName}.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened={repository !== undefined}
      onClose={onClose}
      onConfirm={() => repository && disconnect.mutate({ params: { repositoryId: repository.id } })}
      title={`Disconnect ${repository?.fullName ?? ''}?`}
      confirmLabel="Disconnect"
      loading={disconnect.isPending}
      error={disconnect.error ? messageOf(disconnect.error) : undefined}
    >
      This organization gets no more notifications from it. Existing ones stay. Connecting it again may need a
      confirmation.
    </ConfirmDialog>
  )
}
