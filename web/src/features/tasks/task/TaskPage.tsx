import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, query, useCommand } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/links.tsx'
import { useOrganization } from '../../../shell/organization.tsx'
import { QueryView } from '../../../shell/QueryView.tsx'
import { PageSkeleton } from '../../../shell/skeletons.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Page, Section } from '../../../ui/Page.tsx'
import { toastError } from '../../../ui/toast.ts'
import { staleReads, type Task } from '../words.tsx'
import { Checklist } from './Checklist.tsx'
import { Comments } from './Comments.tsx'
import { Links } from './Links.tsx'
import { TaskForm } from './TaskForm.tsx'
import { TaskProperties } from './TaskProperties.tsx'

const route = getRouteApi('/signed-in/o/$slug/tasks/$taskId')

export const TaskPage = () => {
  const organization = useOrganization()
  const { taskId } = route.useParams()
  const task = useQuery(query(organization.id, 'getTask', { params: { taskId } }))
  return (
    <QueryView query={task} skeleton={<PageSkeleton />}>
      {({ data }) => <OneTask key={data.id} task={data} />}
    </QueryView>
  )
}

const OneTask = ({ task }: { task: Task }) => {
  const organization = useOrganization()
  const navigate = route.useNavigate()
  const engagement = useQuery(query(organization.id, 'getEngagement', { params: { engagementId: task.engagementId } }))
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const mayChange = engagement.data?.data.status !== 'archived'
  const board = paths.engagementTasks(organization.slug, task.engagementId)
  const remove = useCommand(organization.id, 'deleteTask', {
    invalidates: staleReads(organization.id),
    onSuccess: () => navigate({ href: board }),
    onError: (error) => toastError(messageOf(error)),
  })
  const actions = mayChange && !isEditing && (
    <Group gap="xs">
      <Button variant="default" onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setDeleting(true)}>
        Delete
      </Button>
    </Group>
  )
  return (
    <Page title={task.title} description={<TextLink to={board}>{engagement.data?.data.name ?? 'Engagement'}</TextLink>} actions={actions}>
      <TaskProperties task={task} mayChange={mayChange} />
      {isEditing ? (
        <TaskForm task={task} onDone={() => setEditing(false)} />
      ) : task.description ? (
        <Markdown text={task.description} />
      ) : (
        <Text c="dimmed" size="sm">
          No description.
        </Text>
      )}
      {(task.checklist.length > 0 || mayChange) && (
        <Section title="Checklist">
          <Checklist task={task} mayChange={mayChange} />
        </Section>
      )}
      {task.links.length > 0 && (
        <Section title="Links">
          <Links links={task.links} />
        </Section>
      )}
      <Section title="Comments">
        <Comments task={task} mayWrite={mayChange} />
      </Section>
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete this task?"
        confirmLabel="Delete task"
        danger
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ params: { taskId: task.id } })}
      >
        Its comments and files go with it.
      </ConfirmDialog>
    </Page>
  )
}
