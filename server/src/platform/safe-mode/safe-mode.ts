import { IN_SAFE_MODE } from '@sortie/contract/errors.ts'
import type { Config } from '../config.ts'
import type { PreparedReader, Statement } from '../database/prepared.ts'
import { conflict } from '../errors.ts'

/** As the newest safe mode stands, over or not. */
export interface SafeModeState {
  isOn: boolean
  /** Whether this process runs with `SAFE_MODE=true`: then `go-live` does not end it. */
  isForced: boolean
  /** Why, as a sentence for people. */
  reason: string
  /** ISO 8601; null where `SAFE_MODE=true` is all there is. */
  since: string | null
  /** Null while it is on. */
  endedAt: string | null
}

/**
 * Whether anything may leave this instance (O4). Scans, API requests, mail and everything that comes later ask here, in the
 * one place that all of their kind pass; an answer is at most a second old, so each process notices `go-live` within that.
 */
export interface SafeMode {
  /** Undefined where the instance was never in safe mode. */
  find(): Promise<SafeModeState | undefined>
  isLive(): Promise<boolean>
  /** @throws ApiError CONFLICT in safe mode: the message says why, and what ends it */
  requireLive(): Promise<void>
  /**
   * Whether something that was asked for at this time (ISO 8601) must not be started any more, although the instance may be
   * live: it comes from before the safe mode, out of the copy.
   */
  isOutdated(askedAt: string): Promise<boolean>
  /** This process asks the database again at the next question: it has just changed the answer, or needs the one of now. */
  forget(): void
}

const MAX_AGE_MS = 1_000
export const FORCED_REASON = 'SAFE_MODE=true is set.'
const FORCED =
  'This instance is in safe mode, since SAFE_MODE=true is set: it starts no scans and sends no requests and no mail. Its operator takes that out of the settings and restarts it.'

interface Row {
  reason: string
  since: string
  ended_at: string | null
}

/** Every process that sends asks this, thousands of times a second while it scans. */
const FIND: Statement<Row> = { name: 'find-safe-mode', text: 'select reason, since, ended_at from safe_mode' }

/** @param prepared asks on connections that never wait behind transactions, since transactions wait for the answer */
export const createSafeMode = (prepared: PreparedReader, { SAFE_MODE: isForced }: Pick<Config, 'SAFE_MODE'>): SafeMode => {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<SafeModeState | undefined> | undefined

  const read = async (): Promise<SafeModeState | undefined> => {
    const [row] = await prepared.query(FIND, [])
    if (!row) return isForced ? { isOn: true, isForced, reason: FORCED_REASON, since: null, endedAt: null } : undefined
    const { since, ended_at: endedAt } = row
    return { isOn: isForced || endedAt === null, isForced, reason: isForced ? FORCED_REASON : row.reason, since, endedAt }
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
