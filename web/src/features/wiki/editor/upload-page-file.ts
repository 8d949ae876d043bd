import type { Output } from '@sortie/client/calls.ts'
import { toApiError } from '@sortie/client/request.ts'
import { addressOfCall } from '../../../api/api.ts'

type StoredFile = Output<'uploadWikiPageFile'>['data']

/** Uploads a file to a page. @throws ApiError; TypeError if the server cannot be reached */
export const uploadPageFile = async (organizationId: string, pageId: string, file: File): Promise<StoredFile> => {
  const address = addressOfCall('uploadWikiPageFile', {
    params: { pageId },
    query: { fileName: file.name || 'pasted.png' },
  })
  const headers = { 'x-organization': organizationId, 'content-type': file.type || 'application/octet-stream' }
  const response = await fetch(address, { method: 'POST', headers, body: file })
  const text = await response.text()
  if (response.status !== 201) throw toApiError(response, text)
  return (JSON.parse(text) as { data: StoredFile }).data
}

/** Markdown of a file: images are inline, other files are links. */
export const markdownOf = ({ id, fileName, mediaType }: StoredFile): string =>
  `${mediaType.startsWith('image/') ? '!' : ''}[${fileName.replaceAll(/[\\[\]]/g, '\\$&')}](${id})`
