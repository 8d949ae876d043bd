import type { Scope } from '@sortie/contract/scopes.ts'
import type { Database } from './database/open.ts'

/** What an object is called, and where it belongs. */
export interface Titled {
  title: string
  /** Null: to the organization. */
  engagementId: string | null
}

/** A type of object that others can link to. Its feature brings it. */
export interface TitleSource {
  /** As links name it: `task`. */
  type: string
  /** What a reader needs to be told a title. */
  scope: Scope
  /** Of these objects those that `db` shows, by id; what is gone or in the trash is left out. */
  find(db: Database, organizationId: string, ids: readonly string[]): Promise<Map<string, Titled>>
}

/** Every type of object that can be linked to, by its name. */
export type TitleSources = ReadonlyMap<string, TitleSource>
