import { type Dictionary, readDictionary } from './dictionary.ts'
import { TECHNICAL_WORDS } from './technical-words.ts'
import { isLookedUp, partsOf, type SpelledText, wordsIn } from './words-in.ts'

/** Dictionaries that a thread keeps: of one report, and of another in turn. */
const MAX_KEPT = 4
const kept = new Map<string, Promise<Dictionary>>()

const dictionaryOf = (name: string): Promise<Dictionary> => {
  const dictionary = kept.get(name) ?? readDictionary(name)
  kept.delete(name)
  kept.set(name, dictionary)
  // A dictionary that could not be read is read again next time.
  dictionary.catch(() => kept.delete(name))
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  return dictionary
}

export interface SpellingTask {
  texts: readonly SpelledText[]
  /** A word must be in one of them. */
  dictionaries: readonly string[]
  /** In lower case. */
  accepted: readonly string[]
  /** Whether the language is written in Latin letters: words of other scripts are names. */
  isLatin: boolean
}

/** Runs in its own thread. @returns for each text, its distinct words that are not in the dictionary */
export const misspelled = async ({ texts, dictionaries, accepted, isLatin }: SpellingTask): Promise<string[][]> => {
  const known = await Promise.all(dictionaries.map(dictionaryOf))
  const own = new Set(accepted)
  const results = new Map<string, boolean>()
  const isOwn = (word: string) => own.has(word) || TECHNICAL_WORDS.has(word)
  const isRight = (word: string): boolean => {
    const plain = word.replaceAll('\u2019', "'")
    const lower = plain.toLowerCase()
    const stem = plain.replace(/'s?$/, '')
    return isOwn(lower) || isOwn(stem.toLowerCase()) || [plain, stem].some((form) => known.some((has) => has(form)))
  }
  const isKnown = (word: string): boolean => {
    if (!isLookedUp(word)) return false
    const result = results.get(word) ?? isRight(word)
    results.set(word, result)
    return result
  }
  return texts.map((text) => {
    const wrong = new Set<string>()
    for (const word of wordsIn(text, isLatin)) {
      const parts = partsOf(word)
      if (parts.length === 0 || (parts.length > 1 && isKnown(word))) continue
      for (const part of parts) if (!isKnown(part)) wrong.add(part)
    }
    return [...wrong]
  })
}
