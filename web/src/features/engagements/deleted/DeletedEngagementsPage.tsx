import { Button, Group, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { CursorList } from '../../../shell/reads/CursorList.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import type { Column } from '../../../ui/lists/DataTable.tsx'
import { IconTrash } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { ENGAGEMENT_LISTS } from '../settings/engagement-lists.ts'

type Deleted = Output<'listTrashedEngagements'>['data'][number]

/** The trash of engagements, for the owner and admins. */
export const DeletedEngagementsPage = () => {
  const organization = useOrganization()
  const [purging, setPurging] = useState<Deleted>()
  const invalidates = ENGAGEMENT_LISTS.map((name) => [organization.id, name] as const)
  const restore = useApiMutation(organization.id, 'restoreEngagement', {
    invalidates,
    onSuccess: ({ data }) => toast(`Restored ${data.name}.`),
    onError: (error) => toastError(messageOf(error)),
  })
  const purge = useApiMutation(organization.id, 'purgeEngagement', {
    invalidates,
    onSuccess: () => {
      toast(`Deleted ${purging?.name ?? 'the engagement'} for good.`)
      setPurging(undefined)
    },
  })
  const columns: Column<Deleted>[] = [
    {
      header: 'Name',
      cell: ({ name, clientName }) => (
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {clientName !== '' && (
            <Text size="xs" c="dimmed">
              {clientName}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      header: 'Deleted',
      kind: 'secondary',
      cell: ({ deletedAt, deletedBy }) => (
        <Text size="sm">
          <TimeAgo iso={deletedAt} /> by {deletedBy.name}
        </Text>
      ),
    },
    { header: 'Deleted for good', kind: 'secondary', cell: ({ purgeAt }) => <TimeAgo iso={purgeAt} /> },
    {
      header: 'Actions',
      kind: 'actions',
      cell: (engagement) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Restore ${engagement.name}`}
            loading={restore.isPending && restore.variables.params.engagementId === engagement.id}
            onClick={() => restore.mutate({ params: { engagementId: engagement.id } })}
          >
            Restore
          </Button>
          <Button
            color="red"
            variant="outline"
            size="compact-xs"
            aria-label={`Delete ${engagement.name} for good`}
            onClick={() => setPurging(engagement)}
          >
            Delete
          </Button>
        </Group>
      ),
    },
  ]
  return (
    <Page
      title="Deleted engagements"
      description="Restored engagements are as they were, for the same people. Nothing starts to send: stopped scans stay cancelled, and scan schedules stay disabled."
    >
      <CursorList
        label="Deleted engagements"
        {...rows(organization.id, 'listTrashedEngagements')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<IconTrash size={32} stroke={1.4} />} title="No deleted engagements">
            An engagement is deleted in its settings, from{' '}
            <TextLink to={paths.engagements(organization.slug)}>Engagements</TextLink>.
          </EmptyState>
        }
        more="Show earlier deletions"
      />
      <ConfirmDialog
        opened={purging !== undefined}
        onClose={() => setPurging(undefined)}
        onConfirm={() =>
          purging && purge.mutate({ params: { engagementId: purging.id }, body: { name: purging.name } })
        }
        title={`Delete ${purging?.name ?? ''} for good?`}
        confirmLabel="Delete for good"
        typeToConfirm={purging?.name ?? ''}
        loading={purge.isPending}
        error={purge.error ? messageOf(purge.error) : undefined}
      >
        Its targets, results, findings, reports, tasks, pages and files are removed now, for everyone. This can't be
        undone. Backups keep them until they are rotated.
      </ConfirmDialog>
    </Page>
  )
}
