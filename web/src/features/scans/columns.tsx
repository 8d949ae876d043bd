import { type Scan, ScanStateLabel } from '../../domain/scan-states.tsx'
import type { GridColumn } from '../../ui/grid/columns/columns.ts'
import { Person } from '../../ui/people/Person.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { describeSteps, describeTargets, TRIGGER_LABELS } from './labels.ts'

const NUMBER = new Intl.NumberFormat('en')

const count = (id: keyof Scan['counts'], header: string, isHidden = false): GridColumn<Scan> => ({
  id,
  header,
  width: 88,
  align: 'end',
  ...(isHidden && { isHidden: true as const }),
  cell: ({ counts }) => NUMBER.format(counts[id]),
})

export const COLUMNS: GridColumn<Scan>[] = [
  { id: 'name', header: 'Scan', width: 230, line: 1, cell: ({ name }) => name },
  { id: 'state', header: 'State', width: 130, line: 1, cell: (scan) => <ScanStateLabel of={scan} /> },
  { id: 'scanners', header: 'Scanners', width: 200, line: 2, cell: ({ scanners }) => describeSteps(scanners) },
  count('created', 'New'),
  count('changed', 'Changed'),
  count('gone', 'Gone'),
  count('unchanged', 'Unchanged'),
  count('reappeared', 'Reappeared', true),
  count('skipped', 'Left out', true),
  { id: 'targets', header: 'Targets', width: 220, isHidden: true, cell: ({ targets }) => describeTargets(targets) },
  { id: 'trigger', header: 'Started', width: 130, isHidden: true, cell: ({ trigger }) => TRIGGER_LABELS[trigger] },
  {
    id: 'requestedBy',
    header: 'By',
    width: 140,
    cell: ({ requestedBy }) => (requestedBy ? <Person name={requestedBy.name} /> : 'API key'),
  },
  {
    id: 'createdAt',
    header: 'When',
    width: 120,
    sort: 'createdAt',
    firstOrder: 'desc',
    line: 2,
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]
