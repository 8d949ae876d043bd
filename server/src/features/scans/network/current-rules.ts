import type { Platform } from '../../../platform/context.ts'
import { type RunningJob, JobStopped } from '../../../platform/jobs/kinds.ts'
import { createCurrentRules, type GetCurrentRules, readEngagementRules } from '../../connection-rules/current-rules.ts'

const SAFE = 'This instance is in safe mode.'

/**
 * Reads the current rules of the engagement and the instance. Each read is a batch of the job, which stops if the scan
 * was cancelled or its permission was revoked.
 *
 * @param retestId the retest that started the scan
 */
export const createCurrentScanRules = (
  work: RunningJob,
  { clock, safeMode }: Pick<Platform, 'clock' | 'safeMode'>,
  retestId: string | undefined,
): GetCurrentRules =>
  createCurrentRules({
    clock,
    signal: work.signal,
    isFinal: (error) => error instanceof JobStopped,
    read: async () => {
      const isLive = await safeMode.isLive()
      const rules = await work.batch((tx) =>
        readEngagementRules(tx, work.organizationId, work.engagementId as string, clock.now(), retestId),
      )
      return isLive ? rules : { ...rules, stop: SAFE }
    },
  })
