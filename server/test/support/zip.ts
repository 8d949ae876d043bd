import { crc32, deflateRawSync } from 'node:zlib'

/** One entry of a ZIP; whatever is left out is as an honest writer has it. */
export interface ZipEntry {
  name: string
  data?: string | Uint8Array
  /** Upper half of the external attributes: type and mode, as Unix has them. */
  mode?: number
  flags?: number
  method?: number
  crc?: number
  /** As the ZIP says. */
  size?: number
}

/** A ZIP put together by hand, so that it can say what is not so. */
export const zipFrom = (entries: readonly ZipEntry[]): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data = '', mode = 0o100_644, flags = 0x800, method = 8, crc, size } of entries) {
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
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, fileName, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, fileName)
    offset += 30 + fileName.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** An honest ZIP of these files. */
export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>): Buffer => zipFrom(Object.entries(files).map(([name, data]) => ({ name, data })))
