import { EffectLabel, RULE_KIND_LABELS, type ScopeRule } from '../../../domain/verdicts.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'

export const COLUMNS: GridColumn<ScopeRule>[] = [
  {
    id: 'pattern',
    header: 'Pattern',
    width: 300,
    sort: 'pattern',
    line: 1,
    cell: ({ pattern }) => <span className="mono">{pattern}</span>,
  },
  { id: 'effect', header: 'Effect', width: 140, line: 1, cell: ({ effect }) => <EffectLabel effect={effect} /> },
  { id: 'kind', header: 'Kind', width: 130, line: 2, cell: ({ kind }) => RULE_KIND_LABELS[kind] },
  { id: 'note', header: 'Note', width: 360, line: 2, cell: ({ note }) => <span>{firstLine(note)}</span> },
  {
    id: 'createdAt',
    header: 'Added',
    width: 140,
    sort: 'createdAt',
    firstOrder: 'desc',
    cell: ({ createdAt }) => <TimeAgo iso={createdAt} />,
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: 140,
    isHidden: true,
    cell: ({ updatedAt }) => <TimeAgo iso={updatedAt} />,
  },
]

const firstLine = (note: string): string => note.split('\n', 1)[0] ?? ''
