import { searchVector, wordsOf } from '../../../platform/search/words.ts'
import { differenceOf, type Passage } from './difference.ts'
import { mergeTexts } from './merge.ts'
import { referencesIn } from './references.ts'
import { titleKey } from './title-key.ts'

/** A text that is to be saved. */
export interface PrepareTask {
  title: string
  body: string
  /** Where others saved since: the text that this one was made from, and theirs. */
  merge?: { base: string; theirs: string }
}

/** A text as it is stored, with what is stored beside it. */
export interface PreparedText {
  body: string
  /** Bytes in UTF-8. */
  size: number
  /** Ids and keys of titles. */
  references: string[]
  /** Values of Postgres' type `tsvector`. */
  words: string
  titleWords: string
}

/** What a text refers to beyond this is not kept. */
const MAX_REFERENCES = 2_000
/** Of the types in `LINK_TYPES`. */
export const ID = /^(?:wik|tgt|res|tsk|req)_[0-9a-z]{26}$/

/** Runs in a thread of its own. @returns undefined where changes touch */
export const prepareText = ({ title, body, merge }: PrepareTask): PreparedText | undefined => {
  const merged = merge ? mergeTexts(merge.base, body, merge.theirs) : body
  if (merged === undefined) return undefined
  return {
    body: merged,
    size: Buffer.byteLength(merged),
    references: referencedKeys(merged),
    words: searchVector(title, merged),
    titleWords: wordsOf(title).join(' '),
  }
}

/** Runs in a thread of its own. */
export const compareTexts = ({ before, after }: { before: string; after: string }): Passage[] => differenceOf(before, after)

const referencedKeys = (body: string): string[] => {
  const keys = new Set<string>()
  for (const { kind, target } of referencesIn(body)) {
    if (ID.test(target)) keys.add(target)
    else if (kind === 'page') keys.add(titleKey(target))
    if (keys.size >= MAX_REFERENCES) break
  }
  return [...keys]
}
