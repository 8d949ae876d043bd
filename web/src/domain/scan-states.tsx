import type { Output } from '@sortie/client/calls.ts'
import { StatusLabel, type Tone } from '../ui/feedback/StatusLabel.tsx'

export type Scan = Output<'listScans'>['data'][number]
export type ScanState = Scan['state']

export const SCAN_STATE_LABELS: Record<ScanState, string> = {
  queued: 'Waiting',
  running: 'Running',
  succeeded: 'Done',
  partial: 'Partly done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

const TONES: Record<ScanState, Tone> = {
  queued: 'busy',
  running: 'busy',
  succeeded: 'good',
  partial: 'warn',
  failed: 'bad',
  cancelled: 'quiet',
}

/** True until the scan has ended. */
export const isUnderWay = ({ state }: Pick<Scan, 'state'>): boolean => state === 'queued' || state === 'running'

/** Percentage; undefined while the total is unknown. */
export const percentOf = ({ progress }: Pick<Scan, 'progress'>): number | undefined =>
  progress?.total ? Math.min(100, Math.floor((100 * progress.done) / progress.total)) : undefined

/** State of a scan, with progress while it runs. */
export const ScanStateLabel = ({ of: scan }: { of: Pick<Scan, 'state' | 'progress'> }) => {
  const percent = scan.state === 'running' ? percentOf(scan) : undefined
  return (
    <StatusLabel tone={TONES[scan.state]}>
      {SCAN_STATE_LABELS[scan.state]}
      {percent !== undefined && ` ${percent} %`}
    </StatusLabel>
  )
}

/** Poll interval of a running scan, in milliseconds: its progress emits no events. */
export const SCAN_REFRESH_MS = 2_000
