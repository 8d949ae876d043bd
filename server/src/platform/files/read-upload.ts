import type { Readable } from 'node:stream'
import type { Change } from '../database/change.ts'
import { badRequest, tooLarge } from '../errors.ts'

/** Whoever uploads, as a request's context has it. */
interface Uploader {
  change: Change
}

/**
 * For an upload that is judged before the change which stores it: after its last byte, whoever sent it needs the right still.
 *
 * @throws ApiError UNAUTHORIZED, FORBIDDEN or NOT_FOUND once it is gone
 */
export const recheckAfterUpload = ({ change }: Uploader): Promise<void> => change(async () => undefined)

/**
 * The whole of an uploaded file, from somebody who has the right also after the last byte.
 *
 * @throws ApiError BAD_REQUEST for more than `maxBytes` or nothing; UNAUTHORIZED, FORBIDDEN or NOT_FOUND once the right is gone
 */
export const readUpload = async (uploader: Uploader, body: Readable, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  await recheckAfterUpload(uploader)
  if (size === 0) throw badRequest('The body is empty: send a file.')
  return Buffer.concat(chunks)
}
