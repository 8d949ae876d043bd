import type { Platform } from '../../../platform/context.ts'
import { plainChange } from '../../../platform/database/change.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { JOB_EXPIRY_SECONDS, type JobType } from '../../../platform/jobs/jobs.ts'
import * as query from './domains.queries.ts'
import { recheckDomain } from './domains.service.ts'

/** Once a day: queues a job for each proved domain. */
export const checkDomainsJob: JobType<Record<string, never>> = {
  name: 'check-domains',
  options: { retryLimit: 3, retryDelay: 60, expireInSeconds: JOB_EXPIRY_SECONDS },
}

/** Checks the record of one domain again. */
export const checkDomainJob: JobType<{ organizationId: string; domainId: string }> = {
  name: 'check-domain',
  options: { retryLimit: 3, retryDelay: 60, expireInSeconds: JOB_EXPIRY_SECONDS },
}

export const checkDomains = async ({ db, jobs }: Platform): Promise<void> => {
  const proofs = await query.listProofs(db)
  await transaction(db, async (tx) => {
    for (const proof of proofs)
      await jobs.enqueue(tx, checkDomainJob, { organizationId: proof.organization_id, domainId: proof.id })
  })
}

export const checkDomainAgain = async (
  platform: Platform,
  { organizationId, domainId }: { organizationId: string; domainId: string },
): Promise<void> => {
  const row = await query.findDomain(platform.db, organizationId, domainId)
  const writer = { ...platform, change: plainChange(platform.db) }
  if (row) await recheckDomain(writer, { system: 'daily check of domains', organizationId }, row)
}
