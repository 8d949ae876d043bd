import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import type { RunSummary } from '../place.tsx'
import { STATE_LABELS, toneOf } from './run-words.ts'

/** Outcome of a run: the response status, or why there is none. */
export const RunState = ({ run }: { run: RunSummary }) => (
  <StatusLabel tone={toneOf(run)}>
    {run.state === 'succeeded' && run.status !== null ? run.status : STATE_LABELS[run.state]}
  </StatusLabel>
)
