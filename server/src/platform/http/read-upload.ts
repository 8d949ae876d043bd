import type { Readable } from 'node:stream'
import { badRequest, tooLarge } from '../errors.ts'
import type { Writer } from './context.ts'

/**
 * The whole of an uploaded file that is read before the change which stores it. Whoever sent it is asked for the right once
 * more after the last byte: what the file says is answered to nobody who lost the right meanwhile.
 *
 * @throws ApiError BAD_REQUEST for more than `maxBytes` or nothing; UNAUTHORIZED, FORBIDDEN or NOT_FOUND once the right is gone
 */
export const readUpload = async ({ change }: Pick<Writer, 'change'>, body: Readable, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  await change(async () => undefined)
  if (size === 0) throw badRequest('The body is empty: send a file.')
  return Buffer.concat(chunks)
}
