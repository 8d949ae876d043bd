import type { CLONE_PARTS, Overview } from '@sortie/contract/engagement-overview.ts'
import type { Scope } from '@sortie/contract/scopes.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Feature } from '../../platform/feature.ts'

/**
 * What a feature does for a whole engagement. Features bring it, `app.ts` hands it over: engagements import none of them.
 * Deletion needs no part: it removes the rows of every table that has an `engagement_id`.
 */
export interface EngagementPart {
  overview?: {
    /** Without it the fields are null, and nothing is counted. */
    scope: Scope
    count(db: Database, organizationId: string, engagementId: string): Promise<Partial<Overview>>
  }
  clone?: {
    part: ClonePart
    /**
     * Copies a piece, small enough for about a second.
     *
     * @param after what the piece before returned; undefined for the first
     * @returns where to go on, perhaps in another transaction; undefined where nothing is left
     */
    copy(tx: Transaction, cloning: Cloning, after?: string): Promise<string | undefined>
  }
}

/** What a clone is asked for, beside its details. */
export type ClonePart = Exclude<(typeof CLONE_PARTS)[number], 'details'>

export interface Cloning {
  actor: Actor
  clock: Clock
  config: Config
  /** Id of the engagement that is copied. */
  from: string
  /** Id of the new one, which is held while a piece is copied. */
  to: string
}

/** A feature whose objects belong to engagements. */
export interface ProductFeature<Parts = object> extends Feature<Parts> {
  engagementPart?: EngagementPart
}
