import type { Readable } from 'node:stream'
import type { RunChange } from '../database/change.ts'
import { badRequest, tooLarge } from '../errors.ts'
import { BodyBuffer } from '../http/limits/body-buffer.ts'

/** The sender of an upload, from the request's context. */
interface Uploader {
  change: RunChange
}

/**
 * For an upload that is examined before the change that stores it: after the last byte, the sender must still have the
 * right.
 *
 * @throws ApiError UNAUTHORIZED, FORBIDDEN or NOT_FOUND once it is gone
 */
export const recheckAfterUpload = ({ change }: Uploader): Promise<void> => change(async () => undefined)

/** An uploader whose file is kept in memory. */
export interface MemoryUploader extends Uploader {
  holdUpload(bytes: number): void
}

/**
 * Reads a whole uploaded file, and checks after the last byte that the sender still has the right.
 *
 * @throws ApiError BAD_REQUEST for more than `maxBytes` or nothing; 503 when all uploads together use too much memory;
 * UNAUTHORIZED, FORBIDDEN or NOT_FOUND once the right is gone
 */
export const readUpload = async (uploader: MemoryUploader, body: Readable, maxBytes: number): Promise<Buffer> => {
  const file = new BodyBuffer(maxBytes)
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (file.length + chunk.length > maxBytes) throw tooLarge(maxBytes)
      uploader.holdUpload(file.sizeWith(chunk))
      file.append(chunk)
    }
  } catch (error) {
    // Discards the rest, so that the client reads the answer.
    body.resume()
    throw error
  }
  await recheckAfterUpload(uploader)
  if (file.length === 0) throw badRequest('The body is empty: send a file.')
  return file.bytes
}
