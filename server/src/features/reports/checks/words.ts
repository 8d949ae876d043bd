import type { CheckedText, Problem } from './problems.ts'

const LETTER = /[\p{L}\p{N}]/u
/** Marks of unfinished work, as whole words in capital letters; the last one in any letter case. */
const MARKS = ['TODO', 'TBD', 'XXX', 'FIXME']
const FILLER = 'lorem ipsum'

/** The first place of a whole word; negative if there is none. */
export const indexOfWord = (text: string, word: string): number => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = at === 0 ? '' : (text[at - 1] ?? '')
    const after = text[at + word.length] ?? ''
    if (!LETTER.test(before) && !LETTER.test(after)) return at
  }
  return -1
}

/** Marks of unfinished work. */
export const todoMarks = (texts: readonly CheckedText[]): Problem[] =>
  texts.flatMap(({ text, place }) => {
    const found = MARKS.filter((mark) => indexOfWord(text, mark) >= 0)
    const at = text.toLowerCase().indexOf(FILLER)
    const quotes = at < 0 ? found : [...found, text.slice(at, at + FILLER.length)]
    return quotes.map((quote) => ({
      code: 'todo_mark' as const,
      message: 'The text has a mark of unfinished work.',
      where: { ...place, quote },
    }))
  })

/** A client whose names must not be in a report of another one. */
export interface OtherClient {
  id: string
  name: string
  shortName: string
  domains: readonly string[]
  /** Whether the reader may know it. */
  isSeen: boolean
}

/** Shorter names are words of every text. */
const MIN_NAME = 3

/**
 * Names, short names and domains of other clients. The message names a client only to those who see it; the quote is of
 * the report itself.
 *
 * @param own names of the client of the report, which contain those of others
 */
export const otherClients = (
  texts: readonly CheckedText[],
  clients: readonly OtherClient[],
  own: readonly string[],
): Problem[] => {
  const named = clients.flatMap((client) =>
    [client.name, client.shortName, ...client.domains]
      .filter((word) => word.length >= MIN_NAME)
      .map(folded)
      .map((word) => ({ word, first: wordsIn(word)[0], client })),
  )
  // A domain contains the name, which is not a problem of its own.
  named.sort((a, b) => b.word.length - a.word.length)
  const ownWords = own.map(folded).filter((word) => word !== '')
  return texts.flatMap(({ text, place }) => {
    // What is about the client itself is not searched: `Contoso` in `Contoso Bank`.
    const lower = folded(text)
    let searched = ownWords.reduce((rest, word) => rest.replaceAll(word, '\n'.repeat(word.length)), lower)
    const words = new Set(wordsIn(searched))
    const problems = new Map<string, Problem>()
    for (const { word, first, client } of named) {
      // A text without the first word of a name does not have the name: an organization has many clients.
      if (first !== undefined && !words.has(first)) continue
      const at = indexOfWord(searched, word)
      if (at < 0) continue
      const quote = text.length === lower.length ? text.slice(at, at + word.length) : word
      searched = searched.replaceAll(word, '\n'.repeat(word.length))
      if (problems.has(quote)) continue
      problems.set(quote, {
        code: 'other_client',
        message: client.isSeen
          ? `The text names another client: ${client.name}.`
          : 'The text names another client of your organization.',
        where: { ...place, quote },
      })
    }
    return [...problems.values()]
  })
}

/** Letters and digits in a row. */
const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

const folded = (text: string): string => text.normalize('NFC').toLowerCase()
