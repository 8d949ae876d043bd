import { Button, Group, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { UploadsProvider } from '../../../shell/uploads/uploads.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { toastError } from '../../../ui/feedback/toast.ts'
import { Page, Section } from '../../../ui/page/Page.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { staleReads, type Task } from '../labels.tsx'
import { task as route } from '../tasks.routes.ts'
import { CheckedItem } from './CheckedItem.tsx'
import { Checklist } from './Checklist.tsx'
import { Comments } from './comments/Comments.tsx'
import { FailedCheck } from './FailedCheck.tsx'
import { Links } from './links/Links.tsx'
import { TaskFiles } from './TaskFiles.tsx'
import { TaskForm } from './TaskForm.tsx'
import { TaskHistory } from './TaskHistory.tsx'
import { TaskProperties } from './TaskProperties.tsx'
import { useReadNotices } from './use-read-notices.ts'

export const TaskPage = () => {
  const organization = useOrganization()
  const { taskId } = route.useParams()
  const task = useQuery(query(organization.id, 'getTask', { params: { taskId } }))
  return (
    <QueryView query={task} skeleton={<PageSkeleton />}>
      {({ data }) => (
        <UploadsProvider key={data.id} below={paths.task(organization.slug, data.id)}>
          <OneTask task={data} />
        </UploadsProvider>
      )}
    </QueryView>
  )
}

const OneTask = ({ task }: { task: Task }) => {
  const organization = useOrganization()
  const navigate = route.useNavigate()
  const engagement = useQuery(query(organization.id, 'getEngagement', { params: { engagementId: task.engagementId } }))
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  useReadNotices(organization.id, task.id)
  const mayChange = engagement.data?.data.status !== 'archived'
  const board = paths.engagementTasks(organization.slug, task.engagementId)
  const remove = useApiMutation(organization.id, 'deleteTask', {
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
    <Page
      title={task.title}
      description={<TextLink to={board}>{engagement.data?.data.name ?? 'Engagement'}</TextLink>}
      actions={actions}
    >
      <TaskProperties task={task} mayChange={mayChange} />
      {task.check && <CheckedItem check={task.check} />}
      {mayChange && <FailedCheck task={task} />}
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
      {(task.links.length > 0 || mayChange) && (
        <Section title="Links">
          <Links task={task} mayChange={mayChange} />
        </Section>
      )}
      <TaskFiles taskId={task.id} isReadOnly={!mayChange} />
      <Tabs defaultValue="comments" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="comments">Comments</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="comments" pt="md">
          <Comments task={task} mayWrite={mayChange} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <TaskHistory taskId={task.id} />
        </Tabs.Panel>
      </Tabs>
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete this task?"
        confirmLabel="Delete task"
        danger
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ params: { taskId: task.id } })}
      >
        Its comments and files are deleted with it. This can't be undone.
      </ConfirmDialog>
    </Page>
  )
}
