import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { ApiError, invalid } from '../../../platform/errors.ts'

const MIB = 1024 * 1024
const MAX_ENTRIES = 5_000
/** For our exports, which a comment in the ZIP marks: an export may contain as much as a wiki. */
export const MAX_EXPORTED_ENTRIES = 20_000
export const EXPORT_COMMENT = 'Wiki of Sortie'
/** Limit for all entries together, unpacked. */
export const MAX_UNPACKED_BYTES = 200 * MIB
/** All texts are in memory together until they are stored; files are not. */
export const MAX_TEXT_BYTES = 64 * MIB
/** Maximum ratio of unpacked to packed bytes. */
const MAX_RATIO = 100
const MAX_PATH_LENGTH = 4_096
const MAX_PATH_PARTS = 60
/** Maximum characters per part of a path, as in file systems. */
const MAX_PART_LENGTH = 255
/**
 * Maximum consecutive combining marks in a name; our exports have up to 80. Normalizing them takes quadratic time
 * (abuse case I15, finding T20).
 */
const MAX_MARKS = 100
/** Unix file types, in the upper half of the attributes; 0 if another system wrote them. */
const TYPE_BITS = 0o170_000
const PLAIN_TYPES = new Set([0, 0o100_000, 0o040_000])

export interface ArchiveFile {
  /** The path in the ZIP, NFC-normalised. */
  path: string
  entry: Entry
}

export interface Archive {
  files: ArchiveFile[]
  skipped: { path: string; reason: string }[]
  /**
   * The bytes of an entry, unpacked while they are read.
   *
   * @throws ApiError VALIDATION_ERROR if their number differs from the size in the ZIP, `DamagedEntry` if they are
   *   damaged
   */
  open(file: ArchiveFile): AsyncIterable<Buffer>
  close(): void
}

/** An entry that cannot be read; the others can. */
export class DamagedEntry extends Error {}

/**
 * Checks all entries of a ZIP before any of it is unpacked.
 *
 * @param size bytes of the ZIP
 * @throws ApiError VALIDATION_ERROR for anything that no legitimate ZIP of pages contains; the whole ZIP is refused
 */
export const openArchive = async (file: string, size: number): Promise<Archive> => {
  const zip = await orRefuse(() => yauzl.openPromise(file, { autoClose: false, strictFileNames: false }))
  try {
    const found = await orRefuse(() => readEntries(zip, size))
    return { ...found, open: ({ entry }) => bytesOf(zip, entry), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Errors of the library are about the bytes of the ZIP: all of them become refusals. */
const orRefuse = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw invalid(`The ZIP cannot be read: ${(error as Error).message.slice(0, 200)}`)
  }
}

/** Why an import would refuse an export. */
export const whyTooLarge = ({
  entries,
  bytes,
  textBytes,
}: {
  entries: number
  bytes: number
  textBytes: number
}): string | undefined => {
  if (entries > MAX_EXPORTED_ENTRIES) return `It has ${entries} entries; an import takes ${MAX_EXPORTED_ENTRIES}.`
  if (textBytes > MAX_TEXT_BYTES) return `Its texts have ${inMib(textBytes)}; an import takes ${inMib(MAX_TEXT_BYTES)}.`
  return bytes > MAX_UNPACKED_BYTES
    ? `It has ${inMib(bytes)}; an import takes ${inMib(MAX_UNPACKED_BYTES)}.`
    : undefined
}

const inMib = (bytes: number): string => `${Math.ceil(bytes / MIB)} MiB`

const readEntries = async (zip: ZipFile, size: number) => {
  const maxEntries = zip.comment === EXPORT_COMMENT ? MAX_EXPORTED_ENTRIES : MAX_ENTRIES
  const tooMany = () => invalid(`The ZIP has more than ${maxEntries} entries.`)
  if (zip.entryCount > maxEntries) throw tooMany()
  const ranges: [from: number, to: number][] = []
  const files: ArchiveFile[] = []
  const skipped: Archive['skipped'] = []
  const seen = new Set<string>()
  let [count, unpacked] = [0, 0]
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize
    if (++count > maxEntries) throw tooMany()
    if (unpacked > MAX_UNPACKED_BYTES) throw invalid(`The ZIP has more than ${MAX_UNPACKED_BYTES / MIB} MiB unpacked.`)
    const fileName = nameOf(entry)
    requireHarmless(entry, fileName)
    const from = entry.relativeOffsetOfLocalHeader
    ranges.push([from, from + LOCAL_HEADER + entry.fileNameLength + entry.compressedSize])
    if (fileName.endsWith('/')) continue
    const path = pathOf(fileName)
    if (path === '') {
      skipped.push({ path: fileName, reason: 'has no name' })
      continue
    }
    const reason = seen.has(path.toLowerCase())
      ? 'occurs twice'
      : entry.canDecodeFileData()
        ? undefined
        : 'uses an unsupported compression method'
    seen.add(path.toLowerCase())
    if (reason === undefined) files.push({ path, entry })
    else skipped.push({ path, reason })
  }
  if (doOverlap(ranges)) throw invalid('The ZIP has entries that overlap.')
  if (unpacked > size * MAX_RATIO) throw invalid(`The ZIP unpacks to more than ${MAX_RATIO} times its size.`)
  return { files, skipped }
}

