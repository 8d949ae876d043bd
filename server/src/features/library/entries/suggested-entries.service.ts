import type { Database } from '../../../platform/database/connection/open.ts'
import { BUILT_IN_ENTRIES } from '../built-in/known-entries.ts'
import { listApproved, listLanguages } from './entries.queries.ts'
import { languageOf } from './localize.ts'
import type { MatchableEntry } from './match-entries.ts'

/** The approved entries that can describe results of an engagement, with their titles in its client's language. */
export const listSuggestedEntries = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<(MatchableEntry & { title: string })[]> => {
  const wanted = await listLanguages(db, organizationId, engagementId)
  const own = (await listApproved(db, organizationId)).map(({ id, key, rules, cwe, main_language, title, titles }) => ({
    id,
    key,
    isOwn: true,
    rules,
    cwe,
    title: titles[languageOf(Object.keys(titles), main_language, wanted)] || title,
  }))
  const builtIn = BUILT_IN_ENTRIES.map(({ id, key, rules, cwe, mainLanguage, texts }) => {
    const language = languageOf(Object.keys(texts), mainLanguage, wanted) as keyof typeof texts
    return { id, key, isOwn: false, rules, cwe, title: texts[language].title }
  })
  return [...own, ...builtIn]
}
