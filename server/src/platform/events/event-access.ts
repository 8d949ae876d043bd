import type { Database } from '../database/connection/open.ts'

/** The wiki page or finding that a stream reports as open. */
export interface Viewing {
  organizationId: string
  userId: string
  /** `wik_...` or `fnd_...` */
  objectId: string
  /** Has its editor open. */
  isEditing: boolean
}

/** Tracks what people have open; the feature of presence implements it. */
export interface Viewers {
  /** @throws ApiError NOT_FOUND for an object that `db` does not show */
  requireObject(db: Database, viewing: Viewing): Promise<void>
  /** @returns a function that ends it */
  begin(viewing: Viewing): () => void
}
