import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { KIND_LABELS, type Result } from '../labels.ts'
import { ResultStatusLabel, VerdictMark } from '../StatusLabels.tsx'

export const COLUMNS: GridColumn<Result>[] = [
  { id: 'title', header: 'Title', width: 300, line: 1, cell: ({ title }) => title },
  {
    id: 'severity',
    header: 'Severity',
    width: 110,
    sort: 'severity',
    firstOrder: 'desc',
    line: 1,
    cell: ({ severity }) => <SeverityLabel severity={severity} />,
  },
  {
    id: 'asset',
    header: 'Asset',
    width: 230,
    sort: 'asset',
    line: 2,
    cell: ({ asset }) => <span className="mono">{asset}</span>,
  },
  { id: 'kind', header: 'Kind', width: 130, cell: ({ kind }) => KIND_LABELS[kind] },
  {
    id: 'status',
    header: 'Status',
    width: 140,
    line: 2,
    cell: (row) => <ResultStatusLabel status={row.status} state={row.state} />,
  },
  { id: 'verdict', header: 'Scope', width: 135, cell: ({ verdict }) => <VerdictMark verdict={verdict} /> },
  { id: 'tools', header: 'Tools', width: 130, cell: ({ tools }) => (tools.length > 0 ? tools.join(', ') : 'by hand') },
  {
    id: 'assignee',
    header: 'Assignee',
    width: 150,
    isHidden: true,
    cell: ({ assignee }) => <Person name={assignee?.name} />,
  },
  { id: 'tags', header: 'Tags', width: 150, isHidden: true, cell: ({ tags }) => tags.join(', ') },
  {
    id: 'firstSeenAt',
    header: 'First seen',
    width: 130,
    sort: 'firstSeenAt',
    firstOrder: 'desc',
    isHidden: true,
    cell: ({ firstSeenAt }) => <TimeAgo iso={firstSeenAt} />,
  },
  {
    id: 'lastSeenAt',
    header: 'Last seen',
    width: 130,
    sort: 'lastSeenAt',
    firstOrder: 'desc',
    line: 2,
    cell: ({ lastSeenAt }) => <TimeAgo iso={lastSeenAt} />,
  },
]
