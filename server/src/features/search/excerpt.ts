import { folded, isAscii } from '../../platform/search/words.ts'

/** A part of a text; plain text, never markup. */
export interface Piece {
  text: string
  match: boolean
}

/** Maximum length of the shown part, in UTF-16 units. */
const MAX_LENGTH = 200
/** Shown before the first match. */
const LEAD = 60
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Standalone accents split a word; the parts after them also match. */
const JOINTS = /[^\p{L}\p{N}]+/u

/** Runs in its own thread. Returns the start of the text if nothing matches, for instance if only the title does. */
export const excerptOf = (text: string, words: readonly string[]): Piece[] => {
  const isMatch = (word: string) =>
    folded(word)
      .split(JOINTS)
      .some((part) => part !== '' && words.some((wanted) => part.startsWith(wanted)))
  const first = isAscii(text) ? firstOfAscii(text, words) : firstMatch(text, isMatch)
  const from = startAt(text, Math.max(0, first - LEAD))
  const shown = text.slice(from, wholeCharacters(text, from + MAX_LENGTH)).trim()
  return piecesOf(shown, isMatch)
}

export const excerptsOf = ({ texts, words }: { texts: readonly string[]; words: readonly string[] }): Piece[][] =>
  texts.map((text) => excerptOf(text, words))

/** A faster `firstMatch` for ASCII texts: one regular expression finds the word starts. */
const firstOfAscii = (text: string, words: readonly string[]): number =>
  // Words consist of letters and digits, so they need no escaping.
  Math.max(0, text.search(new RegExp(`(?<![a-z\\d])(?:${words.join('|')})`, 'i')))

const firstMatch = (text: string, isMatch: (word: string) => boolean): number => {
  for (const { 0: word, index } of text.matchAll(WORD)) if (isMatch(word)) return index
  return 0
}

/** The start of a word at or after an index, and not within a character. */
const startAt = (text: string, at: number): number => {
  if (at === 0) return 0
  const space = text.slice(at, at + LEAD).search(/\s/)
  return space < 0 ? wholeCharacters(text, at) : at + space + 1
}

const wholeCharacters = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at)

/** Line breaks and blanks become one space: the excerpt is one line. */
const piecesOf = (shown: string, isMatch: (word: string) => boolean): Piece[] => {
  const pieces: Piece[] = []
  const add = (text: string, match: boolean) => {
    const plain = text.replaceAll(/\s+/g, ' ')
    if (plain !== '') pieces.push({ text: plain, match })
  }
  let at = 0
  for (const { 0: word, index } of shown.matchAll(WORD)) {
    if (!isMatch(word)) continue
    add(shown.slice(at, index), false)
    add(word, true)
    at = index + word.length
  }
  add(shown.slice(at), false)
  return pieces
}
