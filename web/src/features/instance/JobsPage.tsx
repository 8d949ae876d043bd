import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'

type Queue = Output<'listJobQueues'>['data'][number]

const POLL_MS = 5_000

const COLUMNS: Column<Queue>[] = [
  { header: 'Queue', cell: ({ name }) => name },
  { header: 'Waiting', kind: 'secondary', cell: ({ waiting }) => waiting },
  { header: 'Scheduled', kind: 'secondary', cell: ({ delayed }) => delayed },
  { header: 'Running', kind: 'secondary', cell: ({ active }) => active },
  { header: 'Failed', kind: 'secondary', cell: ({ failed }) => failed },
  { header: 'Done', kind: 'secondary', cell: ({ completed }) => completed },
  {
    header: 'Oldest waiting since',
    kind: 'secondary',
    cell: ({ oldestWaitingAt }) => <TimeAgo iso={oldestWaitingAt} never="none waiting" />,
  },
]

export const JobsPage = () => {
  const list = useQuery({ ...query(null, 'listJobQueues'), refetchInterval: POLL_MS })
  return (
    <Page title="Jobs" description="Background work. Completed and failed jobs are kept for a while, then deleted.">
      <QueryView query={list} skeleton={<ListSkeleton rows={3} />}>
        {({ data }) =>
          data.length > 0 ? (
            <DataTable label="Job queues" columns={COLUMNS} rows={data} rowKey={({ name }) => name} />
          ) : (
            <EmptyState title="No queues" />
          )
        }
      </QueryView>
    </Page>
  )
}
