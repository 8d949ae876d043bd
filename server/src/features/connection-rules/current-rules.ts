import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { findDetails } from '../engagements/details.queries.ts'
import { outsideTestingHours } from '../engagements/testing-hours.ts'
import { findRuleSet } from '../scope/scope.service.ts'
import type { CurrentRules } from './permit.ts'

/** Milliseconds: with what reading them takes, an answer is at most a second old. */
const MAX_AGE_MS = 900
/** Attempts to read them from a database that does not answer. */
const ATTEMPTS = 10
const RETRY_MS = 1_000

export type GetCurrentRules = () => Promise<CurrentRules>

interface Reading {
  clock: Clock
  /** Reads them, with the right of the sender. */
  read(): Promise<CurrentRules>
  /** Ends waiting for a database that does not answer. */
  signal: AbortSignal
  /** Whether an error of `read` is an answer: it is thrown at once. */
  isFinal?(error: unknown): boolean
}

/**
 * The rules at this moment: what was read at most a second ago, or else read now. Callers that ask meanwhile wait for the same
 * reading.
 *
 * @throws what `read` throws, after ten attempts a second apart unless it is final
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

/** What an engagement says now, as far as the transaction sees it. */
export const readEngagementRules = async (tx: Transaction, organizationId: string, engagementId: string, now: number): Promise<CurrentRules> => {
  const details = await findDetails(tx, organizationId, engagementId)
  const rules = await findRuleSet(tx, organizationId, engagementId)
  const stop = details?.status === 'active' ? null : 'The engagement is not active any more.'
  return { rules, stop, outsideHours: details ? outsideTestingHours(details, now) : null }
}
