import type { Output } from '@sortie/client/calls.ts'
import { toApiError } from '@sortie/client/request.ts'
import { addressOfCall } from '../../api/api.ts'

type Upload = 'uploadWikiPageFile' | 'uploadFindingFile' | 'uploadReportFile'
type StoredFile = Output<Upload>['data']

/**
 * Uploads a file to the object whose text is edited.
 * @param params ids in the path of the call
 * @returns Markdown of the file: images are inline, other files are links
 * @throws ApiError; TypeError if the server cannot be reached
 */
export const uploadIntoText = async (
  organizationId: string,
  name: Upload,
  params: Record<string, string>,
  file: File,
): Promise<string> => {
  const address = addressOfCall(name, { params, query: { fileName: file.name || 'pasted.png' } })
  const headers = { 'x-organization': organizationId, 'content-type': file.type || 'application/octet-stream' }
  const response = await fetch(address, { method: 'POST', headers, body: file })
  const text = await response.text()
  if (response.status !== 201) throw toApiError(response, text)
  return markdownOf((JSON.parse(text) as { data: StoredFile }).data)
}

const markdownOf = ({ id, fileName, mediaType }: StoredFile): string =>
  `${mediaType.startsWith('image/') ? '!' : ''}[${fileName.replaceAll(/[\\[\]]/g, '\\$&')}](${id})`
