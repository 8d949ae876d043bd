import { describeDates } from '../../../../domain/engagement-days.ts'
import { paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import type { GridColumn } from '../../../../ui/grid/columns/columns.ts'
import { Person } from '../../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import classes from '../../findings.module.css'
import { describeProgress, type Retest, RetestStateLabel } from '../retest-words.tsx'

const count = (id: Exclude<keyof Retest['counts'], 'none'>, header: string, width: number): GridColumn<Retest> => ({
  id,
  header,
  width,
  align: 'end',
  cell: ({ counts }) => counts[id].toLocaleString('en'),
})

export const COLUMNS: GridColumn<Retest>[] = [
  { id: 'name', header: 'Retest', hasLink: true, width: 260, line: 1, cell: (retest) => <Name retest={retest} /> },
  { id: 'state', header: 'State', width: 110, line: 2, cell: ({ state }) => <RetestStateLabel state={state} /> },
  {
    id: 'dates',
    header: 'Dates',
    width: 230,
    line: 2,
    cell: (retest) => (retest.startsOn === null ? '' : describeDates(retest)),
  },
  {
    id: 'progress',
    header: 'Tested',
    width: 110,
    line: 1,
    align: 'end',
    cell: ({ counts }) => describeProgress(counts),
  },
  count('fixed', 'Fixed', 80),
  count('partly_fixed', 'Partly fixed', 100),
  count('open', 'Still open', 90),
  count('not_reproducible', 'Not reproducible', 130),
  count('not_retested', 'Not retested', 110),
  {
    id: 'createdBy',
    header: 'Planned by',
    width: 150,
    isHidden: true,
    cell: ({ createdBy }) => <Person name={createdBy?.name} />,
  },
  {
    id: 'createdAt',
    header: 'Created',
    width: 110,
    sort: 'createdAt',
    firstOrder: 'desc',
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]

const Name = ({ retest: { id, engagementId, name } }: { retest: Retest }) => {
  const { slug } = useOrganization()
  return (
    <TextLink to={paths.retest(slug, engagementId, id)} className={classes.name as string}>
      {name}
    </TextLink>
  )
}
