import type { Database } from '../../platform/database/connection/open.ts'

/** Retests of an engagement that run and have dates. */
export const listRunningRetests = (db: Database, organizationId: string, engagementId: string) =>
  db
    .selectFrom('retests')
    .select(['id', 'starts_on', 'ends_on'])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('state', '=', 'running')
    .where('starts_on', 'is not', null)
    .execute()
