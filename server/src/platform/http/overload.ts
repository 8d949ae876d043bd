import type { Shed } from '../errors.ts'
import type { Logger } from '../log.ts'

/** Least and most requests that are worked on at once, and how many at the start. */
const LIMIT_MIN = 16
const LIMIT_MAX = 1_024
const LIMIT_START = 256
/**
 * Requests that wait, for a lock or a slow statement, cost nothing: they alone do not bring the limit below this, which is
 * more than may wait for a database connection. What needs none has places left.
 */
const LIMIT_MIN_WAITING = 128
/** Once as many are under way, no more begin until this share of them is: those that begin together are worked on together. */
const REOPEN_AT = 0.5
/** Or until this time has passed, for those under way may all be waiting for something. */
const CLOSED_AT_MOST_MS = 50
const TICK_MS = 20
const ADJUST_AFTER_MS = 100
/** Turns of the event loop that are late by so many milliseconds, on average: more requests at once would be answered no faster. */
const LATE_MS = 10
/** Shrinking goes by how much too late answers are, within these. */
const SHRINK_LEAST = 0.9
const SHRINK_MOST = 0.25
const GROW = 1.05
/** Without a refusal for this long, the log says that it is over. */
const CALM_MS = 5_000

/** The time that a request takes of the server itself: not the time in which its body arrives or its answer leaves. */
export interface Work {
  /** Nothing is done for the request until `resume`, such as while its body arrives. */
  pause(): void
  resume(): void
  /** The answer is made. Any number of times. */
  end(): void
}

/** Decides which requests are more than the process can answer in good time. */
export interface Overload {
  /** Why a request that comes now is refused; undefined: it is served. */
  refusal(): Shed | undefined
  begin(): Work
  /** Notes that a request was refused. */
  refused(reason: Shed): void
  close(): void
}

export interface OverloadOptions {
  /** Time from request to answer, in milliseconds, that most requests shall keep to. */
  answerMs: number
  /** Milliseconds that the event loop may be late, twice in a row. */
  delayMs: number
  log: Logger
  onRefused(reason: Shed): void
}

/**
 * Keeps the number of requests under way where most are answered within `answerMs`, and where the event loop has time for
 * refusing the rest: the limit shrinks while more than half take longer, the loop is late, or some find no database
 * connection, and grows again while it is reached and none of that is so. So what is accepted is answered soon, whatever
 * the machine and the requests, and what is too much is refused at once instead of waiting for an answer that comes too
 * late. While some are refused, the others begin in groups: what many do at the same time, such as looking up who they are,
 * costs little more than what one does.
 */
export const watchOverload = ({ answerMs, delayMs, log, onRefused }: OverloadOptions): Overload => {
  let limit = LIMIT_START
  let underWay = 0
  let closedAt: number | undefined
  let peak = 0
  let finished = 0
  let slow = 0
  let refusedLate = 0
  let workedMs = 0
  let lateTicks = 0
  let lateMs = 0
  let ticks = 0
  let adjustedAt = performance.now()
  let dueAt = performance.now() + TICK_MS
  let lastRefusedAt = Number.NEGATIVE_INFINITY
  let refusedSinceCalm = 0

  const shrink = (share: number, least: number) => {
    limit = Math.max(Math.min(limit, least), Math.floor(Math.min(limit, peak) * Math.max(SHRINK_MOST, Math.min(SHRINK_LEAST, share))))
  }
  const adjust = () => {
    const isReached = peak >= limit
    const lateOnAverage = lateMs / ticks
    if (isReached && lateOnAverage > LATE_MS) shrink(LATE_MS / lateOnAverage, LIMIT_MIN)
    else if (refusedLate > 0 && limit > LIMIT_MIN_WAITING) shrink(1 - refusedLate / finished, LIMIT_MIN_WAITING)
    else if (slow * 2 > finished && limit > LIMIT_MIN_WAITING) shrink((answerMs * finished) / workedMs, LIMIT_MIN_WAITING)
    else if (isReached ? finished > 0 || limit < LIMIT_MIN_WAITING : limit < LIMIT_START) {
      limit = Math.min(isReached ? LIMIT_MAX : LIMIT_START, Math.ceil(limit * GROW))
    }
    peak = underWay
    finished = 0
    slow = 0
    refusedLate = 0
    workedMs = 0
    lateMs = 0
    ticks = 0
  }
  const timer = setInterval(() => {
    const now = performance.now()
    lateTicks = now - dueAt > delayMs ? lateTicks + 1 : 0
    lateMs += now - dueAt
    dueAt = now + TICK_MS
    ticks++
    if (now - adjustedAt >= ADJUST_AFTER_MS) {
      adjustedAt = now
      adjust()
    }
    if (refusedSinceCalm > 0 && now - lastRefusedAt > CALM_MS) {
      log.info({ refused: refusedSinceCalm }, 'no longer too many requests')
      refusedSinceCalm = 0
    }
  }, TICK_MS)
  timer.unref()

  /** Closes when the limit is reached, and opens when a group may begin. @returns whether it is closed now */
  const closeOrOpen = (): boolean => {
    if (underWay >= limit) {
      closedAt ??= performance.now()
      peak = Math.max(peak, limit)
    } else if (closedAt !== undefined) {
      const mayBegin = underWay <= limit * REOPEN_AT || performance.now() - closedAt >= CLOSED_AT_MOST_MS
      if (mayBegin) closedAt = undefined
    }
    return closedAt !== undefined
  }

  return {
    refusal: () => {
      if (closeOrOpen()) return 'requests under way'
      return lateTicks >= 2 ? 'event loop' : undefined
    },
    begin: () => {
      let since = 0
      let worked = 0
      const resume = () => {
        if (since !== 0) return
        since = performance.now()
        peak = Math.max(peak, ++underWay)
      }
      const pause = () => {
        if (since === 0) return
        worked += performance.now() - since
        since = 0
        underWay--
      }
      resume()
      return {
        pause,
        resume,
        end: () => {
          if (since === 0) return
          pause()
          finished++
          workedMs += worked
          if (worked > answerMs) slow++
        },
      }
    },
    refused: (reason) => {
      onRefused(reason)
      if (reason === 'database connections') refusedLate++
      lastRefusedAt = performance.now()
      if (refusedSinceCalm++ === 0) log.warn({ reason, limit, underWay }, 'too many requests at once: some are refused with 503')
    },
    close: () => clearInterval(timer),
  }
}
