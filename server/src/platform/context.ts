import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Keys } from './crypto.ts'
import type { RunChange } from './database/change.ts'
import type { Database, OpenDatabase } from './database/connection/open.ts'
import type { EngagementVisibility } from './database/scope/tenant-scope.ts'
import type { Storage } from './files/storage.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Logger } from './log.ts'
import type { SafeMode } from './safe-mode/safe-mode.ts'
import type { Traces } from './traces/traces.ts'

/** Services for every handler and job; main.ts or a test creates them once. */
export interface Platform {
  config: Config
  keys: Keys
  clock: Clock
  /** The rows of every organization. A handler gets a narrower one: the caller's organization only, if there is one. */
  db: Database
  /**
   * The database as one organization sees it. Without an `EngagementVisibility` it sees all engagements, like the
   * server itself.
   */
  scopedTo(organizationId: string, viewer?: EngagementVisibility): Database
  waitForTurn: OpenDatabase['waitForTurn']
  jobs: Jobs
  /** Where uploaded files are. */
  storage: Storage
  log: Logger
  traces: Traces
  /** Controls whether anything may leave this instance. */
  safeMode: SafeMode
}

/** The platform of a caller that changes data. */
export interface Writer extends Platform {
  /**
   * Opens the transaction of a change. In a handler it is limited to the caller's scope and checks that the caller may
   * still make the change.
   */
  change: RunChange
}
