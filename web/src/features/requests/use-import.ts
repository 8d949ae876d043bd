import type { Output } from '@sortie/client/calls.ts'
import type { IMPORT_FORMATS } from '@sortie/contract/request-transfer.ts'
import { useSend } from '../../forms/use-send.ts'
import { staleRequests, usePlace } from './place.tsx'

export type Imported = Output<'importApiRequests'>['data']
export type ImportFormat = 'auto' | (typeof IMPORT_FORMATS)[number]

/** Whether a text is a cURL command, as browsers and documentation hand them out. */
export const isCurl = (text: string): boolean => /^(?:\$\s*)?curl(?:\.exe)?\s/.test(text.trimStart())

/**
 * Saves the requests of a file or text in the open place; a preview saves nothing.
 *
 * @returns what was made of it, and what was left out
 */
export const useImport = (folderId: string | null) => {
  const { organizationId, engagementId } = usePlace()
  const send = useSend(organizationId, 'importApiRequests', [...staleRequests(organizationId), [organizationId, 'listEnvironments']])
  return async (content: string | Blob, format: ImportFormat, mode: 'apply' | 'preview' = 'apply'): Promise<Imported> => {
    const query = { format, mode, ...(engagementId !== null && { engagementId }), ...(folderId !== null && { folderId }) }
    return (await send({ query, body: new Blob([content]) })).data
  }
}
