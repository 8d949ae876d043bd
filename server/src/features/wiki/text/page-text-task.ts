import { searchVector, wordsOf } from '../../../platform/search/words.ts'
import { differenceOf, type Passage } from '../../../platform/text-merge/difference.ts'
import { mergeTexts } from '../../../platform/text-merge/merge.ts'
import { referencesIn } from './references.ts'
import { titleKey } from './title-key.ts'

/** A text to save. */
export interface PrepareTask {
  title: string
  body: string
  /** If others saved since: the base of this text, and their text. */
  merge?: { base: string; theirs: string }
}

/** A text as stored, with its derived columns. */
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

/** Further references of a text are dropped. */
const MAX_REFERENCES = 2_000
/** Ids of the types in `LINK_TYPES`. */
export const ID = /^(?:wik|tgt|res|tsk|req|fnd|rpt)_[0-9a-z]{26}$/

/** Runs in its own thread. @returns undefined if changes overlap */
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

/** Runs in its own thread. */
export const compareTexts = ({ before, after }: { before: string; after: string }): Passage[] =>
  differenceOf(before, after)

const referencedKeys = (body: string): string[] => {
  const keys = new Set<string>()
  for (const { kind, target } of referencesIn(body)) {
    if (ID.test(target)) keys.add(target)
    else if (kind === 'page') keys.add(titleKey(target))
    if (keys.size >= MAX_REFERENCES) break
  }
  return [...keys]
}
