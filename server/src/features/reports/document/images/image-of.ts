import { createHash } from 'node:crypto'
import type { ImageValue } from '@sortie/contract/reports/report-data.ts'
import { imageDimensionsFromData } from 'image-dimensions'
import { isPicture, mediaTypeOf } from '../../../../platform/files/media-type.ts'
import { isTurned, stripMetadata } from '../../../files/pictures/strip-metadata.ts'

/** Pixels of one picture: decoding takes four bytes for each. */
export const MAX_PIXELS = 64_000_000

export interface ReadImage {
  value: ImageValue
  bytes: Uint8Array
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
