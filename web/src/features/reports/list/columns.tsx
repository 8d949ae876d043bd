import {
  nameOfLanguage,
  REPORT_KIND_LABELS,
  type ReportRow,
  ReportStateLabel,
} from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../reports.module.css'

export const COLUMNS: GridColumn<ReportRow>[] = [
  { id: 'title', header: 'Report', hasLink: true, width: 320, line: 1, cell: (report) => <Name report={report} /> },
  { id: 'state', header: 'State', width: 120, line: 2, cell: ({ state }) => <ReportStateLabel state={state} /> },
  { id: 'kind', header: 'Kind', width: 150, line: 2, cell: ({ kind }) => REPORT_KIND_LABELS[kind] },
  {
    id: 'edition',
    header: 'Delivered',
    width: 110,
    line: 1,
    cell: ({ latestEdition }) => (latestEdition === null ? '' : `Edition ${latestEdition}`),
  },
  { id: 'language', header: 'Language', width: 110, cell: ({ language }) => nameOfLanguage(language) },
  {
    id: 'authors',
    header: 'Authors',
    width: 180,
    cell: ({ authors }) => <Authors names={authors.map(({ name }) => name)} />,
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: 120,
    sort: 'updatedAt',
    firstOrder: 'desc',
    cell: ({ updatedAt }) => <TimeAgo iso={updatedAt} />,
  },
  {
    id: 'createdAt',
    header: 'Created',
    width: 120,
    sort: 'createdAt',
    firstOrder: 'desc',
    isHidden: true,
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]

const Name = ({ report: { id, engagementId, title } }: { report: ReportRow }) => {
  const { slug } = useOrganization()
  return (
    <TextLink to={paths.report(slug, engagementId, id)} className={classes.name as string}>
      {title}
    </TextLink>
  )
}

const Authors = ({ names }: { names: readonly string[] }) => {
  const [first, ...others] = names
  if (first === undefined) return null
  if (others.length === 0) return <Person name={first} />
  return <span title={names.join(', ')}>{`${first} and ${others.length} more`}</span>
}
