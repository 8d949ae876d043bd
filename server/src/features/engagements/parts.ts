import type { CLONE_PARTS, Overview } from '@sortie/contract/engagement-overview.ts'
import type { Scope } from '@sortie/contract/scopes.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Clock } from '../../platform/clock.ts'
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
    part: (typeof CLONE_PARTS)[number]
    copy(tx: Transaction, cloning: Cloning): Promise<void>
  }
}

export interface Cloning {
  actor: Actor
  clock: Clock
  /** Id of the engagement that is copied. */
  from: string
  /** Id of the new one, which stays locked until all is copied. */
  to: string
}

/** A feature whose objects belong to engagements. */
export interface ProductFeature<Parts = object> extends Feature<Parts> {
  engagementPart?: EngagementPart
}
