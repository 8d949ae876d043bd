import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import { type RunningWork, WorkStopped } from '../../platform/work/kinds.ts'
import { findDetails } from '../engagements/details.queries.ts'
import { outsideTestingHours } from '../engagements/testing-hours.ts'
import { findRuleSet } from '../scope/scope.service.ts'
import type { RulesNow } from './reach-rules.ts'

/** Rules, hours, dates, status and rights are never older than this at a connection. */
const MAX_AGE_MS = 900
/** A database that does not answer for so long ends the scan. */
const TRIES = 10
const TRY_AGAIN_MS = 1_000

/**
 * What the engagement says of a scan at this moment. Asking the database holds for a second; whoever asks while it is asked
 * waits with the others. Each look is a batch of the work: it ends where the scan was cancelled or the right to it is gone.
 */
export const createRulesNow = (work: RunningWork, clock: Clock): (() => Promise<RulesNow>) => {
  let readAt = Number.NEGATIVE_INFINITY
  let known: RulesNow | undefined
  let reading: Promise<RulesNow> | undefined

  const read = async (): Promise<RulesNow> => {
    const startedAt = clock.monotonic()
    const found = await readWithPatience(work, clock)
    readAt = startedAt
    known = found
    return found
  }

  return async () => {
    if (known && clock.monotonic() - readAt < MAX_AGE_MS) return known
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

const readWithPatience = async (work: RunningWork, clock: Clock): Promise<RulesNow> => {
  for (let tried = 1; ; tried++) {
    try {
      return await readRules(work, clock)
    } catch (error) {
      if (error instanceof WorkStopped || work.signal.aborted || tried === TRIES) throw error
      await sleep(TRY_AGAIN_MS, undefined, { signal: work.signal })
    }
  }
}

const readRules = (work: RunningWork, clock: Clock): Promise<RulesNow> =>
  work.batch(async (tx) => {
    const { organizationId } = work
    const engagementId = work.engagementId as string
    const details = await findDetails(tx, organizationId, engagementId)
    const rules = await findRuleSet(tx, organizationId, engagementId)
    const stop = details?.status === 'active' ? null : 'The engagement is not active any more.'
    return { rules, stop, outsideHours: details ? outsideTestingHours(details, clock.now()) : null }
  })
