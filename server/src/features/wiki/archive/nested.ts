import { Readable } from 'node:stream'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { invalid } from '../../../platform/errors.ts'
import type { LocalFile } from '../../../platform/files/storage.ts'
import { newId } from '../../../platform/ids.ts'
import { isLeftover } from './file-names.ts'
import { type Archive, type ArchiveFile, MAX_UNPACKED_BYTES, openArchive } from './read-archive.ts'

const MAX_INNER = 20
const ZIP = /\.zip$/i

/**
 * Opens the archives in an archive that contains nothing else, as Notion writes large exports; any other archive stays
 * as it is. Only one level, and all of them together within the limits of one.
 *
 * @throws ApiError VALIDATION_ERROR for archives that are refused
 */
export const withInnerArchives = async (
  writer: Pick<Writer, 'storage'>,
  actor: Actor,
  outer: Archive,
): Promise<Archive> => {
  const wanted = outer.files.filter(({ path }) => !isLeftover(path))
  if (wanted.length === 0 || wanted.length > MAX_INNER || !wanted.every(({ path }) => ZIP.test(path))) return outer
  const unpacked: LocalFile[] = []
  const inner: Archive[] = []
  const close = () => {
    for (const archive of [...inner, outer]) archive.close()
    for (const file of unpacked) void file.release()
  }
  try {
    let left = MAX_UNPACKED_BYTES
    for (const file of wanted) {
      const place = { organizationId: actor.organizationId, fileId: newId('fil') }
      const refusal = () => invalid('The ZIPs in the ZIP are larger than 200 MiB.')
      const local = await writer.storage.scratch(place, Readable.from(outer.open(file), { objectMode: false }), {
        maxBytes: left,
        refusal,
      })
      unpacked.push(local)
      const archive = await openArchive(local.path, local.size)
      inner.push(archive)
      left -= archive.files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
      if (left < 0) throw refusal()
    }
  } catch (error) {
    for (const archive of inner) archive.close()
    for (const file of unpacked) await file.release()
    throw error
  }
  const holders = new Map<ArchiveFile, Archive>()
  const paths = new Set<string>()
  const files = inner.flatMap((archive) =>
    archive.files.filter((file) => {
      const isNew = !paths.has(file.path.toLowerCase())
      paths.add(file.path.toLowerCase())
      if (isNew) holders.set(file, archive)
      return isNew
    }),
  )
  return {
    files,
    skipped: inner.flatMap(({ skipped }) => skipped),
    open: (file) => (holders.get(file) as Archive).open(file),
    close,
  }
}