const pathOf = (fileName: string): string => {
  const parts = fileName.normalize('NFC').split('/')
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

/** Bytes before the name of an entry, at the offset of its data. */
const LOCAL_HEADER = 30

/** Several entries that share bytes unpack to many times the uploaded size. */
const doOverlap = (ranges: readonly [from: number, to: number][]): boolean =>
  ranges
    .toSorted(([a], [b]) => a - b)
    .some(([, to], index, sorted) => to > (sorted[index + 1]?.[0] ?? Number.POSITIVE_INFINITY))

const UTF8_FLAG = 0x800
/** A name in UTF-8 in addition to the one in the header. */
const UNICODE_PATH = 0x7075
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** macOS writes UTF-8 without the flag: a name that is valid UTF-8 is read as such, whatever the ZIP states. */
const nameOf = (entry: Entry): string => writtenName(entry).replaceAll('\\', '/')

const writtenName = ({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string => {
  if ((generalPurposeBitFlag & UTF8_FLAG) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH)) return fileName
  return decoded(utf8, fileNameRaw) ?? japaneseName(fileNameRaw) ?? fileName
}

const shiftJis = new TextDecoder('shift_jis', { fatal: true })
/** Several Japanese characters in a row: names in Western encodings have single letters with an accent. */
const JAPANESE = /[\u3041-\u30ff\u4e00-\u9fff\u3005\u3007]{2}/

/** Windows in Japanese writes names in Shift-JIS, without saying so. */
const japaneseName = (bytes: Buffer): string | undefined => {
  const name = decoded(shiftJis, bytes)
  return name !== undefined && JAPANESE.test(name) ? name : undefined
}

const decoded = (decoder: InstanceType<typeof TextDecoder>, bytes: Buffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** An old Unix field: after twelve bytes it has the target of a link. */
const UNIX_FIELD = { id: 0x000d, length: 12 }

const hasManyMarks = (text: string): boolean => {
  for (const [run] of text.matchAll(/\p{M}+/gu)) if (run.length > MAX_MARKS) return true
  return false
}

/** Absolute paths, and those with `..`, leave the archive; Windows writes backslashes between folders. */
const requireHarmless = (entry: Entry, fileName: string): void => {
  const shown = JSON.stringify(fileName.slice(0, 100))
  const leaves = fileName.startsWith('/') || fileName.split('/').includes('..')
  if (leaves || fileName.includes('\0') || /^[A-Za-z]:/.test(fileName))
    throw invalid(`The ZIP has a path that leaves it: ${shown}.`)
  const parts = fileName.split('/')
  const isTooLong =
    fileName.length > MAX_PATH_LENGTH ||
    parts.length > MAX_PATH_PARTS ||
    parts.some(({ length }) => length > MAX_PART_LENGTH)
  if (isTooLong) throw invalid(`The ZIP has a path that is too long: ${shown}.`)
  if (hasManyMarks(fileName))
    throw invalid(`The ZIP has a name with more than ${MAX_MARKS} combining marks in a row: ${shown}.`)
  const isLink = entry.extraFields.some(({ id, data }) => id === UNIX_FIELD.id && data.length > UNIX_FIELD.length)
  if (isLink || !PLAIN_TYPES.has((entry.externalFileAttributes >>> 16) & TYPE_BITS))
    throw invalid(`The ZIP has a link or a device: ${shown}.`)
  if (entry.isEncrypted()) throw invalid(`The ZIP has an encrypted entry: ${shown}.`)
}

async function* bytesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0
  let size = 0
  const stream = await orRefuse(() => zip.openReadStreamPromise(entry))
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      size += chunk.length
      yield chunk
    }
  } catch (error) {
    const { message } = error as Error
    // The library counts bytes: more or fewer than the ZIP states means a false size.
    if (/bytes in the stream|too many bytes|not enough bytes/i.test(message))
      throw invalid(`The ZIP states a wrong size for ${JSON.stringify(entry.fileName.slice(0, 100))}.`)
    throw new DamagedEntry('is damaged', { cause: error })
  }
  if (size !== entry.uncompressedSize)
    throw invalid(`The ZIP states a wrong size for ${JSON.stringify(entry.fileName.slice(0, 100))}.`)
  if (sum !== entry.crc32) throw new DamagedEntry('is damaged')
}
