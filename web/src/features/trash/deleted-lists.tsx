import type { Output } from '@sortie/client/calls.ts'
import { rows } from '../../api/rows.ts'
import { SeverityLabel } from '../../domain/SeverityLabel.tsx'
import { EFFECT_LABELS, VERDICT_LABELS } from '../../domain/verdicts.tsx'
import { useEngagement } from '../../shell/context/engagement.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'
import type { GridColumn } from '../../ui/grid/columns/columns.ts'
import { useRows } from '../../ui/grid/rows/use-rows.ts'
import { Person } from '../../ui/people/Person.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { DeletedGrid } from './DeletedGrid.tsx'
import type { DeletedListProps } from './kinds.ts'

type Result = Output<'listResults'>['data'][number]
type Target = Output<'listTargets'>['data'][number]
type Rule = Output<'listScopeRules'>['data'][number]
type Task = Output<'listTasks'>['data'][number]

const DELETED: GridColumn<{ trashedAt: string | null }> = {
  id: 'trashedAt',
  header: 'Deleted',
  width: 160,
  line: 2,
  cell: ({ trashedAt }) => <TimeAgo iso={trashedAt} />,
}

const RESULTS: GridColumn<Result>[] = [
  { id: 'title', header: 'Title', width: 340, line: 1, cell: ({ title }) => title },
  {
    id: 'severity',
    header: 'Severity',
    width: 110,
    line: 1,
    cell: ({ severity }) => <SeverityLabel severity={severity} />,
  },
  { id: 'asset', header: 'Asset', width: 260, line: 2, cell: ({ asset }) => <span className="mono">{asset}</span> },
  DELETED,
]
const TARGETS: GridColumn<Target>[] = [
  { id: 'value', header: 'Target', width: 360, line: 1, cell: ({ value }) => <span className="mono">{value}</span> },
  { id: 'verdict', header: 'Scope', width: 140, line: 2, cell: ({ verdict }) => VERDICT_LABELS[verdict] },
  DELETED,
]
const RULES: GridColumn<Rule>[] = [
  {
    id: 'pattern',
    header: 'Pattern',
    width: 320,
    line: 1,
    cell: ({ pattern }) => <span className="mono">{pattern}</span>,
  },
  { id: 'effect', header: 'Effect', width: 140, line: 1, cell: ({ effect }) => EFFECT_LABELS[effect] },
  { id: 'note', header: 'Note', width: 280, cell: ({ note }) => note },
  DELETED,
]
const TASKS: GridColumn<Task>[] = [
  { id: 'title', header: 'Title', width: 380, line: 1, cell: ({ title }) => title },
  { id: 'assignee', header: 'Assignee', width: 170, line: 2, cell: ({ assignee }) => <Person name={assignee?.name} /> },
  DELETED,
]

const useTrash = (q: string | undefined) => {
  const { id: organizationId } = useOrganization()
  const { engagement } = useEngagement()
  return { organizationId, query: { engagementId: engagement.id, trashed: true as const, ...(q && { q }) } }
}

export const DeletedResults = (props: DeletedListProps) => {
  const { organizationId, query } = useTrash(props.q)
  const list = useRows(rows(organizationId, 'listResults', { query }))
  return (
    <DeletedGrid
      {...props}
      restore="restoreResults"
      stale={['listResults', 'countResults', 'getResultSummary']}
      nouns={['result', 'results']}
      columns={RESULTS}
      list={list}
    />
  )
}

export const DeletedTargets = (props: DeletedListProps) => {
  const { organizationId, query } = useTrash(props.q)
  const list = useRows(rows(organizationId, 'listTargets', { query }))
  return (
    <DeletedGrid
      {...props}
      restore="restoreTargets"
      stale={['listTargets', 'countTargets']}
      nouns={['target', 'targets']}
      columns={TARGETS}
      list={list}
    />
  )
}

export const DeletedRules = (props: DeletedListProps) => {
  const { organizationId, query } = useTrash(props.q)
  const list = useRows(rows(organizationId, 'listScopeRules', { query }))
  return (
    <DeletedGrid
      {...props}
      restore="restoreScopeRules"
      stale={['listScopeRules', 'checkScope', 'listTargets', 'countTargets']}
      nouns={['scope rule', 'scope rules']}
      columns={RULES}
      list={list}
    />
  )
}

export const DeletedTasks = (props: DeletedListProps) => {
  const { organizationId, query } = useTrash(props.q)
  const list = useRows(rows(organizationId, 'listTasks', { query }))
  return (
    <DeletedGrid
      {...props}
      restore="restoreTasks"
      stale={['listTasks', 'countTasks', 'getCoverage']}
      nouns={['task', 'tasks']}
      columns={TASKS}
      list={list}
    />
  )
}
