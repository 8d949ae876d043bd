import { STATUS_LABELS } from '../../domain/vulnerability-words.ts'
import { type Shape, StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import { type Result, type Status, VERDICT_LABELS } from './labels.ts'

const STATUS_TONES: Record<Status, Tone> = {
  open: 'warn',
  confirmed: 'bad',
  false_positive: 'quiet',
  accepted: 'busy',
  fixed: 'good',
}
const STATUS_SHAPES: Record<Status, Shape> = {
  open: 'ring',
  confirmed: 'half',
  false_positive: 'cross',
  accepted: 'dash',
  fixed: 'check',
}
const VERDICT_TONES: Record<Result['verdict'], Tone> = { in: 'good', out: 'bad', caution: 'warn', unknown: 'quiet' }

/** Status of a vulnerability. A result that is gone shows that instead. */
export const ResultStatusLabel = ({ status, state }: Pick<Result, 'status' | 'state'>) => {
  if (state === 'gone')
    return <StatusLabel tone="quiet">{status ? `${STATUS_LABELS[status]}, gone` : 'Gone'}</StatusLabel>
  return (
    status && (
      <StatusLabel tone={STATUS_TONES[status]} shape={STATUS_SHAPES[status]}>
        {STATUS_LABELS[status]}
      </StatusLabel>
    )
  )
}

export const VerdictLabel = ({ verdict }: Pick<Result, 'verdict'>) => (
  <StatusLabel tone={VERDICT_TONES[verdict]}>{VERDICT_LABELS[verdict]}</StatusLabel>
)

/** In a list only what is not in scope is marked. */
export const VerdictMark = ({ verdict }: Pick<Result, 'verdict'>) =>
  verdict === 'in' ? <span className="visually-hidden">{VERDICT_LABELS.in}</span> : <VerdictLabel verdict={verdict} />
