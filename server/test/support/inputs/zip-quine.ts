import { crc32 } from 'node:zlib'

/** Its length makes `repeat` take exactly five bytes. */
const NAME = `${'q'.repeat(37)}.md`
const UNIT = 5

/**
 * A ZIP with one entry, which unpacks to the same ZIP: blocks of its deflate stream are copied unchanged (`literal`),
 * or repeated (`repeat`), as R. Cox describes in "Zip Files All The Way Down".
 */
export const zipQuine = (): Buffer => {
  const { length } = quineOf(0, 0)
  // The checksum is part of the bytes that it covers. Each of its bits always changes the same bits of it, so it is
  // solved for.
  const base = crc32(quineOf(0, length))
  const columns = Array.from({ length: 32 }, (_, bit) => (crc32(quineOf(2 ** bit, length)) ^ base ^ (2 ** bit)) >>> 0)
  return quineOf(solve(columns, base), length)
}

const quineOf = (crc: number, whole: number): Buffer => {
  const packed = Math.max(0, whole - 30 - 46 - 22 - 2 * NAME.length)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc, 10)
  common.writeUInt32LE(packed, 14)
  common.writeUInt32LE(whole, 18)
  common.writeUInt16LE(NAME.length, 22)
  const prefix = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(NAME)])
  const directory = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x03', 'latin1'),
    common,
    Buffer.alloc(14),
    Buffer.from(NAME),
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(30 + NAME.length + packed, 16)
  const tail = Buffer.concat([directory, end])
  const [no, one, four] = [literal(0), literal(UNIT), literal(4 * UNIT)]
  const first = prefix.length + UNIT
  const again = repeat(first)
  const repeatFour = repeat(4 * UNIT)
  const suffix = Buffer.concat([last(tail.length), tail])
  const lastLiteral = literal(suffix.length)
  const blocks = [
    [prefix],
    [literal(first), prefix, literal(first), again],
    [one, again, one, one],
    [four, again, one, one, four, repeatFour],
    [four, repeatFour, four, repeatFour, four, repeatFour],
    [four, no, no, repeatFour, lastLiteral],
    [no, no, repeatFour, lastLiteral, suffix],
    [suffix],
  ]
  return Buffer.concat(blocks.flat())
}

/** A stored block: the next bytes unchanged. */
const literal = (length: number): Buffer => {
  const block = Buffer.alloc(UNIT)
  block.writeUInt16LE(length, 1)
  block.writeUInt16LE(~length & 0xff_ff, 3)
  return block
}

/** Bits of a block with the fixed codes, from the lowest of each byte up. */
class Bits {
  readonly #bits: number[] = []
  /** Lowest bit first. */
  number(value: number, count: number): this {
    for (let bit = 0; bit < count; bit++) this.#bits.push((value >>> bit) & 1)
    return this
  }
  /** Highest bit first. */
  code(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit--) this.#bits.push((value >>> bit) & 1)
    return this
  }
  /** Repeats the bytes at this distance. */
  match(length: number, distance: number): this {
    const l = LENGTHS.findLastIndex(({ from }) => from <= length)
    const { from, extra } = LENGTHS[l] as (typeof LENGTHS)[number]
    const symbol = 257 + l
    if (symbol < 280) this.code(symbol - 256, 7)
    else this.code(0b1100_0000 + symbol - 280, 8)
    this.number(length - from, extra)
    const d = DISTANCES.findLastIndex((each) => each.from <= distance)
    const found = DISTANCES[d] as (typeof DISTANCES)[number]
    return this.code(d, 5).number(distance - found.from, found.extra)
  }
  get count(): number {
    return this.#bits.length
  }
  bytes(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8))
    for (const [at, bit] of this.#bits.entries()) bytes[at >>> 3] = (bytes[at >>> 3] as number) | (bit << (at & 7))
    return bytes
  }
}

/** Codes of lengths and distances: the first of each, and the number of extra bits. */
const codes = (first: number, count: number, same: number): { from: number; extra: number }[] => {
  let from = first
  return Array.from({ length: count }, (_, index) => {
    const extra = Math.max(0, Math.floor(index / same) - 1)
    const code = { from, extra }
    from += 2 ** extra
    return code
  })
}
const LENGTHS = codes(3, 28, 4)
const DISTANCES = codes(1, 30, 2)

/** Repeats the last bytes, by a block of exactly five bytes. */
const repeat = (length: number): Buffer => {
  const bits = new Bits().number(0b010, 3)
  if (length === 4 * UNIT) bits.match(length / 2, length).match(length / 2, length)
  // The last byte of the repeated ones, that of a `literal`, takes a code of nine bits.
  else bits.match(length - 1, length).code(0b1_1001_0000 + 0xff - 144, 9)
  bits.code(0, 7)
  if (bits.count !== 8 * UNIT) throw new Error(`a repetition of ${length} takes ${bits.count} bits`)
  return bits.bytes()
}

/** The last block: repeats itself and what follows it. */
const last = (following: number): Buffer => {
  const block = (own: number): Buffer => {
    const [whole, half] = [own + following, (own + following) >>> 1]
    return new Bits()
      .number(0b011, 3)
      .match(half, whole)
      .match(whole - half, whole)
      .code(0, 7)
      .bytes()
  }
  const { length } = block(6)
  return block(length)
}

/** The number whose bits choose the columns that together are `wanted`. */
const solve = (columns: readonly number[], wanted: number): number => {
  const rows = Array.from({ length: 32 }, (_, row) => ({
    bits: columns.reduce((sum, column, at) => (((column >>> row) & 1) === 1 ? (sum | (2 ** at)) >>> 0 : sum), 0),
    value: (wanted >>> row) & 1,
  }))
  for (let at = 0; at < 32; at++) {
    const pivot = rows.findIndex(({ bits }, row) => row >= at && ((bits >>> at) & 1) === 1)
    if (pivot < 0) throw new Error('this name has no checksum')
    ;[rows[at], rows[pivot]] = [rows[pivot] as (typeof rows)[0], rows[at] as (typeof rows)[0]]
    const { bits, value } = rows[at] as (typeof rows)[0]
    for (const [row, other] of rows.entries()) {
      if (row === at || ((other.bits >>> at) & 1) === 0) continue
      other.bits = (other.bits ^ bits) >>> 0
      other.value ^= value
    }
  }
  return rows.reduce((sum, { value }, at) => (value === 1 ? (sum | (2 ** at)) >>> 0 : sum), 0)
}
