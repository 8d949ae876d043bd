import type { Input } from '@sortie/client/calls.ts'
import { addressOfCall } from '../../api.ts'
import type { Destination } from './uploads.tsx'

/** How a file is to be imported. */
export type ImportQuery = Omit<Input<'createImport'>['query'], 'engagementId' | 'fileName'>

/** By which the page of imports knows the uploads that are its own. */
export const importHolder = (engagementId: string): string => `imports/${engagementId}`

/** Where files are sent to be imported. */
export const importDestination = (engagementId: string, options: ImportQuery): Destination => ({
  holder: importHolder(engagementId),
  addressOf: (fileName) => addressOfCall('createImport', { query: { engagementId, fileName, ...options } }),
  invalidates: ['listImports'],
})
