import type { Guard } from '@sortie/contract/scopes.ts'
import type { Actor } from '../auth/actor.ts'
import type { Database } from '../database/open.ts'

/** What is searched for. */
export interface Wanted {
  /** Folded, each the beginning of a word; all are needed. At least one. */
  words: readonly string[]
  /** The same for what `find_objects` looks up: IPv4 addresses whole, in place of their numbers. */
  terms: readonly string[]
  /** Only in this engagement; absent: wherever `db` shows anything. */
  engagementId: string | undefined
  /** So many of the best are enough. */
  limit: number
}

export interface Found {
  id: string
  /** Null: it belongs to the organization. */
  engagementId: string | null
  title: string
  /** From which the piece that matched is taken; as it is stored. */
  text: string
}

/** One type of object that can be found. Its feature brings it (`search` in the feature's value). */
export interface SearchPart {
  /** As the contract's `SEARCH_TYPES` has it. */
  type: string
  /** What a caller needs to find such objects. */
  guard: Guard
  /**
   * The best matches: those whose title is these words first, then those with all of them in it, then the newest; of the newest 1,000 that match. `db` shows
   * what the caller sees, and `find` adds nothing to that.
   */
  find(db: Database, actor: Actor, wanted: Wanted): Promise<Found[]>
}

/** Matches that are ranked, of each type. */
export const MAX_RANKED = 1_000
