import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { VerdictMark } from '../../../domain/verdicts.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { SOURCE_LABELS, TARGET_KIND_LABELS, type Target } from '../labels.ts'
import { CriticalityLabel, Tags } from '../marks.tsx'

export const COLUMNS: GridColumn<Target>[] = [
  {
    id: 'canonical',
    header: 'Target',
    width: 280,
    sort: 'canonical',
    line: 1,
    cell: ({ canonical }) => <span className="mono">{canonical}</span>,
  },
  { id: 'verdict', header: 'Scope', width: 130, line: 1, cell: ({ verdict }) => <VerdictMark verdict={verdict} /> },
  {
    id: 'services',
    header: 'Services',
    width: 90,
    align: 'end',
    cell: ({ services }) => (services ? services.toLocaleString('en') : null),
  },
  {
    id: 'vulnerabilities',
    header: 'Vulnerabilities',
    width: 120,
    align: 'end',
    cell: ({ vulnerabilities }) => (vulnerabilities ? vulnerabilities.toLocaleString('en') : null),
  },
  {
    id: 'worstSeverity',
    header: 'Worst',
    width: 110,
    line: 1,
    cell: ({ worstSeverity }) => <SeverityLabel severity={worstSeverity ?? null} />,
  },
  { id: 'kind', header: 'Kind', width: 110, line: 2, cell: ({ kind }) => TARGET_KIND_LABELS[kind] },
  { id: 'tags', header: 'Tags', width: 220, line: 2, cell: ({ tags }) => <Tags tags={tags} /> },
  {
    id: 'criticality',
    header: 'Criticality',
    width: 120,
    sort: 'criticality',
    firstOrder: 'desc',
    line: 2,
    cell: ({ criticality }) => <CriticalityLabel criticality={criticality} />,
  },
  {
    id: 'lastSeenAt',
    header: 'Last seen',
    width: 140,
    sort: 'lastSeenAt',
    firstOrder: 'desc',
    line: 2,
    cell: ({ lastSeenAt }) => lastSeenAt && <TimeAgo iso={lastSeenAt} />,
  },
  {
    id: 'value',
    header: 'As entered',
    width: 260,
    isHidden: true,
    cell: ({ value }) => <span className="mono">{value}</span>,
  },
  { id: 'source', header: 'Source', width: 110, isHidden: true, cell: ({ source }) => SOURCE_LABELS[source] },
  {
    id: 'createdAt',
    header: 'Added',
    width: 140,
    sort: 'createdAt',
    firstOrder: 'desc',
    isHidden: true,
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]
