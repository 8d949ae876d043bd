import { IN_SAFE_MODE } from '@sortie/contract/core/errors.ts'
import type { Config } from '../config.ts'
import type { PreparedReader, Statement } from '../database/connection/prepared.ts'
import { conflict } from '../errors.ts'

/** The state of the latest safe mode, over or not. */
export interface SafeModeState {
  isOn: boolean
  /** This process runs with `SAFE_MODE=true`: `go-live` does not end it then. */
  isForced: boolean
  /** The reason, as a sentence for people. */
  reason: string
  /** ISO 8601; null if `SAFE_MODE=true` is the only cause. */
  since: string | null
  /** Null while it is on. */
  endedAt: string | null
}

/**
 * Reports whether anything may leave this instance (O4). Scans, API requests, mail and everything else that sends check
 * here, at the one place that all of their kind pass. An answer is at most a second old, so each process notices
 * `go-live` within that time.
 */
export interface SafeMode {
  /** Undefined if the instance was never in safe mode. */
  find(): Promise<SafeModeState | undefined>
  isLive(): Promise<boolean>
  /** @throws ApiError CONFLICT in safe mode: the message names the reason, and what ends it */
  requireLive(): Promise<void>
  /**
   * Reports whether a request from this time (ISO 8601) must not start any more, even if the instance is live: it
   * precedes the safe mode and comes from the copied data.
   */
  isOutdated(askedAt: string): Promise<boolean>
  /** Drops the cached answer: this process has just changed it, or needs the current one. */
  forget(): void
}

const MAX_AGE_MS = 1_000
export const FORCED_REASON = 'SAFE_MODE=true is set.'
const FORCED =
  'This instance is in safe mode, since SAFE_MODE=true is set: it starts no scans and sends no requests and no mail. Its operator removes it from the settings and restarts it.'

interface Row {
  reason: string
  since: string
  ended_at: string | null
}

/** Every process that sends runs this, thousands of times a second during a scan. */
const FIND: Statement<Row> = { name: 'find-safe-mode', text: 'select reason, since, ended_at from safe_mode' }

/**
 * @param prepared queries on connections that never wait behind transactions, since transactions wait for the answer
 */
export const createSafeMode = (
  prepared: PreparedReader,
  { SAFE_MODE: isForced }: Pick<Config, 'SAFE_MODE'>,
): SafeMode => {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<SafeModeState | undefined> | undefined

  const read = async (): Promise<SafeModeState | undefined> => {
    const [row] = await prepared.query(FIND, [])
    if (!row) return isForced ? { isOn: true, isForced, reason: FORCED_REASON, since: null, endedAt: null } : undefined
    const { since, ended_at: endedAt } = row
    return {
      isOn: isForced || endedAt === null,
      isForced,
      reason: isForced ? FORCED_REASON : row.reason,
      since,
      endedAt,
    }
  }

  const find = (): Promise<SafeModeState | undefined> => {
    const now = performance.now()
    if (answer && now - askedAt < MAX_AGE_MS) return answer
    const asked = read()
    answer = asked
    askedAt = now
    asked.catch(() => {
      if (answer === asked) answer = undefined
    })
    return asked
  }

  return {
    find,
    isLive: async () => !(await find())?.isOn,
    requireLive: async () => {
      const state = await find()
      if (state?.isOn) throw conflict(state.isForced ? FORCED : IN_SAFE_MODE)
    },
    forget: () => {
      answer = undefined
    },
    isOutdated: async (askedAt) => {
      const state = await find()
      return state !== undefined && (state.isOn || (state.endedAt !== null && askedAt < state.endedAt))
    },
  }
}
