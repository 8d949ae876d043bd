import type { Output } from '@sortie/client/calls.ts'
import type { Tone } from '../../ui/feedback/StatusLabel.tsx'

export type Import = Output<'listImports'>['data'][number]
export type ImportState = Import['state']

/** Labels of import states. */
export const STATE_LABELS: Record<ImportState, string> = {
  received: 'Waiting',
  parsing: 'Reading',
  previewed: 'Preview',
  applied: 'Applied',
  partial: 'Partly imported',
  failed: 'Failed',
  undone: 'Undone',
}

export const STATE_TONES: Record<ImportState, Tone> = {
  received: 'busy',
  parsing: 'busy',
  previewed: 'warn',
  applied: 'good',
  partial: 'warn',
  failed: 'bad',
  undone: 'quiet',
}

export const isRunning = ({ state }: { state: ImportState }): boolean => state === 'received' || state === 'parsing'
export const isUndoable = ({ state }: { state: ImportState }): boolean => state === 'applied' || state === 'partial'
export const isDeletable = ({ state }: { state: ImportState }): boolean =>
  state === 'previewed' || state === 'failed' || state === 'undone'

/** Poll interval of running imports, in milliseconds. */
export const REFRESH_MS = 1_000
