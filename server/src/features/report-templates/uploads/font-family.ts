const TRUE_TYPE = [0x00010000, 0x74727565]
const OPEN_TYPE = 0x4f54544f
const NAME_TABLE = 0x6e616d65
/** The family that groups all weights, and the one of a single style. */
const [TYPOGRAPHIC_FAMILY, FAMILY] = [16, 1]
const [WINDOWS, UNICODE, MACINTOSH] = [3, 0, 1]
const ENGLISH_OF_WINDOWS = 0x0409
const MAX_TABLES = 200
const MAX_NAMES = 2_000
const MAX_FAMILY = 100

/** The family name of a TTF or OTF font, from its table of names; undefined for any other file. */
export const familyOf = (bytes: Uint8Array): string | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const signature = view.getUint32(0)
    if (!TRUE_TYPE.includes(signature) && signature !== OPEN_TYPE) return undefined
    const table = nameTable(view)
    return table === undefined ? undefined : bestName(view, table)
  } catch (error) {
    // An offset that leads out of the file.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const nameTable = (view: DataView): number | undefined => {
  const count = Math.min(view.getUint16(4), MAX_TABLES)
  for (let index = 0; index < count; index++) {
    const at = 12 + index * 16
    if (view.getUint32(at) === NAME_TABLE) return view.getUint32(at + 8)
  }
  return undefined
}

interface Name {
  text: string
  weight: number
}

const bestName = (view: DataView, table: number): string | undefined => {
  const count = Math.min(view.getUint16(table + 2), MAX_NAMES)
  const texts = table + view.getUint16(table + 4)
  const names: Name[] = []
  for (let index = 0; index < count; index++) {
    const at = table + 6 + index * 12
    const [platform, language, name] = [view.getUint16(at), view.getUint16(at + 4), view.getUint16(at + 6)]
    if (name !== TYPOGRAPHIC_FAMILY && name !== FAMILY) continue
    const start = texts + view.getUint16(at + 10)
    const text = decode(view, platform, start, view.getUint16(at + 8))
    const isEnglish = platform === WINDOWS ? language === ENGLISH_OF_WINDOWS : language === 0
    const weight = (name === TYPOGRAPHIC_FAMILY ? 4 : 0) + (isEnglish ? 2 : 0) + (platform === WINDOWS ? 1 : 0)
    if (text !== undefined) names.push({ text, weight })
  }
  return names.toSorted((a, b) => b.weight - a.weight)[0]?.text
}

const decode = (view: DataView, platform: number, start: number, length: number): string | undefined => {
  let text = ''
  if (platform === WINDOWS || platform === UNICODE)
    for (let at = start; at + 1 < start + length; at += 2) text += String.fromCharCode(view.getUint16(at))
  else if (platform === MACINTOSH)
    for (let at = start; at < start + length; at++) text += String.fromCharCode(view.getUint8(at))
  const name = text.toWellFormed().trim()
  const isName = name !== '' && name.length <= MAX_FAMILY && !/\p{Cc}/u.test(name)
  return isName ? name : undefined
}
