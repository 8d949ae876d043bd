import { OPERATION_KIND_LABELS, momentOf, type Operation, reachedBy } from '../../../domain/operations.ts'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { Person } from '../../../ui/people/Person.tsx'

export const COLUMNS: GridColumn<Operation>[] = [
  {
    id: 'reached',
    header: 'Reached',
    width: 260,
    line: 1,
    cell: (row) => <span className="mono">{reachedBy(row)}</span>,
  },
  {
    id: 'startedAt',
    header: 'Started',
    width: 170,
    sort: 'startedAt',
    firstOrder: 'desc',
    line: 1,
    cell: ({ startedAt }) => <time dateTime={startedAt}>{momentOf(startedAt)}</time>,
  },
  {
    id: 'endedAt',
    header: 'Finished',
    width: 170,
    cell: ({ endedAt }) => endedAt && <time dateTime={endedAt}>{momentOf(endedAt)}</time>,
  },
  { id: 'ports', header: 'Ports', width: 150, cell: ({ ports, port }) => ports ?? port },
  { id: 'protocol', header: 'Protocol', width: 90, isHidden: true, cell: ({ protocol }) => protocol },
  { id: 'kind', header: 'Via', width: 120, line: 2, cell: ({ kind }) => OPERATION_KIND_LABELS[kind] },
  { id: 'by', header: 'By', width: 150, line: 2, cell: ({ by }) => (by ? <Person name={by.name} /> : 'not known') },
  {
    id: 'sourceAddress',
    header: 'Source',
    width: 150,
    cell: ({ sourceAddress }) => sourceAddress && <span className="mono">{sourceAddress}</span>,
  },
  { id: 'note', header: 'Note', width: 220, isHidden: true, cell: ({ note }) => note },
]
