import { expect, test } from 'vitest'
import type { Clock } from '../../../src/platform/clock.ts'
import { LocalRateLimiter } from '../../../src/platform/http/limits/rate-limit.ts'

const WINDOW_SECONDS = 60
const HOUR_MS = 3_600_000

/** A wall clock that can be set independently of the monotonic one. */
class SteppedClock implements Clock {
  wall: number
  elapsed = 5_000
  constructor(wall = Date.parse('2026-11-21T09:00:00.250Z')) {
    this.wall = wall
  }
  now = () => this.wall + this.elapsed
  monotonic = () => this.elapsed
}

test.each([
  ['an hour forward', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['one second back, as for a leap second', -1_000],
])('F17: the wall clock set %s in the middle of a window changes neither its end nor its count', (_name, step) => {
  const clock = new SteppedClock()
  const limiter = new LocalRateLimiter(clock, WINDOW_SECONDS)
  const opened = limiter.consume('bucket', 2)
  clock.elapsed += 1_000
  clock.wall += step
  const second = limiter.consume('bucket', 2)
  expect(second).toMatchObject({ resetSeconds: opened.resetSeconds, remaining: 0, exceeded: false })
  const third = limiter.consume('bucket', 2)
  expect(third).toMatchObject({ resetSeconds: opened.resetSeconds, exceeded: true })
  expect(third.retryAfterSeconds).toBeGreaterThan(0)
  expect(third.retryAfterSeconds).toBeLessThanOrEqual(WINDOW_SECONDS + 1)
  clock.elapsed += third.retryAfterSeconds * 1_000
  const next = limiter.consume('bucket', 2)
  expect(next).toMatchObject({ exceeded: false, remaining: 1 })
  expect(next.resetSeconds * 1_000).toBeGreaterThan(clock.now())
})

test('F17, R1: a window ends at the second that its header named, to the millisecond', () => {
  const clock = new SteppedClock()
  const limiter = new LocalRateLimiter(clock, WINDOW_SECONDS)
  const { resetSeconds } = limiter.consume('bucket', 1)
  expect(resetSeconds * 1_000 - clock.now()).toBeGreaterThanOrEqual(WINDOW_SECONDS * 1_000)
  clock.elapsed += resetSeconds * 1_000 - clock.now() - 1
  expect(limiter.consume('bucket', 1).exceeded).toBe(true)
  clock.elapsed += 1
  expect(limiter.consume('bucket', 1).exceeded).toBe(false)
})

test.each(['2038-01-19T03:14:07.999Z', '9999-12-31T23:59:00.000Z'])(
  'F17: a window opened at %s has a reset time after that',
  (moment) => {
    const clock = new SteppedClock(Date.parse(moment))
    expect(new LocalRateLimiter(clock, WINDOW_SECONDS).consume('bucket', 1).resetSeconds).toBeGreaterThan(
      clock.now() / 1_000,
    )
  },
)
