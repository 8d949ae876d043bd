import { crc32, deflateRawSync } from 'node:zlib'

/** One entry of a ZIP; omitted fields are as an honest writer has them. */
export interface ZipEntry {
  /** Bytes if they are not UTF-8. */
  name: string | Uint8Array
  data?: string | Uint8Array
  /** Upper half of the external attributes: type and mode, as Unix has them. */
  mode?: number
  flags?: number
  method?: number
  crc?: number
  /** The size that the ZIP states. */
  size?: number
  /** Extra fields of the directory. */
  extra?: Uint8Array
  /** Only in the directory, with the bytes of the entry at this index. */
  sharedWith?: number
}

/** A ZIP built by hand, so that it can contain false statements. */
export const zipFrom = (entries: readonly ZipEntry[], comment = ''): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  let offset = 0
  for (const {
    name,
    data = '',
    mode = 0o100_644,
    flags = 0x800,
    method = 8,
    crc,
    size,
    extra = Buffer.alloc(0),
    sharedWith,
  } of entries) {
    const [raw, fileName] = [Buffer.from(data), Buffer.from(name)]
    const packed = method === 8 ? deflateRawSync(raw) : raw
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc ?? crc32(raw), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size ?? raw.length, 18)
    common.writeUInt16LE(fileName.length, 22)
    offsets.push(sharedWith === undefined ? offset : (offsets[sharedWith] as number))
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offsets.at(-1) as number, 10)
    const named = Buffer.from(common)
    named.writeUInt16LE(extra.length, 24)
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), named, rest, fileName, Buffer.from(extra))
    if (sharedWith !== undefined) continue
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, fileName, packed)
    offset += 30 + fileName.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Math.min(entries.length, 0xff_ff), 4)
  end.writeUInt16LE(Math.min(entries.length, 0xff_ff), 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06', 'latin1'), end, Buffer.from(comment)])
}

/** An honest ZIP of these files. */
export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  zipFrom(Object.entries(files).map(([name, data]) => ({ name, data })))
