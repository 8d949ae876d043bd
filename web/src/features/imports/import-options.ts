import type { Input } from '@sortie/client/calls.ts'
import type { ImportQuery } from '../../shell/uploads/import-destination.ts'

/** What is said of every file that is dropped. */
export interface ImportOptions {
  format: NonNullable<Input<'createImport'>['query']['format']>
  isPreview: boolean
  isFullRescan: boolean
  /** Leaves out what is out of scope. */
  skipsOutOfScope: boolean
  /** As a field of the kind `datetime-local` says it, in the time zone of the browser; empty: now. */
  seenAt: string
  /** Of a CSV: `column:field,...` */
  mapping: string
}

export const USUAL: ImportOptions = { format: 'auto', isPreview: false, isFullRescan: false, skipsOutOfScope: false, seenAt: '', mapping: '' }

/** As the API takes them; what is as usual is left out. */
export const toQuery = (options: ImportOptions): ImportQuery => ({
  ...(options.format !== 'auto' && { format: options.format }),
  ...(options.isPreview && { mode: 'preview' as const }),
  ...(options.isFullRescan && { fullRescan: true }),
  ...(options.skipsOutOfScope && { outOfScope: 'skip' as const }),
  ...(options.seenAt && { seenAt: new Date(options.seenAt).toISOString() }),
  ...(options.mapping.trim() && { mapping: options.mapping.trim() }),
})

/** What is not as usual, in one line. */
export const describeOptions = (options: ImportOptions): string[] => [
  ...(options.isPreview ? ['preview first'] : []),
  ...(options.format === 'auto' ? [] : [`read as ${options.format}`]),
  ...(options.isFullRescan ? ['full rescan'] : []),
  ...(options.skipsOutOfScope ? ['without what is out of scope'] : []),
  ...(options.seenAt ? [`seen ${new Date(options.seenAt).toLocaleString()}`] : []),
  ...(options.mapping.trim() ? ['columns mapped'] : []),
]
