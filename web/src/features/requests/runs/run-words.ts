import type { Tone } from '../../../ui/feedback/StatusLabel.tsx'
import type { Run, RunSummary, Sequence } from '../place.tsx'

export const STATE_LABELS: Record<RunSummary['state'], string> = {
  succeeded: 'Answered',
  failed: 'Failed',
  refused: 'Refused',
  cancelled: 'Cancelled',
}

/** `good` means answered without an error; the status code repeats it in a number. */
export const toneOf = (
  run: Pick<RunSummary, 'state'> & { status?: number | null; response?: Run['response'] },
): Tone => {
  if (run.state === 'refused') return 'warn'
  if (run.state === 'cancelled') return 'quiet'
  if (run.state === 'failed') return 'bad'
  const status = run.response?.status ?? run.status ?? 0
  return status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
}

export const SEQUENCE_LABELS: Record<Sequence['state'], string> = {
  running: 'Running',
  succeeded: 'Passed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
export const SEQUENCE_TONES: Record<Sequence['state'], Tone> = {
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'quiet',
}
