import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { describeSteps, type Schedule } from '../labels.ts'
import { describeTiming } from './cron.ts'

export const EnabledLabel = ({ enabled }: Pick<Schedule, 'enabled'>) => (
  <StatusLabel tone={enabled ? 'good' : 'quiet'}>{enabled ? 'On' : 'Off'}</StatusLabel>
)

export const COLUMNS: GridColumn<Schedule>[] = [
  { id: 'name', header: 'Schedule', width: 260, line: 1, cell: ({ name }) => name },
  { id: 'enabled', header: 'State', width: 80, line: 1, cell: EnabledLabel },
  { id: 'timing', header: 'When', width: 300, line: 2, cell: ({ cron, timeZone }) => describeTiming(cron, timeZone) },
  {
    id: 'nextRunAt',
    header: 'Next run',
    width: 140,
    line: 2,
    cell: ({ nextRunAt }) => nextRunAt && <TimeAgo iso={nextRunAt} />,
  },
  { id: 'scanners', header: 'Scanners', width: 210, cell: ({ scanners }) => describeSteps(scanners) },
  {
    id: 'lastSkippedAt',
    header: 'Last skipped',
    width: 130,
    cell: ({ lastSkippedAt }) => lastSkippedAt && <TimeAgo iso={lastSkippedAt} />,
  },
  {
    id: 'createdAt',
    header: 'Added',
    width: 130,
    sort: 'createdAt',
    firstOrder: 'desc',
    isHidden: true,
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]
