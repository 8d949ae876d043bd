import { inflateRawSync } from 'node:zlib'

/** Parts of a Word document by name. */
export type Parts = Map<string, Uint8Array>

const MAX_ENTRIES = 2_000
/** Bytes of all parts together. */
export const MAX_UNPACKED = 200 * 1024 * 1024

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const MAX_COMMENT = 65_535
const STORED = 0
const DEFLATED = 8
/** Encrypted, or patched, or with a masked directory. */
const REFUSED_FLAGS = 0x2061

/** The bytes are not a ZIP file that this reader accepts; its message says why. */
export class BadZip extends Error {}
/** The ZIP file unpacks to more than it may. */
export class ZipTooLarge extends Error {}

/**
 * Unpacks a ZIP file whose size is limited, whatever its directory says.
 *
 * @throws BadZip, ZipTooLarge
 */
export const readZip = (bytes: Uint8Array): Parts => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return readEntries(file)
  } catch (error) {
    if (error instanceof BadZip || error instanceof ZipTooLarge) throw error
    // Offsets that lead out of the file, and streams that do not inflate.
    throw new BadZip('it is damaged', { cause: error })
  }
}

const readEntries = (file: Buffer): Parts => {
  const end = findEnd(file)
  const count = file.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) throw new ZipTooLarge()
  let at = file.readUInt32LE(end + 16)
  const parts: Parts = new Map()
  let unpacked = 0
  for (let index = 0; index < count; index++) {
    if (file.readUInt32LE(at) !== CENTRAL) throw new BadZip('its directory is damaged')
    const nameLength = file.readUInt16LE(at + 28)
    const name = file.toString('utf8', at + 46, at + 46 + nameLength)
    if ((file.readUInt16LE(at + 8) & REFUSED_FLAGS) !== 0) throw new BadZip('it is encrypted')
    const entry = {
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      size: file.readUInt32LE(at + 24),
      local: file.readUInt32LE(at + 42),
    }
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
    if (name.endsWith('/')) continue
    requirePlainName(name, parts)
    unpacked += entry.size
    if (unpacked > MAX_UNPACKED) throw new ZipTooLarge()
    parts.set(name, unpack(file, entry))
  }
  return parts
}

const findEnd = (file: Buffer): number => {
  const first = Math.max(0, file.length - END_BYTES - MAX_COMMENT)
  for (let at = file.length - END_BYTES; at >= first; at--) if (file.readUInt32LE(at) === END) return at
  throw new BadZip('it is not a ZIP file')
}

const requirePlainName = (name: string, parts: Parts): void => {
  const isPlain = !name.startsWith('/') && !name.includes('\\') && !name.split('/').includes('..')
  if (!isPlain || name === '') throw new BadZip('a part has a name that leads elsewhere')
  if (parts.has(name)) throw new BadZip(`it has two parts with the name ${name}`)
}

interface Entry {
  method: number
  packed: number
  size: number
  local: number
}

const unpack = (file: Buffer, { method, packed, size, local }: Entry): Uint8Array => {
  if (file.readUInt32LE(local) !== LOCAL) throw new BadZip('an entry is damaged')
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
  if (start + packed > file.length) throw new BadZip('it ends too early')
  const data = file.subarray(start, start + packed)
  if (method === STORED && packed === size) return data
  if (method !== DEFLATED) throw new BadZip('an entry is packed in an unknown way')
  if (size === 0) return new Uint8Array()
  // Inflating stops at the size that the directory states, which counts against the limit.
  const content = inflateRawSync(data, { maxOutputLength: size })
  if (content.length !== size) throw new BadZip('an entry has another size than its directory states')
  return content
}
