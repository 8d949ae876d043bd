import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { ImportStateLabel } from '../ImportStateLabel.tsx'
import type { Import } from '../states.ts'

const NUMBER = new Intl.NumberFormat('en')

const count = (id: string, header: string, of: (row: Import) => number): GridColumn<Import> => ({
  id,
  header,
  width: 100,
  align: 'end',
  cell: (row) => NUMBER.format(of(row)),
})

export const COLUMNS: GridColumn<Import>[] = [
  { id: 'fileName', header: 'File', width: 260, line: 1, cell: ({ fileName }) => fileName },
  { id: 'state', header: 'State', width: 150, line: 1, cell: (row) => <ImportStateLabel of={row} /> },
  { id: 'tool', header: 'Tool', width: 150, line: 2, cell: toolOf },
  count('created', 'New', ({ counts }) => counts.results.created),
  count('changed', 'Changed', ({ counts }) => counts.results.changed),
  count('gone', 'Gone', ({ counts }) => counts.results.gone),
  count('unchanged', 'Unchanged', ({ counts }) => counts.results.unchanged),
  count('rejected', 'Rejected', ({ counts }) => counts.rejected),
  { id: 'size', header: 'Size', width: 100, align: 'end', isHidden: true, cell: ({ size }) => formatBytes(size) },
  { id: 'createdBy', header: 'By', width: 160, cell: ({ createdBy }) => createdBy?.name ?? 'API key' },
  {
    id: 'createdAt',
    header: 'Imported',
    width: 140,
    sort: 'createdAt',
    firstOrder: 'desc',
    line: 2,
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
]

function toolOf({ tool, toolVersion, format }: Import): string {
  return [tool ?? format ?? '', toolVersion ?? ''].join(' ').trim()
}
