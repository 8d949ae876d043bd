import type { Output } from '@sortie/client/calls.ts'
import type { IMPORT_FORMATS } from '@sortie/contract/requests/request-transfer.ts'
import { useSend } from '../../../api/use-send.ts'
import { staleRequests, usePlace } from '../place.tsx'

export type Imported = Output<'importApiRequests'>['data']
export type ImportFormat = 'auto' | (typeof IMPORT_FORMATS)[number]

/** Detects a cURL command as browsers and documentation produce it. */
export const isCurl = (text: string): boolean => /^(?:\$\s*)?curl(?:\.exe)?\s/.test(text.trimStart())

/**
 * Saves the requests of a file or text in this engagement or library; a preview saves nothing.
 * @returns created requests and skipped parts
 */
export const useImport = (folderId: string | null, keepsBraces = false) => {
  const { organizationId, engagementId } = usePlace()
  const send = useSend(organizationId, 'importApiRequests', [
    ...staleRequests(organizationId),
    [organizationId, 'listEnvironments'],
  ])
  return async (
    content: string | Blob,
    format: ImportFormat,
    mode: 'apply' | 'preview' = 'apply',
  ): Promise<Imported> => {
    const query = {
      format,
      mode,
      ...(keepsBraces && { variables: 'text' as const }),
      ...(engagementId !== null && { engagementId }),
      ...(folderId !== null && { folderId }),
    }
    return (await send({ query, body: new Blob([content]) })).data
  }
}
