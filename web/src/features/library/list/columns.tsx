import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { type EntryHead, EntryStateLabel, languagesOf } from '../entries.tsx'
import classes from '../library.module.css'

export const COLUMNS: GridColumn<EntryHead>[] = [
  {
    id: 'title',
    header: 'Entry',
    hasLink: true,
    width: 360,
    sort: 'title',
    line: 1,
    cell: (entry) => <Title entry={entry} />,
  },
  {
    id: 'severity',
    header: 'Severity',
    width: 100,
    sort: 'severity',
    firstOrder: 'desc',
    line: 1,
    cell: ({ severity }) => <SeverityLabel severity={severity} />,
  },
  { id: 'state', header: 'State', width: 115, line: 2, cell: ({ state }) => <EntryStateLabel state={state} /> },
  { id: 'languages', header: 'Languages', width: 100, line: 2, cell: (entry) => languagesOf(entry).join(', ') },
  { id: 'usedCount', header: 'Used', width: 70, align: 'end', cell: ({ usedCount }) => usedCount.toLocaleString('en') },
  {
    id: 'origin',
    header: 'Origin',
    width: 140,
    line: 2,
    cell: ({ builtIn }) => (builtIn ? 'Built in' : 'Your organization'),
  },
  { id: 'tools', header: 'Rules of', width: 170, cell: ({ tools }) => tools.join(', ') },
  { id: 'cwe', header: 'CWE', width: 110, cell: ({ cwe }) => cwe.join(', ') },
  { id: 'tags', header: 'Tags', width: 150, isHidden: true, cell: ({ tags }) => tags.join(', ') },
  {
    id: 'key',
    header: 'Key',
    width: 190,
    sort: 'key',
    isHidden: true,
    cell: ({ key }) => <span className="mono">{key}</span>,
  },
  { id: 'version', header: 'Version', width: 80, align: 'end', isHidden: true, cell: ({ version }) => version },
  {
    id: 'createdBy',
    header: 'Created by',
    width: 140,
    isHidden: true,
    cell: ({ createdBy }) => <Person name={createdBy?.name} />,
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: 110,
    sort: 'updatedAt',
    firstOrder: 'desc',
    cell: ({ builtIn, updatedAt }) => !builtIn && <TimeAgo iso={updatedAt} />,
  },
]

const Title = ({ entry }: { entry: EntryHead }) => (
  <TextLink to={paths.libraryEntry(useOrganization().slug, entry.id)} className={classes.name as string}>
    {entry.title}
  </TextLink>
)
