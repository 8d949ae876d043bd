import { invalid } from '../../../../platform/errors.ts'

/** Limits blanks around a name, so that no text causes long lookahead. */
const VARIABLE = /\\?\{\{[ \t]{0,16}([A-Za-z_][A-Za-z0-9_.-]{0,63})[ \t]{0,16}\}\}/g
/** Per text after substitution, in characters. */
const MAX_FILLED = 4_194_304
/** Per request after substitution, over all texts, in characters (T4). */
const MAX_FILLED_IN_ALL = 8_388_608

/** Encodes values for their place; receives all text before them, piece by piece. */
interface Encoder {
  text(piece: string): void
  value(value: string): string
}

/** Substitutes variables once: values are not searched for further variables. */
export interface Variables {
  /** Names substituted so far. */
  readonly used: ReadonlySet<string>
  /** Number of secrets substituted so far: text with a secret is not sent to another origin. */
  readonly secretUses: number
  /**
   * @param field name of the text in error messages
   * @param max limit of the result, in characters
   * @throws ApiError VALIDATION_ERROR for an unknown variable (names it), or a result that is too long
   */
  fill(text: string, field: string, encoder?: Encoder, max?: number): string
}

const AS_THEY_ARE: Encoder = { text: () => undefined, value: (value) => value }

/** @param secrets names of the variables with secrets */
export const createVariables = (
  values: Readonly<Record<string, string>>,
  secrets: ReadonlySet<string> = new Set(),
): Variables => {
  const used = new Set<string>()
  let left = MAX_FILLED_IN_ALL
  let secretUses = 0
  const fill: Variables['fill'] = (text, field, encoder = AS_THEY_ARE, max = MAX_FILLED) => {
    const parts: string[] = []
    let length = 0
    const add = (part: string) => {
      length += part.length
      left -= part.length
      if (length > max) throw invalid(`${field}: must have at most ${max} characters once its variables are put in`)
      if (left < 0)
        throw invalid(
          `${field}: the request must have at most ${MAX_FILLED_IN_ALL} characters once its variables are put in`,
        )
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
        if (secrets.has(name)) secretUses++
        add(encoder.value(values[name] as string))
      } else throw invalid(`${field}: there is no variable {{${name}}}`)
    }
    addText(text.slice(rest))
    return parts.join('')
  }
  return {
    used,
    get secretUses() {
      return secretUses
    },
    fill,
  }
}

/** Keeps variables as written, and maps the other text, without the backslash of an escaped variable. */
export const keepVariables = (text: string, map: (piece: string) => string): string => {
  let kept = ''
  let rest = 0
  for (const { 0: whole, index } of text.matchAll(VARIABLE)) {
    kept += map(text.slice(rest, index)) + (whole.startsWith('\\') ? map(whole.slice(1)) : whole)
    rest = index + whole.length
  }
  return kept + map(text.slice(rest))
}

/**
 * A text with a word of letters in place of each variable, which no encoder changes, and what puts the variables back.
 */
export const setAside = (text: string) => {
  const variables: string[] = []
  let word = 'variable'
  while (text.toLowerCase().includes(word)) word += 'x'
  const aside = text.replace(VARIABLE, (whole) => {
    if (whole.startsWith('\\')) return whole.slice(1)
    variables.push(whole)
    return word
  })
  let next = 0
  return {
    text: aside,
    hasAside: (part: string): boolean => part.includes(word),
    restore: (changed: string): string => changed.replaceAll(word, (whole) => variables[next++] ?? whole),
  }
}

/** A text with another in place of each variable. */
export const withVariables = (text: string, replacement: string): string =>
  text.replace(VARIABLE, (whole) => (whole.startsWith('\\') ? whole.slice(1) : replacement))

/** The names of the variables in a text, without escaped ones. */
export const variableNames = (text: string): string[] =>
  [...text.matchAll(VARIABLE)].flatMap(([whole, name]) => (whole.startsWith('\\') || name === undefined ? [] : [name]))

export const hasVariable = (text: string): boolean => variableNames(text).length > 0

/** The part of a URL at the next character; `elsewhere`: the text does not start with a scheme and `//`. */
type UrlPlace = 'scheme' | 'colon' | 'slash' | 'authority' | 'behind' | 'elsewhere'

const nextPlace = (place: UrlPlace, character: string): UrlPlace => {
  if (place === 'scheme') return character === ':' ? 'colon' : '/?#'.includes(character) ? 'elsewhere' : 'scheme'
  if (place === 'colon') return character === '/' ? 'slash' : 'elsewhere'
  if (place === 'slash') return character === '/' ? 'authority' : 'elsewhere'
  if (place === 'authority') return '/?#'.includes(character) ? 'behind' : 'authority'
  return place
}

/**
 * Encoder for URLs: unchanged up to the end of the authority, percent-encoded after it. Reads each character once (T1).
 */
export const inUrl = (): Encoder => {
  let place: UrlPlace = 'scheme'
  const read = (piece: string) => {
    for (let at = 0; at < piece.length && place !== 'behind' && place !== 'elsewhere'; at++)
      place = nextPlace(place, piece[at] as string)
  }
  return {
    text: read,
    value: (value) => {
      if (place === 'behind') return encodeURIComponent(value)
      read(value)
      return value
    },
  }
}

/** Encoder for JSON: escaped inside a string, unchanged elsewhere. */
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
