import { ConnectionError } from '@sortie/client/errors.ts'
import { toApiError } from '@sortie/client/request.ts'
import { ownWrite } from '../../ui/grid/rows/live-reads.ts'

interface UploadOptions {
  signal: AbortSignal
  /** Receives the number of bytes sent so far. */
  onProgress: (sent: number) => void
}

/**
 * Uploads a file. Uses XMLHttpRequest, because `fetch` reports no upload progress.
 * @param address path and query of the call
 * @returns body of the response
 * @throws ApiError, ConnectionError, the signal's reason
 */
export const uploadFile = (
  organizationId: string,
  address: string,
  file: File,
  options: UploadOptions,
): Promise<unknown> => ownWrite(() => send(organizationId, address, file, options))

const send = (
  organizationId: string,
  address: string,
  file: File,
  { signal, onProgress }: UploadOptions,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.setRequestHeader('x-organization', organizationId)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve(JSON.parse(request.responseText))
      else
        reject(
          toApiError(new Response(null, { status: request.status, headers: headersOf(request) }), request.responseText),
        )
    })
    request.addEventListener('error', () => reject(new ConnectionError('the upload')))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })

const headersOf = (request: XMLHttpRequest): Record<string, string> =>
  Object.fromEntries(
    ['x-request-id', 'retry-after'].flatMap((name) => {
      const value = request.getResponseHeader(name)
      return value === null ? [] : [[name, value]]
    }),
  )
