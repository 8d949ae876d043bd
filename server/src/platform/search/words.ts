/** Longer words are found by their beginning. */
const MAX_WORD = 64
/** Postgres keeps at most 1 MiB of words for a row; each takes a few bytes beside its own. */
const MAX_BYTES = 700_000
const BYTES_BESIDE = 12

const WORD = /[\p{L}\p{N}]+/gu
const ACCENTS = /[\u0300-\u036f]/g

/** Runs worth a look: in Persian or Arabic text one or two marks stand on every letter. */
const MANY_MARKS = /\p{M}{8,}/gu
/** In UTF-16 units; UAX 15 takes 30 marks on one letter for more than any language has. To bring thousands in order takes the square of their number. */
const MOST_MARKS = 60

const BEYOND_ASCII = /[^\0-\x7f]/

export const isAscii = (text: string): boolean => !BEYOND_ASCII.test(text)

/** Letters that are no other letter with an accent, and what people type for them. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th' }
const OF_LETTERS = /[ßłøđðħŧıæœþ]/g

/**
 * A text as it is searched: without accents and without regard to case, with plain letters for those that people type
 * otherwise (ß, ł, ø, æ ...), and ligatures and full-width letters as what they are made of.
 */
export const folded = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : withoutAccents(text)
        .toLowerCase()
        .replace(OF_LETTERS, (letter) => LETTERS[letter] as string)

const withoutAccents = (text: string): string =>
  text
    .replace(MANY_MARKS, (marks) => marks.slice(0, MOST_MARKS))
    .normalize('NFKD')
    .replace(ACCENTS, '')

/** The different words of a text, folded, in the order in which they come. The same as `search_text` makes in the database. */
export const wordsOf = (text: string): string[] => {
  const words = new Set<string>()
  for (const [word] of folded(text).matchAll(WORD)) words.add(word.slice(0, MAX_WORD))
  return [...words]
}

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g

/** Words, and IPv4 addresses whole: their numbers stand in every other address of the same network. */
export const termsOf = (text: string): string[] => [...new Set(text.match(ADDRESS)), ...wordsOf(text.replaceAll(ADDRESS, ' '))]

/**
 * A value of Postgres' type `tsvector`: the words of a title weigh more than those of its text. What comes after the first
 * hundred thousand words or so is left out.
 */
export const searchVector = (title: string, body: string): string => {
  const [titleWords, bodyWords] = [wordsOf(title), wordsOf(body)]
  const isInTitle = new Set(titleWords)
  const parts = titleWords.map((word) => `${word}:1A`)
  let bytes = 0
  for (const word of bodyWords) {
    if (isInTitle.has(word)) continue
    bytes += Buffer.byteLength(word) + BYTES_BESIDE
    if (bytes > MAX_BYTES) break
    parts.push(`${word}:1`)
  }
  return parts.join(' ')
}
