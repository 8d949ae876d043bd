import type { Guard } from '@sortie/contract/core/scopes.ts'
import type { Actor } from '../auth/actor.ts'
import type { Database } from '../database/connection/open.ts'

/** A search query. */
export interface SearchQuery {
  /** Folded prefixes of words; all must match. At least one. */
  words: readonly string[]
  /** Terms for `find_objects`, like `words`, but with whole IPv4 addresses in place of their numbers. */
  terms: readonly string[]
  /** Only in this engagement; absent: wherever `db` shows rows. */
  engagementId: string | undefined
  /** Maximum number of matches. */
  limit: number
}

export interface Found {
  id: string
  /** Null if it belongs to the organization. */
  engagementId: string | null
  title: string
  /** The stored text from which the matching excerpt is taken. */
  text: string
}

/** One type of object that can be searched. Its feature provides it (`search` in the feature's value). */
export interface SearchPart {
  /** One of the contract's `SEARCH_TYPES`. */
  type: string
  /** Guard for finding such objects. */
  guard: Guard
  /**
   * Finds the best matches among the newest 1,000: first those whose title is exactly these words, then those with all
   * words in the title, then the newest. `db` shows only what the caller sees, and `find` must not widen that.
   */
  find(db: Database, actor: Actor, wanted: SearchQuery): Promise<Found[]>
}

/** Matches that are ranked, for each type. */
export const MAX_RANKED = 1_000
