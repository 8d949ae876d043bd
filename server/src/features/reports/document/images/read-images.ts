import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ImageValue } from '@sortie/contract/reports/report-data.ts'
import { imageDimensionsFromData } from 'image-dimensions'
import type { Config } from '../../../../platform/config.ts'
import { isPicture, mediaTypeOf } from '../../../../platform/files/media-type.ts'
import { storedPath } from '../../../files/files.service.ts'
import { isTurned, stripMetadata } from './strip-metadata.ts'

/** Pixels of one picture: decoding takes four bytes for each. */
export const MAX_PIXELS = 64_000_000
const MAX_BYTES = 50 * 1024 * 1024
/** Bytes of all pictures of a report. */
const MAX_TOTAL_BYTES = 600 * 1024 * 1024

export interface ReadImage {
  value: ImageValue
  bytes: Uint8Array
}

export interface ReadImages {
  images: Map<string, ReadImage>
  /** Why a picture cannot be shown, by id. */
  unreadable: Map<string, string>
}

/** Reads the pictures among these files, without metadata. */
export const readImages = async (
  config: Config,
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
    const read = await readStored(storedPath(config, organizationId, id))
    const image = read && imageOf(read)
    if (image === undefined) unreadable.set(id, `${name} is not stored here any more.`)
    else if (typeof image === 'string') unreadable.set(id, `${name} ${image}`)
    else images.set(id, image)
  }
  return { images, unreadable }
}

const readStored = async (path: string): Promise<Uint8Array | undefined> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** @returns the picture, or what is wrong with it, to be read after its name */
export const imageOf = (read: Uint8Array): ReadImage | string => {
  const mediaType = mediaTypeOf(Buffer.from(read.buffer, read.byteOffset, Math.min(read.byteLength, 64)))
  if (!isImageType(mediaType)) return 'is not a picture: its bytes are of another kind.'
  if (mediaType === 'image/avif') return 'is an AVIF picture, which reports cannot show: upload it as PNG or JPEG.'
  const dimensions = imageDimensionsFromData(read)
  if (!dimensions || dimensions.width < 1 || dimensions.height < 1) return 'is damaged: its size cannot be read.'
  const { width, height } = dimensions
  if (width * height > MAX_PIXELS) return `has ${width} × ${height} pixels, more than the 64 million of a report.`
  const bytes = stripMetadata(read, mediaType)
  const size = mediaType === 'image/jpeg' && isTurned(bytes) ? { width: height, height: width } : { width, height }
  return { value: { mediaType, ...size, sha256: createHash('sha256').update(bytes).digest('hex') }, bytes }
}

const isImageType = (mediaType: string): mediaType is ImageValue['mediaType'] => isPicture(mediaType)
