import type { Output } from '@sortie/client/calls.ts'
import { describeDays } from '../../../domain/engagement-days.ts'
import { EngagementStatusLabel } from '../../../domain/engagement-status.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { formatDay } from '../../../ui/dates/dates.ts'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { KIND_LABELS } from '../kinds.ts'
import classes from './engagements.module.css'

export type EngagementSummary = Output<'listEngagementSummaries'>['data'][number]

export const COLUMNS: GridColumn<EngagementSummary>[] = [
  {
    id: 'name',
    header: 'Name',
    hasLink: true,
    width: 280,
    sort: 'name',
    line: 1,
    cell: (row) => <Name engagement={row} />,
  },
  { id: 'clientName', header: 'Client', width: 180, sort: 'clientName', line: 2, cell: ({ clientName }) => clientName },
  { id: 'kind', header: 'Kind', width: 150, sort: 'kind', line: 2, cell: ({ kind }) => KIND_LABELS[kind] },
  { id: 'lead', header: 'Lead', width: 160, cell: ({ lead }) => <Person name={lead?.name} /> },
  {
    id: 'startsOn',
    header: 'Starts',
    width: 120,
    sort: 'startsOn',
    firstOrder: 'desc',
    cell: ({ startsOn }) => startsOn && formatDay(startsOn),
  },
  {
    id: 'endsOn',
    header: 'Ends',
    width: 120,
    sort: 'endsOn',
    firstOrder: 'desc',
    cell: ({ endsOn }) => endsOn && formatDay(endsOn),
  },
  {
    id: 'left',
    header: 'Days left',
    width: 130,
    line: 2,
    cell: (row) => (row.status === 'active' ? describeDays(row) : ''),
  },
  {
    id: 'status',
    header: 'Status',
    width: 120,
    sort: 'status',
    line: 1,
    cell: ({ status }) => <EngagementStatusLabel status={status} />,
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

const Name = ({ engagement }: { engagement: EngagementSummary }) => (
  <TextLink to={paths.engagement(useOrganization().slug, engagement.id)} className={classes.name as string}>
    {engagement.name}
  </TextLink>
)
