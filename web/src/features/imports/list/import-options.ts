import type { Input } from '@sortie/client/calls.ts'
import type { ImportQuery } from '../../../shell/uploads/import-destination.ts'
import { formatTime } from '../../../ui/dates/dates.ts'

/** Options that apply to every dropped file. */
export interface ImportOptions {
  format: NonNullable<Input<'createImport'>['query']['format']>
  isPreview: boolean
  isFullRescan: boolean
  skipsOutOfScope: boolean
  /** Value of a `datetime-local` field, in the browser's time zone; empty: now. */
  seenAt: string
  /** CSV only: `column:field,...` */
  mapping: string
  /** The address that was tested, for output without hosts; empty: none. */
  baseUrl: string
}

export const USUAL: ImportOptions = {
  format: 'auto',
  isPreview: false,
  isFullRescan: false,
  skipsOutOfScope: false,
  seenAt: '',
  mapping: '',
  baseUrl: '',
}

/** Options as API query; omits defaults. */
export const toQuery = (options: ImportOptions): ImportQuery => ({
  ...(options.format !== 'auto' && { format: options.format }),
  ...(options.isPreview && { mode: 'preview' as const }),
  ...(options.isFullRescan && { fullRescan: true }),
  ...(options.skipsOutOfScope && { outOfScope: 'skip' as const }),
  ...(options.seenAt && { seenAt: new Date(options.seenAt).toISOString() }),
  ...(options.mapping.trim() && { mapping: options.mapping.trim() }),
  ...(options.baseUrl.trim() && { baseUrl: options.baseUrl.trim() }),
})

/** Non-default options, in one line. */
export const describeOptions = (options: ImportOptions): string[] => [
  ...(options.isPreview ? ['preview first'] : []),
  ...(options.format === 'auto' ? [] : [`read as ${options.format}`]),
  ...(options.isFullRescan ? ['full rescan'] : []),
  ...(options.skipsOutOfScope ? ['without what is out of scope'] : []),
  ...(options.seenAt ? [`seen ${formatTime(options.seenAt)}`] : []),
  ...(options.mapping.trim() ? ['columns mapped'] : []),
  ...(options.baseUrl.trim() ? [`paths below ${options.baseUrl.trim()}`] : []),
]
