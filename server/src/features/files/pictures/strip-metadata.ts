/** Removes everything except the pixels of a picture: EXIF with its place, XMP, comments, and all thumbnails. */
export const stripMetadata = (bytes: Uint8Array, mediaType: string): Uint8Array => {
  const strip = STRIPPERS[mediaType]
  return strip ? strip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) : bytes
}

const STRIPPERS: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
  'image/jpeg': (bytes) => stripJpeg(bytes),
  'image/png': (bytes) => stripPng(bytes),
  'image/gif': (bytes) => stripGif(bytes),
  'image/webp': (bytes) => stripWebp(bytes),
}

const SOI = 0xd8
const SOS = 0xda
const EOI = 0xd9
const APP0 = 0xe0
/** Colour profiles. */
const APP2 = 0xe2
/** How Adobe's programs encode colours. */
const APP14 = 0xee
const COMMENT = 0xfe

/** JPEG (ITU-T T.81, annex B): segments and scans up to the end of the picture; cameras append others behind it. */
const stripJpeg = (bytes: Buffer): Buffer => {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let at = 2
  while (at >= 0 && at + 2 <= bytes.length) {
    const marker = bytes[at + 1] as number
    if (bytes[at] !== 0xff || isWithoutLength(marker)) {
      at = bytes.indexOf(0xff, at + 1)
      continue
    }
    // The beginning of another picture.
    if (marker === SOI) break
    if (marker === EOI) {
      kept.push(bytes.subarray(at, at + 2))
      break
    }
    const end = at + 4 <= bytes.length ? at + 2 + bytes.readUInt16BE(at + 2) : Number.POSITIVE_INFINITY
    if (end > bytes.length) break
    const next = marker === SOS ? endOfScan(bytes, end) : end
    kept.push(...partsOf(marker, bytes.subarray(at, next)))
    at = next
  }
  return Buffer.concat(kept)
}

/** Fill bytes, and markers that no segment follows. */
const isWithoutLength = (marker: number): boolean => marker === 0xff || marker < 0xc0 || isRestart(marker)

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/** The marker behind the coded pixels of a scan. */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] as number
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at
  }
  return bytes.length
}

const partsOf = (marker: number, segment: Buffer): Buffer[] => {
  if (marker === COMMENT) return []
  if (marker < APP0 || marker > 0xef) return [segment]
  if (marker === APP0) return withoutThumbnail(segment)
  const isColours = marker === APP14 || (marker === APP2 && segment.toString('latin1', 4, 15) === 'ICC_PROFILE')
  return isColours ? [segment] : orientationOnly(marker, segment)
}

/** Bytes of a JFIF segment without its thumbnail. */
const JFIF_BYTES = 18

/** A JFIF segment without thumbnail; its extension (`JFXX`) is nothing but one. */
const withoutThumbnail = (segment: Buffer): Buffer[] => {
  if (segment.length < JFIF_BYTES || segment.toString('latin1', 4, 9) !== 'JFIF\0') return []
  const plain = Buffer.from(segment.subarray(0, JFIF_BYTES))
  plain.writeUInt16BE(JFIF_BYTES - 2, 2)
  plain.writeUInt16BE(0, JFIF_BYTES - 2)
  return [plain]
}

const APP1 = 0xe1
const EXIF = 'Exif\0\0'
const ORIENTATION = 0x0112

/** An EXIF segment with only the orientation, without which a photo of a phone is turned. */
const orientationOnly = (marker: number, segment: Buffer): Buffer[] => {
  if (marker !== APP1 || segment.toString('latin1', 4, 10) !== EXIF) return []
  const orientation = orientationOf(segment.subarray(10))
  if (orientation === undefined || orientation === 1) return []
  const value = Buffer.alloc(8)
  value.writeUInt16BE(orientation)
  return [Buffer.concat([ORIENTATION_HEAD, value])]
}

/** An EXIF segment (34 bytes) with one entry, up to its value. */
const ORIENTATION_HEAD = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010000', 'hex').subarray(
  0,
  28,
)

/** Reports whether a JPEG without other metadata is shown turned by a quarter: width and height are exchanged. */
export const isTurned = (bytes: Uint8Array): boolean => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = buffer.subarray(0, HEAD_BYTES).indexOf(ORIENTATION_HEAD)
  return at >= 0 && buffer.readUInt16BE(at + ORIENTATION_HEAD.length) >= 5
}

/** Segments before the orientation: JFIF and its thumbnail have at most 64 KiB. */
const HEAD_BYTES = 131_072

