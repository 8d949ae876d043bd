import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import * as query from './findings.queries.ts'

/** @throws ApiError VALIDATION_ERROR for a finding that this engagement cannot retest */
export const requireRetested = async (
  tx: Transaction,
  { organizationId }: Actor,
  engagementId: string,
  findingId: string | null | undefined,
): Promise<void> => {
  if (typeof findingId !== 'string') return
  const found = await query.lockRetestedFinding(tx, organizationId, engagementId, findingId)
  if (found === undefined)
    throw invalid('retestOf: must be a finding of another engagement of the same client that you can see')
}

/** The earlier finding that all of these results retest, as far as they name one. */
export const findRetested = async (
  tx: Transaction,
  { organizationId }: Actor,
  engagementId: string,
  results: readonly { id: string }[],
): Promise<string | undefined> => {
  if (results.length === 0) return undefined
  const ids = results.map(({ id }) => id)
  const [findingId, another] = await query.listRetestedBy(tx, organizationId, engagementId, ids)
  return findingId === undefined || another !== undefined
    ? undefined
    : query.lockRetestedFinding(tx, organizationId, engagementId, findingId)
}
