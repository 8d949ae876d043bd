/** Longer words are found by their first 64 characters. */
const MAX_WORD = 64
/** Postgres stores at most 1 MiB of words per row; each takes a few bytes more than its text. */
const MAX_BYTES = 700_000
const BYTES_BESIDE = 12

const WORD = /[\p{L}\p{N}]+/gu
const ACCENTS = /[\u0300-\u036f]/g

/** Runs of marks to check: Persian or Arabic text has one or two marks on every letter. */
const MANY_MARKS = /\p{M}{8,}/gu
/**
 * In UTF-16 units. UAX 15 states that no language has more than 30 marks on one letter. Sorting thousands of marks
 * takes quadratic time.
 */
const MOST_MARKS = 60

const BEYOND_ASCII = /[^\0-\x7f]/

export const isAscii = (text: string): boolean => !BEYOND_ASCII.test(text)

/** Letters that are not another letter with an accent, and what people type for them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
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

/**
 * The distinct words of a text, folded, in the order of their first occurrence. Equals `search_text` in the database.
 */
export const wordsOf = (text: string): string[] => {
  const words = new Set<string>()
  for (const [word] of folded(text).matchAll(WORD)) words.add(word.slice(0, MAX_WORD))
  return [...words]
}

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g

/** Words, and whole IPv4 addresses: their single numbers occur in every other address of the network. */
export const termsOf = (text: string): string[] => [
  ...new Set(text.match(ADDRESS)),
  ...wordsOf(text.replaceAll(ADDRESS, ' ')),
]

/**
 * A `tsvector` value of Postgres: words of a title weigh more than those of its text. Omits everything after about the
 * first hundred thousand words.
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
