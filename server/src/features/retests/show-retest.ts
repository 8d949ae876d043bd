import type * as contract from '@sortie/contract/findings/retests.ts'
import type { Static } from 'typebox'
import type { RetestRow } from './retests.queries.ts'

const NO_COUNTS = { none: 0, fixed: 0, partly_fixed: 0, open: 0, not_reproducible: 0, not_retested: 0 }

/** A retest as the API shows it. */
export const toRetest = (row: RetestRow): Static<typeof contract.Retest> => ({
  id: row.id,
  engagementId: row.engagement_id,
  name: row.name,
  startsOn: row.starts_on,
  endsOn: row.ends_on,
  state: row.state,
  counts: { ...NO_COUNTS, ...row.counts },
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator_name as string },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
