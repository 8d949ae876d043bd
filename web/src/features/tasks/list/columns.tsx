import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { formatDay } from '../../../ui/dates/dates.ts'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { isLate, OUTCOME_LABELS, PriorityLabel, type Task, TaskStatusLabel } from '../labels.tsx'
import classes from './tasks.module.css'

export const COLUMNS: GridColumn<Task>[] = [
  {
    id: 'title',
    header: 'Task',
    hasLink: true,
    width: 320,
    line: 1,
    cell: (task) => <Title task={task} isInEngagement />,
  },
  { id: 'shortId', header: 'Id', width: 90, line: 2, cell: ({ shortId }) => shortId },
  { id: 'status', header: 'Status', width: 130, line: 1, cell: ({ status }) => <TaskStatusLabel status={status} /> },
  {
    id: 'priority',
    header: 'Priority',
    width: 110,
    sort: 'priority',
    firstOrder: 'desc',
    line: 2,
    cell: ({ priority }) => <PriorityLabel priority={priority} />,
  },
  { id: 'assignee', header: 'Assignee', width: 160, line: 2, cell: ({ assignee }) => <Person name={assignee?.name} /> },
  { id: 'dueOn', header: 'Due', width: 130, sort: 'dueOn', line: 2, cell: (task) => <Due task={task} /> },
  { id: 'labels', header: 'Labels', width: 180, cell: ({ labels }) => labels.join(', ') },
  { id: 'outcome', header: 'Outcome', width: 130, cell: ({ check }) => check && OUTCOME_LABELS[check.outcome] },
  {
    id: 'comments',
    header: 'Comments',
    width: 110,
    align: 'end',
    isHidden: true,
    cell: ({ commentCount }) => commentCount,
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: 140,
    sort: 'updatedAt',
    firstOrder: 'desc',
    cell: ({ updatedAt }) => <TimeAgo iso={updatedAt} />,
  },
  {
    id: 'createdAt',
    header: 'Created',
    width: 140,
    sort: 'createdAt',
    firstOrder: 'desc',
    isHidden: true,
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]

/** Tasks of one person across engagements. */
export const MY_COLUMNS: GridColumn<Task>[] = COLUMNS.flatMap(({ line, ...column }): GridColumn<Task>[] => {
  if (column.id === 'assignee') return [{ ...column, isHidden: true }]
  const shown = { ...column, ...(line && { line }) }
  if (column.id !== 'title') return [shown]
  return [
    { ...shown, cell: (task) => <Title task={task} /> },
    {
      id: 'engagement',
      header: 'Engagement',
      width: 200,
      line: 2,
      cell: ({ engagementId }) => <Engagement engagementId={engagementId} />,
    },
  ]
})

/** One cached read serves all rows. */
const Engagement = ({ engagementId }: { engagementId: string }) => {
  const { id, slug } = useOrganization()
  const engagement = useQuery({ ...query(id, 'getEngagement', { params: { engagementId } }), staleTime: NAME_STALE_MS })
  if (!engagement.data) return null
  return (
    <TextLink to={paths.engagementTasks(slug, engagementId)} className={classes.engagement as string}>
      {engagement.data.data.name}
    </TextLink>
  )
}

const NAME_STALE_MS = 60_000

/** In the list of its engagement it opens the panel over the list. */
const Title = ({ task, isInEngagement = false }: { task: Task; isInEngagement?: boolean }) => {
  const { slug } = useOrganization()
  const to = isInEngagement ? paths.engagementTask(slug, task.engagementId, task.id) : paths.task(slug, task.id)
  return (
    <TextLink to={to} className={classes.title as string} keepsSearch={isInEngagement}>
      {task.title}
    </TextLink>
  )
}

export const Due = ({ task }: { task: Task }) => {
  if (task.dueOn === null) return null
  return (
    <span data-late={isLate(task) || undefined} className={classes.due}>
      {formatDay(task.dueOn)}
      {isLate(task) && <span className="visually-hidden"> (late)</span>}
    </span>
  )
}
