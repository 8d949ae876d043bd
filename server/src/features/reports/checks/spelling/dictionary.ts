import { fileURLToPath } from 'node:url'
import { buildITrieFromWords } from 'cspell-trie-lib'
import { IterableHunspellReader } from 'hunspell-reader'

/** Reports whether a word is spelled correctly; whole words only, without hyphens. */
export type Dictionary = (word: string) => boolean

/** Inflected words of one dictionary: German has 540,000. */
const MAX_WORDS = 3_000_000

/** Packages with the files `index.aff` and `index.dic`. */
const BUILT_IN: Readonly<Record<string, () => string>> = {
  'dictionary-en': () => import.meta.resolve('dictionary-en'),
  'dictionary-en-gb': () => import.meta.resolve('dictionary-en-gb'),
}

/**
 * Reads a Hunspell dictionary, with its rules for inflection and compounds: about 3 seconds and 10 MB for German.
 *
 * @param name of a built-in one, or the path of its files without their endings
 */
export const readDictionary = async (name: string): Promise<Dictionary> => {
  const packaged = BUILT_IN[name]?.()
  const base = packaged === undefined ? name : fileURLToPath(new URL('index', packaged))
  const reader = await IterableHunspellReader.createFromFiles(`${base}.aff`, `${base}.dic`)
  const trie = buildITrieFromWords(formsOf(reader))
  const has = (word: string) => trie.hasWord(word, true)
  // A sentence and a title begin with a capital letter.
  return (word) => has(word) || has(word.charAt(0).toLowerCase() + word.slice(1))
}

/** Every form of every word; a plus sign marks where another word may follow or precede. */
function* formsOf(reader: IterableHunspellReader): Generator<string> {
  let count = 0
  for (const { word, flags } of reader.seqAffWords()) {
    count += 1
    if (count > MAX_WORDS) throw new Error(`the dictionary has more than ${MAX_WORDS} words`)
    if (flags.isForbiddenWord) continue
    if (!flags.isOnlyAllowedInCompound && !flags.isNeedAffix) yield word
    // The form for the middle of a compound has a hyphen in some dictionaries.
    const joined = word.endsWith('-') ? word.slice(0, -1) : word
    if (flags.canBeCompoundBegin) yield `${joined}+`
    if (flags.canBeCompoundMiddle) yield `+${joined}+`
    if (flags.canBeCompoundEnd) yield `+${joined}`
  }
}
