import type { Scope } from '@sortie/contract/core/scopes.ts'
import type { Database } from '../database/connection/open.ts'

/** The title of an object, and its engagement. */
export interface Titled {
  title: string
  /** Null if it belongs to the organization. */
  engagementId: string | null
}

/** A type of object that others can link to. Its feature provides it. */
export interface TitleSource {
  /** Its name in links: `task`. */
  type: string
  /** The scope that a reader needs to see a title. */
  scope: Scope
  /** Finds those of these objects that `db` shows, by id; omits deleted ones and those in the trash. */
  find(db: Database, organizationId: string, ids: readonly string[]): Promise<Map<string, Titled>>
}

/** Every type of object that can be linked to, by its name. */
export type TitleSources = ReadonlyMap<string, TitleSource>
