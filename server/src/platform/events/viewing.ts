import type { Database } from '../database/open.ts'

/** What a stream says to have open. */
export interface Viewing {
  organizationId: string
  userId: string
  pageId: string
}

/** Who has which page open; the feature of pages keeps it. */
export interface PageViewers {
  /** @throws ApiError NOT_FOUND for a page that `db` does not show */
  requirePage(db: Database, viewing: Viewing): Promise<void>
  /** @returns ends it */
  begin(viewing: Viewing): () => void
}
