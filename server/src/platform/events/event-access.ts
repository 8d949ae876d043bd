import type { Database } from '../database/connection/open.ts'

/** The page that a stream reports as open. */
export interface Viewing {
  organizationId: string
  userId: string
  pageId: string
}

/** Tracks which pages people have open; the feature of pages implements it. */
export interface PageViewers {
  /** @throws ApiError NOT_FOUND for a page that `db` does not show */
  requirePage(db: Database, viewing: Viewing): Promise<void>
  /** @returns a function that ends it */
  begin(viewing: Viewing): () => void
}
