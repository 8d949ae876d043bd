import { SEARCH_TYPES } from '@sortie/contract/core/search.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isPermitted, requirementOf } from '../../platform/auth/guard.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { notFound } from '../../platform/errors.ts'
import type { Found, SearchPart } from '../../platform/search/part.ts'
import { termsOf, wordsOf } from '../../platform/search/words.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import type { FindExcerpts } from './excerpts.ts'

export type SearchType = (typeof SEARCH_TYPES)[number]

const MAX_HITS = 50

interface Question {
  q: string
  engagementId: string | undefined
  /** All of them unless given. */
  types: readonly string[] | undefined
}

interface Searcher {
  db: Database
  config: Config
  actor: Actor
}

/**
 * Best first: by how many of the words the title has, then by type, each in the order of its part. @throws ApiError
 * NOT_FOUND
 */
export const search = async (
  { db, config, actor }: Searcher,
  parts: readonly SearchPart[],
  excerpts: FindExcerpts,
  question: Question,
) => {
  const { engagementId, types } = question
  if (engagementId !== undefined && !(await findEngagement(db, actor.organizationId, engagementId))) throw notFound()
  const words = neededWords(wordsOf(question.q))
  if (words.length === 0) return []
  const terms = neededWords(termsOf(question.q))
  const asked = parts.filter(
    (part) =>
      (types === undefined || types.includes(part.type)) && isPermitted(actor, requirementOf(part.guard, config)),
  )
  const found = await Promise.all(
    asked.map(async (part) =>
      (await part.find(db, actor, { words, terms, engagementId, limit: MAX_HITS })).map(hitOf(part, words)),
    ),
  )
  const best = fairest(found.flat().toSorted((a, b) => b.score - a.score || a.order - b.order))
  const texts = await excerpts(
    actor.organizationId,
    best.map(({ text }) => text),
    words,
  )
  return best.map(({ id, title, ...hit }, index) => ({
    type: hit.type,
    id,
    engagementId: hit.engagementId,
    title,
    excerpt: texts[index] ?? [],
  }))
}

/** Each type gets up to its share of the hits; the best hits get the rest. The order stays. */
const fairest = <Hit extends { type: SearchType }>(ranked: readonly Hit[]): Hit[] => {
  const byType = Map.groupBy(ranked, ({ type }) => type)
  const share = Math.floor(MAX_HITS / byType.size)
  const kept = new Set([...byType.values()].flatMap((same) => same.slice(0, share)))
  for (const hit of ranked) if (kept.size < MAX_HITS) kept.add(hit)
  return ranked.filter((hit) => kept.has(hit))
}

/** Drops words that are a prefix of another word: they match whenever that one does. */
const neededWords = (words: readonly string[]): string[] =>
  words.filter(
    (word, index) =>
      !words.some((other, place) => place !== index && other.startsWith(word) && (other !== word || place < index)),
  )

const hitOf =
  (part: SearchPart, words: readonly string[]) =>
  (found: Found): Found & { type: SearchType; order: number; score: number } => {
    const type = part.type as SearchType
    return { ...found, type, order: SEARCH_TYPES.indexOf(type), score: scoreOf(found.title, words) }
  }

const scoreOf = (title: string, words: readonly string[]): number => {
  const own = wordsOf(title)
  const count = words.filter((word) => own.some((part) => part.startsWith(word))).length
  const isWhole = own.length === words.length && own.every((part) => words.includes(part))
  return isWhole ? words.length + 1 : count
}
