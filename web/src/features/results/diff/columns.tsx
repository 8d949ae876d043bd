import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { StatusLabel, type Tone } from '../../../ui/feedback/StatusLabel.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { KIND_LABELS } from '../labels.ts'
import { CHANGE_LABELS, type DiffChange, type DiffRow, describeFields } from './labels.ts'

const TONES: Record<DiffChange, Tone> = { new: 'busy', changed: 'warn', gone: 'quiet', reappeared: 'busy' }

export const ChangeLabel = ({ change }: Pick<DiffRow, 'change'>) => (
  <StatusLabel tone={TONES[change]}>{CHANGE_LABELS[change]}</StatusLabel>
)

export const COLUMNS: GridColumn<DiffRow>[] = [
  { id: 'title', header: 'Result', width: 300, line: 1, cell: ({ result }) => result.title },
  { id: 'change', header: 'Change', width: 120, line: 1, cell: ChangeLabel },
  {
    id: 'asset',
    header: 'Asset',
    width: 230,
    line: 2,
    cell: ({ result }) => <span className="mono">{result.asset}</span>,
  },
  { id: 'kind', header: 'Kind', width: 130, line: 2, cell: ({ result }) => KIND_LABELS[result.kind] },
  {
    id: 'severity',
    header: 'Severity',
    width: 110,
    cell: ({ result }) => <SeverityLabel severity={result.severity} />,
  },
  { id: 'fields', header: 'Details', width: 420, cell: describeFields },
]
