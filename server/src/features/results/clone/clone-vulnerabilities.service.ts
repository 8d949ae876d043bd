import { isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import type { Cloning } from '../../engagements/parts.ts'
import { copyFiles } from '../../files/storage/copied-files.service.ts'
import { resultQuotaExceeded, remainingResultQuota } from '../../inventory/ingest/quota.service.ts'
import { findRuleSet } from '../../scope/scope.service.ts'
import { fingerprintOf } from '../../targets/target-keys.ts'
import { listByIdentity } from '../../targets/targets.queries.ts'
import { insertOwnObservation } from '../triage/own-observation.queries.ts'
import { reevaluateResults } from '../triage/own-verdicts.service.ts'
import { insertVulnerabilityCopies, listForCloning } from './clone-vulnerabilities.queries.ts'

/** Results per batch. It is small because the bytes of their files are copied. */
const BATCH = 100

/**
 * Copies open, confirmed and accepted vulnerabilities with their evidence to another engagement, each as the retest of
 * its original. A result with the same fingerprint that exists there stays.
 *
 * @throws ApiError CONFLICT if the engagement or the organization exceeds a limit
 */
export const cloneVulnerabilities = async (
  tx: Transaction,
  cloning: Cloning,
  after = '',
): Promise<string | undefined> => {
  const { actor, clock, config, from, to } = cloning
  const { organizationId } = actor
  const rows = await listForCloning(tx, organizationId, from, after, BATCH)
  if (rows.length === 0) {
    await reevaluateResults(tx, organizationId, to, await findRuleSet(tx, organizationId, to))
    return undefined
  }
  if ((await remainingResultQuota(tx, organizationId, to, config.RESULT_LIMIT)) < rows.length)
    throw resultQuotaExceeded(config.RESULT_LIMIT)
  const now = clock.now()
  const time = isoTime(now)
  const identities = rows.map(({ target_kind: kind, target_canonical: canonical }) =>
    kind && canonical ? fingerprintOf(to, kind, canonical) : '',
  )
  const targets = await listByIdentity(tx, organizationId, identities)
  const copies = rows.map(({ id }, index) => ({
    from: id,
    id: newId('res', now),
    target_id: targets.get(identities[index] as string) ?? null,
  }))
  const made = await insertVulnerabilityCopies(tx, organizationId, to, time, copies)
  for (const [index, { from: original, id: resultId }] of copies.entries()) {
    if (!made.has(resultId)) continue
    const { title, severity } = rows[index] as (typeof rows)[number]
    const seen = { state: 'present', title, severity }
    await insertOwnObservation(tx, { organizationId, engagementId: to, resultId, now: time, after: seen })
    await copyFiles(tx, cloning, { type: 'result', from: original, to: resultId })
  }
  // The last batch is empty. It evaluates the copies against the scope rules of their engagement.
  return rows.at(-1)?.id
}
