import type { Clock } from '../../platform/clock.ts'
import { type RunningWork, WorkStopped } from '../../platform/work/kinds.ts'
import { createCurrentRules, type GetCurrentRules, readEngagementRules } from '../connection-rules/current-rules.ts'

/**
 * What the engagement says of a scan at this moment. Each reading is a batch of the work: it ends where the scan was cancelled
 * or the right to it is gone.
 */
export const createRulesNow = (work: RunningWork, clock: Clock): GetCurrentRules =>
  createCurrentRules({
    clock,
    signal: work.signal,
    isFinal: (error) => error instanceof WorkStopped,
    read: () => work.batch((tx) => readEngagementRules(tx, work.organizationId, work.engagementId as string, clock.now())),
  })
