import { StatusLabel } from '../../ui/feedback/StatusLabel.tsx'
import { type Import, STATE_LABELS, STATE_TONES } from './states.ts'

/** State of an import, with progress while it runs. */
export const ImportStateLabel = ({ of: { state, progress } }: { of: Pick<Import, 'state' | 'progress'> }) => (
  <StatusLabel tone={STATE_TONES[state]}>
    {STATE_LABELS[state]}
    {progress?.total && state === 'parsing'
      ? ` ${Math.min(100, Math.round((100 * progress.done) / progress.total))} %`
      : ''}
  </StatusLabel>
)
