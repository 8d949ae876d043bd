import { Button, Group, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, patchCached, query, useCommand } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { QueryFailed } from '../../shell/pages.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { Page } from '../../ui/Page.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { EditEngagement } from './EditEngagement.tsx'
import classes from './engagements.module.css'
import { type Engagement, type EngagementStatus, EngagementStatusLabel } from './status.tsx'

const route = getRouteApi('/signed-in/o/$slug/engagement-readers/engagements/$engagementId/')

export const EngagementPage = () => {
  const organization = useOrganization()
  const { engagementId } = route.useParams()
  const engagement = useQuery(query(organization.id, 'getEngagement', { params: { engagementId } }))
  if (engagement.isPending) {
    return (
      <Page title="Engagement">
        <ListSkeleton rows={4} height={24} />
      </Page>
    )
  }
  if (engagement.isError) return <QueryFailed error={engagement.error} onRetry={() => void engagement.refetch()} />
  return <Loaded key={engagementId} engagement={engagement.data.data} />
}

const Loaded = ({ engagement }: { engagement: Engagement }) => {
  const organization = useOrganization()
  const [editing, setEditing] = useState(false)
  const mayChange = organization.permissions.changeEngagements
  if (editing) return <EditEngagement engagement={engagement} onDone={() => setEditing(false)} />
  return (
    <Page
      title={engagement.name}
      actions={
        mayChange && (
          <>
            <StatusButtons engagement={engagement} />
            <Button variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={() => setEditing(true)}>
              Edit
            </Button>
          </>
        )
      }
    >
      <dl className={classes.properties}>
        <div>
          <dt>Status</dt>
          <dd>
            <EngagementStatusLabel status={engagement.status} />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <TimeAgo iso={engagement.createdAt} />
          </dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>
            <TimeAgo iso={engagement.updatedAt} />
          </dd>
        </div>
      </dl>
      {engagement.description ? (
        <Markdown text={engagement.description} />
      ) : (
        <EmptyState
          title="No description yet"
          action={
            mayChange && (
              <Button variant="default" onClick={() => setEditing(true)}>
                Write one
              </Button>
            )
          }
        >
          Scope, rules of engagement, contacts: whatever the team must know.
        </EmptyState>
      )}
    </Page>
  )
}

/** The steps that a status allows, in the words of what they do (open point 4). */
const STEPS: Record<EngagementStatus, readonly { to: EngagementStatus; label: string; done: string }[]> = {
  active: [{ to: 'completed', label: 'Complete', done: 'completed' }],
  completed: [
    { to: 'active', label: 'Reopen', done: 'reopened' },
    { to: 'archived', label: 'Archive', done: 'archived' },
  ],
  archived: [{ to: 'active', label: 'Reopen', done: 'reopened' }],
}

/** A step shows at once and is taken back when the server refuses it. */
const StatusButtons = ({ engagement }: { engagement: Engagement }) => {
  const organization = useOrganization()
  const change = useCommand(organization.id, 'updateEngagement', {
    invalidates: [
      [organization.id, 'getEngagement'],
      [organization.id, 'listEngagements'],
    ],
    optimistic: (cache, { params, body }) =>
      patchCached(cache, organization.id, 'getEngagement', (output) =>
        output.data.id === params.engagementId ? { data: { ...output.data, status: body?.status ?? output.data.status } } : output,
      ),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Group gap="xs">
      {STEPS[engagement.status].map(({ to, label, done }) => (
        <Button
          key={to}
          variant="default"
          disabled={change.isPending}
          onClick={() =>
            change.mutate({ params: { engagementId: engagement.id }, body: { status: to } }, { onSuccess: () => toast(`${engagement.name} was ${done}.`) })
          }
        >
          <Text inherit>{label}</Text>
        </Button>
      ))}
    </Group>
  )
}