/** The orientation (1 to 8) in the first directory of EXIF, which is a TIFF file. */
const orientationOf = (tiff: Buffer): number | undefined => {
  if (tiff.length < 14) return undefined
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return undefined
  const count = short(start)
  for (let index = 0; index < count; index++) {
    const entry = start + 2 + index * 12
    if (entry + 12 > tiff.length) return undefined
    if (short(entry) !== ORIENTATION) continue
    const value = short(entry + 8)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** What a decoder needs, colours and animation included (PNG, third edition). */
const KEPT_CHUNKS = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'sBIT',
  'bKGD',
  'pHYs',
  'acTL',
  'fcTL',
  'fdAT',
])

const stripPng = (bytes: Buffer, dropped: ReadonlySet<string> = NONE): Buffer => {
  const kept: Buffer[] = [bytes.subarray(0, 8)]
  let at = 8
  while (at + 12 <= bytes.length) {
    // The last chunk of a file that was cut off is shorter than it says.
    const end = Math.min(bytes.length, at + 12 + bytes.readUInt32BE(at))
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (KEPT_CHUNKS.has(type) && !dropped.has(type)) kept.push(bytes.subarray(at, end))
    at = end
    // Anything behind the end does not belong to the picture.
    if (type === 'IEND') break
  }
  return Buffer.concat(kept)
}

const NONE: ReadonlySet<string> = new Set()
const ANIMATION = new Set(['acTL', 'fcTL', 'fdAT'])
const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex')
const JPEG_END = Buffer.from([0xff, EOI])

/**
 * A PNG or JPEG picture as what is shown in place of another: without metadata, and with one frame, since others could
 * show what it hides.
 *
 * @returns undefined if it is neither, or not complete
 */
export const stillPicture = (bytes: Uint8Array, mediaType: string): Uint8Array | undefined => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [still, end] =
    mediaType === 'image/png' ? [stripPng(buffer, ANIMATION), PNG_END] : [stripJpeg(buffer), JPEG_END]
  const isKnown = mediaType === 'image/png' || mediaType === 'image/jpeg'
  return isKnown && still.subarray(-end.length).equals(end) ? still : undefined
}

const EXTENSION = 0x21
const IMAGE = 0x2c
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff

/** GIF89a: comments and application data go, except the one that repeats an animation. */
const stripGif = (bytes: Buffer): Uint8Array => {
  if (bytes.length < 13) return bytes
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + tableBytes(bytes[10] as number)
  const kept: Buffer[] = [bytes.subarray(0, at)]
  while (at < bytes.length) {
    const start = at
    if (bytes[at] === EXTENSION && at + 2 < bytes.length) {
      const label = bytes[at + 1]
      at = endOfBlocks(bytes, at + 2)
      const isLoop = label === APPLICATION && bytes.toString('latin1', start + 3, start + 14) === 'NETSCAPE2.0'
      if (label === GRAPHIC_CONTROL || isLoop) kept.push(bytes.subarray(start, at))
    } else if (bytes[at] === IMAGE && at + 10 < bytes.length) {
      at = endOfBlocks(bytes, at + 10 + tableBytes(bytes[at + 9] as number) + 1)
      kept.push(bytes.subarray(start, at))
    } else {
      kept.push(Buffer.from([0x3b]))
      break
    }
  }
  return Buffer.concat(kept)
}

/** Blocks with their lengths, up to an empty one. */
const endOfBlocks = (bytes: Buffer, from: number): number => {
  let at = from
  while (at < bytes.length) {
    const size = bytes[at] as number
    at += size + 1
    if (size === 0) return at
  }
  return bytes.length
}

/** Pixels, transparency, animation and colours (RFC 9649, section 2.7). */
const KEPT_WEBP = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Flags of `VP8X` for EXIF and XMP (RFC 9649, section 2.7.1). */
const METADATA_FLAGS = 0b0000_1100

const stripWebp = (bytes: Buffer): Uint8Array => {
  const kept: Buffer[] = [Buffer.from(bytes.subarray(0, 12))]
  const limit = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  let at = 12
  while (at + 8 <= limit) {
    const size = bytes.readUInt32LE(at + 4)
    const end = Math.min(limit, at + 8 + size + (size % 2))
    const type = bytes.toString('latin1', at, at + 4)
    const chunk = Buffer.from(bytes.subarray(at, end))
    if (type === 'VP8X' && chunk.length > 8) chunk[8] = (chunk[8] as number) & ~METADATA_FLAGS
    if (KEPT_WEBP.has(type)) kept.push(chunk)
    at = end
  }
  const stripped = Buffer.concat(kept)
  stripped.writeUInt32LE(stripped.length - 8, 4)
  return stripped
}
