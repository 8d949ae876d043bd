import { isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { newId } from '../../platform/ids.ts'
import type { Cloning } from '../engagements/parts.ts'
import { insertScopeRules, listEngagementRules } from './scope.queries.ts'

/** Copies the rules of one engagement to another that has none. */
export const cloneScope = async (tx: Transaction, { actor, clock, from, to }: Cloning): Promise<undefined> => {
  const { organizationId } = actor
  const now = clock.now()
  const rules = await listEngagementRules(tx, organizationId, from)
  const row = { organization_id: organizationId, engagement_id: to, created_at: isoTime(now), updated_at: isoTime(now) }
  await insertScopeRules(
    tx,
    rules.map((rule) => ({ ...rule, ...row, id: newId('scp', now) })),
  )
  return undefined
}
