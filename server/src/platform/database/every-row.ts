import type { Platform } from '../context.ts'
import type { Database } from './connection/open.ts'
import { type EngagementVisibility, EVERY_ORGANIZATION, EVERY_ROW, EXPIRY } from './scope/tenant-scope.ts'

type Scoped = Pick<Platform, 'scopedTo'>

/** The platform for work on rows in whatever engagement they are: also in those that are in the trash. */
export const withEveryRow = <P extends Scoped>(platform: P): P & { db: Database } => seenBy(platform, EVERY_ROW)

/** The platform for deleting what is old: without what is in the trash of engagements, or on legal hold. */
export const withoutHeldRows = <P extends Scoped>(platform: P): P & { db: Database } => seenBy(platform, EXPIRY)

const seenBy = <P extends Scoped>(platform: P, usual: EngagementVisibility): P & { db: Database } => ({
  ...platform,
  db: platform.scopedTo(EVERY_ORGANIZATION, usual),
  scopedTo: (organizationId, viewer = usual) => platform.scopedTo(organizationId, viewer),
})
