import { rows } from '../../../api/rows.ts'
import { CursorList } from '../../../shell/reads/CursorList.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import type { Column } from '../../../ui/lists/DataTable.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { type RunSummary, usePlace } from '../place.tsx'
import classes from './runs.module.css'
import { RunState } from './RunState.tsx'

/** Everything sent from this engagement or library, saved or not. */
export const RunList = () => {
  const { organizationId, placeQuery, addressOf } = usePlace()
  const columns: Column<RunSummary>[] = [
    {
      header: 'Request',
      kind: 'primary',
      cell: ({ id, method, url }) => (
        <TextLink to={addressOf(id)} className={classes.url as string}>
          {method} {url}
        </TextLink>
      ),
    },
    { header: 'Response', kind: 'primary', cell: (run) => <RunState run={run} /> },
    {
      header: 'By',
      kind: 'secondary',
      cell: ({ startedBy }) => (startedBy ? <Person name={startedBy.name} /> : 'API key'),
    },
    { header: 'Sent', kind: 'secondary', cell: ({ startedAt }) => <TimeAgo iso={startedAt} /> },
  ]
  return (
    <CursorList
      label="Runs"
      {...rows(organizationId, 'listRequestRuns', { query: placeQuery })}
      columns={columns}
      rowKey={({ id }) => id}
      more="Older runs"
      empty={
        <EmptyState title="Nothing has been sent yet">
          Sent requests are listed for 90 days, with user and response.
        </EmptyState>
      }
    />
  )
}
