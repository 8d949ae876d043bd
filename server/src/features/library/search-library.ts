import { sql } from 'kysely'
import { objectSearch } from '../../platform/search/objects.ts'
import type { Found, SearchPart } from '../../platform/search/part.ts'
import { wordsOf } from '../../platform/search/words.ts'
import { BUILT_IN_ENTRIES, type KnownEntry } from './built-in/known-entries.ts'

/** Own entries, by what `library_entry_text` (migration 0017) reads of them. */
const own = objectSearch({
  type: 'library_entry',
  guard: 'reports:read',
  table: 'library_entries',
  title: sql`o.title`,
  text: sql`library_entry_text(o)`,
})

interface BuiltIn extends Found {
  words: readonly string[]
  titleWords: readonly string[]
}

/** Names and ids only: 80 long texts would match nearly every word of the field. */
const builtIn = ({ id, key, cwe, tags, mainLanguage, texts }: KnownEntry): BuiltIn => {
  const { title, summary } = texts[mainLanguage]
  const names = [title, key, ...cwe, ...tags, ...Object.values(texts).map((text) => text.title)].join(' ')
  return { id, engagementId: null, title, text: summary, words: wordsOf(names), titleWords: wordsOf(title) }
}

let builtIns: readonly BuiltIn[] | undefined

/**
 * Built-in entries with all the words, those with the words in the title first. Their words are collected at the first
 * search.
 */
const findBuiltIn = (wanted: readonly string[], limit: number): Found[] => {
  builtIns ??= BUILT_IN_ENTRIES.map(builtIn)
  const hasAll = (words: readonly string[]) => wanted.every((start) => words.some((word) => word.startsWith(start)))
  return builtIns
    .filter(({ words }) => hasAll(words))
    .toSorted((a, b) => Number(hasAll(b.titleWords)) - Number(hasAll(a.titleWords)))
    .slice(0, limit)
    .map(({ id, engagementId, title, text }) => ({ id, engagementId, title, text }))
}

/** Searches own and built-in entries. A key that is limited to engagements finds only built-in ones, as in the list. */
export const librarySearch: SearchPart = {
  type: 'library_entry',
  guard: 'reports:read',
  find: async (db, actor, wanted) => {
    const ofOrganization = wanted.engagementId === undefined ? findBuiltIn(wanted.words, wanted.limit) : []
    if (actor.viewer.startsWith('key_')) return ofOrganization
    return [...(await own.find(db, actor, wanted)), ...ofOrganization]
  },
}
