import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { formatDue, isLate, OUTCOME_LABELS, PriorityLabel, type Task, TaskStatusLabel } from '../labels.tsx'
import classes from './tasks.module.css'

export const COLUMNS: GridColumn<Task>[] = [
  { id: 'title', header: 'Task', width: 320, line: 1, cell: (task) => <Title task={task} /> },
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
  { id: 'assignee', header: 'Assignee', width: 160, line: 2, cell: ({ assignee }) => assignee?.name },
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
    shown,
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
  return (
    engagement.data && <TextLink to={paths.engagementTasks(slug, engagementId)}>{engagement.data.data.name}</TextLink>
  )
}

const NAME_STALE_MS = 60_000

const Title = ({ task }: { task: Task }) => (
  <TextLink to={paths.task(useOrganization().slug, task.id)} className={classes.title as string}>
    {task.title}
  </TextLink>
)

export const Due = ({ task }: { task: Task }) => {
  if (task.dueOn === null) return null
  return (
    <span data-late={isLate(task) || undefined} className={classes.due}>
      {formatDue(task.dueOn)}
      {isLate(task) && <span className="visually-hidden"> (late)</span>}
    </span>
  )
}
