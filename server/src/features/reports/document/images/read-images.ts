import { isPicture } from '../../../../platform/files/media-type.ts'
import type { OpenedFile, Storage } from '../../../../platform/files/storage.ts'
import { imageOf, type ReadImage } from './image-of.ts'

const MAX_BYTES = 50 * 1024 * 1024
/** Bytes of all pictures of a report. */
const MAX_TOTAL_BYTES = 600 * 1024 * 1024

export interface ReadImages {
  images: Map<string, ReadImage>
  /** Why a picture cannot be shown, by id. */
  unreadable: Map<string, string>
}

/** Reads the pictures among these files, without metadata. */
export const readImages = async (
  storage: Storage,
  organizationId: string,
  files: readonly { id: string; file_name: string; media_type: string; size: number }[],
): Promise<ReadImages> => {
  const images: ReadImages['images'] = new Map()
  const unreadable: ReadImages['unreadable'] = new Map()
  let total = 0
  for (const { id, file_name: name, media_type: mediaType, size } of files) {
    if (!isPicture(mediaType) || images.has(id)) continue
    total += size
    if (size > MAX_BYTES || total > MAX_TOTAL_BYTES) {
      unreadable.set(id, `${name} is too large: a picture has at most 50 MiB, all of a report 600 MiB.`)
      continue
    }
    const file = await storage.open({ organizationId, fileId: id })
    const read = file && (await readWhole(file))
    const image = read && imageOf(read)
    if (image === undefined) unreadable.set(id, `${name} is not stored here any more.`)
    else if (typeof image === 'string') unreadable.set(id, `${name} ${image}`)
    else images.set(id, image)
  }
  return { images, unreadable }
}

const readWhole = async (file: OpenedFile): Promise<Uint8Array> => {
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}
