import { Cron } from 'croner'
import { invalid } from '../../../platform/errors.ts'

const MIN_GAP_MS = 15 * 60 * 1000
/** Runs to examine: more than a day at the shortest interval. */
const LOOKED_AT = 100

/** Returns the first run after a time, in milliseconds since 1970; undefined if there is none. */
export const nextRun = (cron: string, timeZone: string, after: number): number | undefined =>
  open(cron, timeZone).nextRun(new Date(after))?.getTime()

/**
 * @throws ApiError VALIDATION_ERROR for an invalid expression, for one without a run or with runs that are too
 *   frequent, and for an unknown time zone
 */
export const requireCron = (cron: string, timeZone: string, now: number): void => {
  requireTimeZone(timeZone)
  const runs = runsOf(cron, timeZone, now)
  if (runs.length === 0) throw invalid('cron: there is no such day')
  const isTooOften = runs.some((run, index) => index > 0 && run - (runs[index - 1] as number) < MIN_GAP_MS)
  if (isTooOften) throw invalid('cron: must not come more often than every 15 minutes')
}

const requireTimeZone = (timeZone: string): void => {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalid('timeZone: must be an IANA name like Europe/Berlin')
  }
}

const runsOf = (cron: string, timeZone: string, now: number): number[] => {
  try {
    return open(cron, timeZone)
      .nextRuns(LOOKED_AT, new Date(now))
      .map((date) => date.getTime())
  } catch (error) {
    // The library reports an invalid expression by a TypeError or RangeError; other errors are faults.
    if (error instanceof TypeError || error instanceof RangeError)
      throw invalid('cron: must have five fields: minute, hour, day of the month, month, day of the week')
    throw error
  }
}

const open = (cron: string, timeZone: string): Cron =>
  new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true })
