import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { findDetails } from '../engagements/details/details.queries.ts'
import { findRuleSet } from '../scope/scope.service.ts'
import type { CurrentRules } from './permit.ts'
import { readSendingTimes } from './testing-dates.ts'

/** Maximum age in milliseconds; with the time of a read, the rules are at most a second old. */
const MAX_AGE_MS = 900
/** Attempts while the database does not respond. */
const ATTEMPTS = 10
const RETRY_MS = 1_000

export type GetCurrentRules = () => Promise<CurrentRules>

interface Reading {
  clock: Clock
  /** Reads the rules and the sender's permission. */
  read(): Promise<CurrentRules>
  /** Aborts waiting for the database. */
  signal: AbortSignal
  /** Returns true for an error of `read` that is thrown without another attempt. */
  isFinal?(error: unknown): boolean
}

/**
 * Returns the current rules: cached for at most a second, else read now. Concurrent callers share one read.
 *
 * @throws errors of `read`; errors that are not final only after ten attempts, one second apart
 */
export const createCurrentRules = ({ clock, read, signal, isFinal = () => false }: Reading): GetCurrentRules => {
  let readAt = Number.NEGATIVE_INFINITY
  let known: CurrentRules | undefined
  let reading: Promise<CurrentRules> | undefined

  const readPatiently = async (): Promise<CurrentRules> => {
    for (let attempt = 1; ; attempt++) {
      const startedAt = clock.monotonic()
      try {
        known = await read()
        readAt = startedAt
        return known
      } catch (error) {
        if (isFinal(error) || signal.aborted || attempt === ATTEMPTS) throw error
        await sleep(RETRY_MS, undefined, { signal })
      }
    }
  }

  return async () => {
    if (known && clock.monotonic() - readAt < MAX_AGE_MS) return known
    reading ??= readPatiently().finally(() => {
      reading = undefined
    })
    return reading
  }
}

/**
 * Reads the current rules of an engagement, as visible to the transaction.
 *
 * @param retestId the retest that sends
 */
export const readEngagementRules = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  now: number,
  retestId?: string,
): Promise<CurrentRules> => {
  const details = await findDetails(tx, organizationId, engagementId)
  const rules = await findRuleSet(tx, organizationId, engagementId)
  const times = details && (await readSendingTimes(tx, organizationId, engagementId, details, now, retestId))
  return {
    rules,
    stop: times?.isActive ? null : 'The engagement is no longer active.',
    outsideHours: times?.outsideHours ?? null,
  }
}
