import type { Scope } from '@sortie/contract/core/scopes.ts'
import type { CLONE_PARTS, Overview } from '@sortie/contract/engagement/engagement-overview.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Storage } from '../../platform/files/storage.ts'

/**
 * A feature's handling of a whole engagement. `app.ts` passes the parts in, so engagements import no other feature.
 * Deletion needs no part: it deletes the rows of every table that has an `engagement_id`.
 */
export interface EngagementPart {
  /**
   * Ends what runs or starts by itself, for good: an engagement that comes back from the trash sends nothing. Its
   * long-running jobs are cancelled without it.
   *
   * @param now the time of the deletion
   */
  stop?(tx: Transaction, organizationId: string, engagementId: string, now: string): Promise<void>
  overview?: {
    /** A caller without this scope gets null fields, and nothing is counted. */
    scope: Scope
    count(db: Database, organizationId: string, engagementId: string): Promise<Partial<Overview>>
  }
  clone?: {
    part: ClonePart
    /**
     * Copies a batch that takes about a second at most.
     *
     * @param after what the previous batch returned; undefined for the first
     * @returns where to continue, perhaps in another transaction; undefined once everything is copied
     */
    copy(tx: Transaction, cloning: Cloning, after?: string): Promise<string | undefined>
  }
}

/** Parts that a clone request can include, in addition to the details. */
export type ClonePart = Exclude<(typeof CLONE_PARTS)[number], 'details'>

export interface Cloning {
  actor: Actor
  clock: Clock
  config: Config
  storage: Storage
  /** Id of the engagement that is copied. */
  from: string
  /** Id of the new engagement, which is locked while a batch is copied. */
  to: string
}

/** A feature whose objects belong to engagements. */
export interface ProductFeature<Parts = object> extends Feature<Parts> {
  engagementPart?: EngagementPart
}
