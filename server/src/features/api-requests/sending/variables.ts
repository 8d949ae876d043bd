import { invalid } from '../../../platform/errors.ts'

/** Blanks around a name are few: no text makes this look far ahead. */
const VARIABLE = /\\?\{\{[ \t]{0,16}([A-Za-z_][A-Za-z0-9_.-]{0,63})[ \t]{0,16}\}\}/g
/** Of a text with its variables put in, in characters. */
const MAX_FILLED = 4_194_304

/** Makes values fit for their place; it is told everything that stands before them, piece by piece. */
interface Encoder {
  text(piece: string): void
  value(value: string): string
}

/** Puts values of variables into texts, once: a value is never looked at for more. */
export interface Variables {
  /** Names that were put in so far. */
  readonly used: ReadonlySet<string>
  /**
   * @param field names the text in a refusal
   * @throws ApiError VALIDATION_ERROR that names a variable which is not there, or for what becomes too long
   */
  fill(text: string, field: string, encoder?: Encoder): string
}

const AS_THEY_ARE: Encoder = { text: () => undefined, value: (value) => value }

export const createVariables = (values: Readonly<Record<string, string>>): Variables => {
  const used = new Set<string>()
  const fill: Variables['fill'] = (text, field, encoder = AS_THEY_ARE) => {
    const parts: string[] = []
    let length = 0
    const add = (part: string) => {
      length += part.length
      if (length > MAX_FILLED) throw invalid(`${field}: must have at most ${MAX_FILLED} characters once its variables are put in`)
      parts.push(part)
    }
    const addText = (piece: string) => {
      encoder.text(piece)
      add(piece)
    }
    let rest = 0
    for (const match of text.matchAll(VARIABLE)) {
      const [whole, name = ''] = match
      addText(text.slice(rest, match.index))
      rest = match.index + whole.length
      if (whole.startsWith('\\')) addText(whole.slice(1))
      else if (Object.hasOwn(values, name)) {
        used.add(name)
        add(encoder.value(values[name] as string))
      } else throw invalid(`${field}: there is no variable {{${name}}}`)
    }
    addText(text.slice(rest))
    return parts.join('')
  }
  return { used, fill }
}

/** A text with its variables as they are written; what is no variable goes through `map`, without the backslash that says so. */
export const keepVariables = (text: string, map: (piece: string) => string): string => {
  let kept = ''
  let rest = 0
  for (const { 0: whole, index } of text.matchAll(VARIABLE)) {
    kept += map(text.slice(rest, index)) + (whole.startsWith('\\') ? map(whole.slice(1)) : whole)
    rest = index + whole.length
  }
  return kept + map(text.slice(rest))
}

/** In a URL: as they are up to the end of the authority, percent-encoded behind it. */
export const inUrl = (): Encoder => {
  let start = ''
  let isBehind = false
  const look = (piece: string) => {
    if (isBehind) return
    start += piece
    isBehind = /^[^:/?#]*:\/\/[^/?#]*[/?#]/.test(start)
  }
  return {
    text: look,
    value: (value) => {
      if (isBehind) return encodeURIComponent(value)
      look(value)
      return value
    },
  }
}

/** In JSON: within a string as its content, elsewhere as they are. */
export const inJson = (): Encoder => {
  let isInString = false
  return {
    text: (piece) => {
      for (let at = 0; at < piece.length; at++) {
        if (isInString && piece[at] === '\\') at++
        else if (piece[at] === '"') isInString = !isInString
      }
    },
    value: (value) => (isInString ? JSON.stringify(value).slice(1, -1) : value),
  }
}
