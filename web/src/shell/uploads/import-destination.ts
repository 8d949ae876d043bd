import type { Input } from '@sortie/client/calls.ts'
import { addressOfCall } from '../../api/api.ts'
import type { Destination } from './uploads.tsx'

/** Import options of a file. */
export type ImportQuery = Omit<Input<'createImport'>['query'], 'engagementId' | 'fileName'>

/** Key by which the imports page finds its uploads. */
export const importHolder = (engagementId: string): string => `imports/${engagementId}`

/** Destination of files to import. */
export const importDestination = (engagementId: string, options: ImportQuery): Destination => ({
  holder: importHolder(engagementId),
  addressOf: (fileName) => addressOfCall('createImport', { query: { engagementId, fileName, ...options } }),
  invalidates: ['listImports'],
})
