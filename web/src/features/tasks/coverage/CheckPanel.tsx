import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import type { Task } from '../labels.tsx'
import { FailedCheck } from '../task/FailedCheck.tsx'
import { TaskProperties } from '../task/TaskProperties.tsx'
import classes from './coverage.module.css'

/** What a check asks for, and the state of its task. */
export const CheckPanel = ({ taskId, mayChange }: { taskId: string; mayChange: boolean }) => {
  const organization = useOrganization()
  const task = useQuery(query(organization.id, 'getTask', { params: { taskId } }))
  return (
    <QueryView query={task} skeleton={<ListSkeleton rows={8} height={24} />}>
      {({ data }) => <OneCheck task={data} mayChange={mayChange} />}
    </QueryView>
  )
}

const OneCheck = ({ task, mayChange }: { task: Task; mayChange: boolean }) => {
  const { id, slug } = useOrganization()
  const methodologyId = task.check?.methodologyId ?? ''
  const methodology = useQuery({
    ...query(id, 'getMethodology', { params: { methodologyId } }),
    enabled: methodologyId !== '',
  }).data?.data
  const item = methodology?.items.find(({ key }) => key === task.check?.itemKey)
  return (
    <div className={classes.check}>
      <div className={classes.checkHead}>
        <Text size="xs" c="dimmed" ff="monospace">
          {task.check?.itemKey}
        </Text>
        <Title order={2}>{task.title}</Title>
        {item?.group && (
          <Text size="sm" c="dimmed">
            {item.group}
          </Text>
        )}
      </div>
      {item?.description && <Markdown text={item.description} />}
      {mayChange && <FailedCheck task={task} />}
      <TaskProperties task={task} mayChange={mayChange} />
      {task.description && <Markdown text={task.description} />}
      <Text size="sm">
        <TextLink to={paths.task(slug, task.id)}>Open the task</TextLink>
        {task.commentCount > 0 && ` · ${task.commentCount} ${task.commentCount === 1 ? 'comment' : 'comments'}`}
      </Text>
    </div>
  )
}
