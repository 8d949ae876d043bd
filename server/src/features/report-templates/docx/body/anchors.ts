import { createHash } from 'node:crypto'

/**
 * Marks in the XML of a part while it is written. Texts cannot contain these characters: XML forbids them, and
 * `escapeXml` replaces them.
 */
const START = '\u0001'
const END = '\u0002'
const NEXT = '\u0003'

/** The bookmark of an anchor: Word allows 40 letters, digits and underscores. */
export const bookmarkOf = (anchor: string): string =>
  `_Ref${createHash('sha256').update(anchor).digest('hex').slice(0, 16)}`

/** A bookmark around what references repeat, or without content as the target of a link. */
export const bookmark = (name: string, content: string): string =>
  `${START}B${name}${END}${content}${START}E${name}${END}`

/** In the middle of a run: the bookmark is set before the run. */
export const bookmarkBeforeRun = (name: string): string => `${START}P${name}${END}`

/** Fills the cell around it. */
export const cellColor = (hex: string): string => `${START}C${hex}${END}`

/** A reference in the three forms that it can take. */
export interface Reference {
  /** The name of the bookmark. */
  name: string
  text: string
  asField: string
  asLink: string
  asText: string
}

/** Becomes a field or a link if the bookmark exists in the end, and text otherwise. */
export const referenceMarker = ({ name, text, asField, asLink, asText }: Reference): string =>
  [
    `${START}R${name}`,
    asField,
    asLink,
    asText,
    text === '' ? '' : START_OF_TEXT + Buffer.from(text).toString('hex'),
  ].join(NEXT) + END

const START_OF_TEXT = 'x'

/** Numbers of bookmarks and pictures, unique in a document. */
export interface Ids {
  next(): number
}

/** @returns the XML with bookmarks, references and colored cells in place of the marks */
export const resolveMarks = (xml: string, ids: Ids): string => {
  const seen = new Map<string, string>()
  const placed = placeBookmarks(xml, ids, seen)
  return colorCells(placeReferences(placed, seen))
}

/** The text of XML, for a comparison with the text of a reference. */
const plainText = (xml: string): string =>
  xml
    .split('<w:t')
    .slice(1)
    .filter((piece) => piece.startsWith('>') || piece.startsWith(' '))
    .map((piece) => piece.slice(piece.indexOf('>') + 1, piece.indexOf('</w:t>')))
    .join('')

/** The first one with a name counts; a template may insert a text twice. */
const placeBookmarks = (xml: string, ids: Ids, seen: Map<string, string>): string => {
  const [start = '', ...pieces] = xml.split(START)
  /** Ids of bookmarks that have begun and not ended. */
  const open = new Map<string, number>()
  let result = start
  for (const piece of pieces) {
    const kind = piece.slice(0, 1)
    if (kind !== 'B' && kind !== 'E' && kind !== 'P') {
      result += START + piece
      continue
    }
    const end = piece.indexOf(END)
    const name = piece.slice(1, end)
    const id = open.get(name)
    if (kind === 'E') {
      if (id !== undefined) result += `<w:bookmarkEnd w:id="${id}"/>`
      open.delete(name)
    } else if (!seen.has(name)) {
      const next = ids.next()
      const mark = `<w:bookmarkStart w:id="${next}" w:name="${name}"/>`
      if (kind === 'B') {
        open.set(name, next)
        result += mark
        seen.set(name, plainText(xml.slice(xml.indexOf(`${START}B${name}`), xml.indexOf(`${START}E${name}`))))
      } else {
        const run = Math.max(result.lastIndexOf('<w:r>'), result.lastIndexOf('<w:r '))
        result = `${result.slice(0, run)}${mark}<w:bookmarkEnd w:id="${next}"/>${result.slice(run)}`
        seen.set(name, '')
      }
    }
    result += piece.slice(end + 1)
  }
  return result
}

const placeReferences = (xml: string, seen: ReadonlyMap<string, string>): string => {
  const [start = '', ...rest] = xml.split(`${START}R`)
  const placed = rest.map((piece) => {
    const end = piece.indexOf(END)
    const [name = '', asField = '', asLink = '', asText = '', hex = ''] = piece.slice(0, end).split(NEXT)
    const bookmarked = seen.get(name)
    // Word renews fields when it opens the document: the words must be those of the bookmark.
    const isSame = bookmarked !== undefined && hex === START_OF_TEXT + Buffer.from(bookmarked).toString('hex')
    return (bookmarked === undefined ? asText : isSame ? asField : asLink) + piece.slice(end + 1)
  })
  return start + placed.join('')
}

const colorCells = (xml: string): string => {
  const [start = '', ...rest] = xml.split(`${START}C`)
  let result = start
  for (const piece of rest) {
    const end = piece.indexOf(END)
    result = fillCell(result, piece.slice(0, end)) + piece.slice(end + 1)
  }
  return result
}

/** @param xml up to a place within a cell */
const fillCell = (xml: string, hex: string): string => {
  const cell = Math.max(xml.lastIndexOf('<w:tc>'), xml.lastIndexOf('<w:tc '))
  if (cell === -1 || xml.lastIndexOf('</w:tc>') > cell) return xml
  const shading = `<w:shd w:val="clear" w:color="auto" w:fill="${hex}"/>`
  const inside = xml.indexOf('>', cell) + 1
  if (!xml.startsWith('<w:tcPr', inside))
    return `${xml.slice(0, inside)}<w:tcPr>${shading}</w:tcPr>${xml.slice(inside)}`
  if (xml.startsWith('<w:tcPr/>', inside))
    return `${xml.slice(0, inside)}<w:tcPr>${shading}</w:tcPr>${xml.slice(inside + '<w:tcPr/>'.length)}`
  const close = xml.indexOf('</w:tcPr>', inside)
  return xml.slice(0, inside) + withShading(xml.slice(inside, close), shading) + xml.slice(close)
}

/** Elements of `w:tcPr` that follow `w:shd`. */
const AFTER_SHADING = ['<w:noWrap', '<w:tcMar', '<w:textDirection', '<w:tcFitText', '<w:vAlign', '<w:hideMark']

const withShading = (properties: string, shading: string): string => {
  const old = properties.indexOf('<w:shd')
  if (old !== -1) return properties.slice(0, old) + shading + properties.slice(properties.indexOf('>', old) + 1)
  const after = AFTER_SHADING.map((name) => properties.indexOf(name)).filter((at) => at !== -1)
  const at = after.length > 0 ? Math.min(...after) : properties.length
  return properties.slice(0, at) + shading + properties.slice(at)
}
