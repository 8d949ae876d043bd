import { createHash } from 'node:crypto'
import type { FilePlace, Storage } from './storage.ts'

/** Size and hash of a stored file; undefined if there is none. */
export const hashStored = async (
  storage: Storage,
  place: FilePlace,
): Promise<{ bytes: number; sha256: string } | undefined> => {
  const opened = await storage.open(place)
  if (!opened) return undefined
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of opened.createReadStream() as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
