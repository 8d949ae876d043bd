import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { ApiError, invalid } from '../../../platform/errors.ts'

const MIB = 1024 * 1024
const MAX_ENTRIES = 5_000
/** Of all entries together, unpacked. */
export const MAX_UNPACKED_BYTES = 200 * MIB
/** Unpacked bytes for each of the ZIP. */
const MAX_RATIO = 100
const MAX_PATH_LENGTH = 4_096
const MAX_PATH_PARTS = 60
/** Kinds of entries in the upper half of the attributes, as Unix writes them; 0 where another system wrote. */
const TYPE_BITS = 0o170_000
const PLAIN_TYPES = new Set([0, 0o100_000, 0o040_000])

export interface ArchiveFile {
  /** As in the ZIP, NFC. */
  path: string
  entry: Entry
}

export interface Archive {
  files: ArchiveFile[]
  skipped: { path: string; reason: string }[]
  /**
   * The bytes of an entry, unpacked while they are read.
   *
   * @throws ApiError VALIDATION_ERROR where they are not as many as the ZIP says, `DamagedEntry` where they are not those
   */
  open(file: ArchiveFile): AsyncIterable<Buffer>
  close(): void
}

/** An entry that cannot be read; the others can. */
export class DamagedEntry extends Error {}

/**
 * Looks through a ZIP before anything of it is unpacked.
 *
 * @param size bytes of the ZIP
 * @throws ApiError VALIDATION_ERROR for what no honest ZIP of pages has; the whole is refused
 */
export const openArchive = async (file: string, size: number): Promise<Archive> => {
  const zip = await orRefuse(() => yauzl.openPromise(file, { autoClose: false, strictFileNames: true }))
  try {
    const found = await orRefuse(() => readEntries(zip, size))
    return { ...found, open: ({ entry }) => bytesOf(zip, entry), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** What the library says about a ZIP is about its bytes: there is no other reason to refuse. */
const orRefuse = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw invalid(`The ZIP cannot be read: ${(error as Error).message.slice(0, 200)}`)
  }
}

const readEntries = async (zip: ZipFile, size: number) => {
  if (zip.entryCount > MAX_ENTRIES) throw invalid(`The ZIP has more than ${MAX_ENTRIES} entries.`)
  const files: ArchiveFile[] = []
  const skipped: Archive['skipped'] = []
  const seen = new Set<string>()
  let [count, unpacked] = [0, 0]
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize
    if (++count > MAX_ENTRIES) throw invalid(`The ZIP has more than ${MAX_ENTRIES} entries.`)
    if (unpacked > MAX_UNPACKED_BYTES) throw invalid(`The ZIP has more than ${MAX_UNPACKED_BYTES / MIB} MiB unpacked.`)
    requireHarmless(entry)
    const path = entry.fileName.normalize('NFC')
    if (path.endsWith('/')) continue
    const reason = seen.has(path.toLowerCase()) ? 'is there twice' : entry.canDecodeFileData() ? undefined : 'is packed in a way that is not known here'
    seen.add(path.toLowerCase())
    if (reason === undefined) files.push({ path, entry })
    else skipped.push({ path, reason })
  }
  if (unpacked > size * MAX_RATIO) throw invalid(`The ZIP unpacks to more than ${MAX_RATIO} times its size.`)
  return { files, skipped }
}

/** Absolute paths, those with `..` or a backslash are refused by the library. */
const requireHarmless = (entry: Entry): void => {
  const { fileName } = entry
  const shown = JSON.stringify(fileName.slice(0, 100))
  if (fileName.includes('\0') || /^[A-Za-z]:/.test(fileName)) throw invalid(`The ZIP has a path that leaves it: ${shown}.`)
  if (fileName.length > MAX_PATH_LENGTH || fileName.split('/').length > MAX_PATH_PARTS) throw invalid(`The ZIP has a path that is too long: ${shown}.`)
  if (!PLAIN_TYPES.has((entry.externalFileAttributes >>> 16) & TYPE_BITS)) throw invalid(`The ZIP has a link or a device: ${shown}.`)
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
    // The library counts: more or fewer bytes than the ZIP says are a lie about its size.
    if (/bytes in the stream|too many bytes|not enough bytes/i.test(message))
      throw invalid(`The ZIP is not true about the size of ${JSON.stringify(entry.fileName.slice(0, 100))}.`)
    throw new DamagedEntry('is damaged', { cause: error })
  }
  if (size !== entry.uncompressedSize) throw invalid(`The ZIP is not true about the size of ${JSON.stringify(entry.fileName.slice(0, 100))}.`)
  if (sum !== entry.crc32) throw new DamagedEntry('is damaged')
}
