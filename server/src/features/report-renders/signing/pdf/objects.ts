/** A PDF file as the compiler writes it: one table of objects, none of them in a stream. */
export interface PdfObjects {
  /** The lines before the first object. */
  header: Buffer
  /** By number, from `1 0 obj` to `endobj`. */
  objects: Map<number, Buffer>
  /** The entries of the trailer, without its brackets. */
  trailer: string
}

const ENTRY_BYTES = 20
/** Bytes at the end of a file within which `startxref` is. */
const TAIL_BYTES = 1_024

/** @throws for a file with another structure: the compiler has changed what it writes */
export const readPdfObjects = (bytes: Uint8Array): PdfObjects => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tail = file.subarray(Math.max(0, file.length - TAIL_BYTES)).toString('latin1')
  const start = Number.parseInt(tail.slice(tail.lastIndexOf('startxref') + 'startxref'.length).trim(), 10)
  const end = file.lastIndexOf('startxref')
  const trailerAt = file.lastIndexOf('trailer', end)
  if (!Number.isInteger(start) || trailerAt < start) throw new Error('a PDF file without one table of objects')
  const [keyword = '', range = ''] = file
    .subarray(start, start + 100)
    .toString('latin1')
    .split('\n')
  const [first, count] = range.trim().split(' ').map(Number)
  if (keyword.trim() !== 'xref' || first !== 0 || count === undefined)
    throw new Error('a PDF file with another table of objects')
  const entries = start + keyword.length + range.length + 2
  const places = Array.from({ length: count }, (_, number) => {
    const entry = file.subarray(entries + number * ENTRY_BYTES, entries + (number + 1) * ENTRY_BYTES).toString('latin1')
    return { number, offset: Number.parseInt(entry, 10), isUsed: entry[17] === 'n' }
  })
    .filter(({ isUsed }) => isUsed)
    .toSorted((one, other) => one.offset - other.offset)
  const objects = new Map(
    places.map(({ number, offset }, index) => {
      const object = file.subarray(offset, places[index + 1]?.offset ?? start)
      if (!object.toString('latin1', 0, 20).startsWith(`${number} 0 obj`))
        throw new Error('an object is not at its place')
      return [number, object]
    }),
  )
  const trailer = file.subarray(trailerAt, end).toString('latin1')
  return {
    header: file.subarray(0, places[0]?.offset ?? start),
    objects,
    trailer: trailer.slice(trailer.indexOf('<<') + 2, trailer.lastIndexOf('>>')),
  }
}

/** Number of the object that an entry of a dictionary refers to. */
export const referenceIn = (dictionary: string, name: string): number => {
  const at = dictionary.indexOf(`/${name} `)
  const number = Number.parseInt(dictionary.slice(at + name.length + 2).replace('[', ''), 10)
  if (at < 0 || !Number.isInteger(number)) throw new Error(`no reference ${name} in a PDF file`)
  return number
}

/** A file of these objects, with a new table of them. */
export const writePdfObjects = ({ header, objects, trailer }: PdfObjects): Buffer => {
  const parts: Buffer[] = [header]
  const offsets = new Map<number, number>()
  let length = header.length
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  for (const [number, object] of [...objects].toSorted(([one], [other]) => one - other)) {
    offsets.set(number, length)
    add(object)
  }
  const size = Math.max(...objects.keys()) + 1
  const table = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number)
    return offset === undefined ? '0000000000 65535 f\r\n' : `${String(offset).padStart(10, '0')} 00000 n\r\n`
  })
  const start = length
  add(
    Buffer.from(
      `xref\n0 ${size}\n${table.join('')}trailer\n<<${sized(trailer, size)}>>\nstartxref\n${start}\n%%EOF`,
      'latin1',
    ),
  )
  return Buffer.concat(parts)
}

const sized = (trailer: string, size: number): string => trailer.replace(/\/Size \d{1,10}/, `/Size ${size}`)
