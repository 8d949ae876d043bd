import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { perMinute } from '../../../src/platform/concurrency/per-minute.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('S39: a limited number of events of each kind is logged in a minute; at its end the number of the others is, and the next minute starts with an event', () => {
  const summaries: object[] = []
  const mayLog = perMinute(2, (notLogged) => summaries.push(notLogged))
  expect(['a', 'a', 'a', 'b', 'a'].map(mayLog)).toEqual([true, true, false, true, false])
  vi.advanceTimersByTime(59_999)
  expect(summaries).toEqual([])
  vi.advanceTimersByTime(1)
  expect(summaries).toEqual([{ a: 2 }])
  vi.advanceTimersByTime(30_000)
  expect(['a', 'b', 'b'].map(mayLog)).toEqual([true, true, true])
  vi.advanceTimersByTime(60_000)
  // Nothing was left out.
  expect(summaries).toEqual([{ a: 2 }])
})

test('S39: if none is logged there is one line a minute for all', () => {
  const summaries: object[] = []
  const mayLog = perMinute(0, (notLogged) => summaries.push(notLogged))
  for (let i = 0; i < 5_000; i++) expect(mayLog('429')).toBe(false)
  vi.advanceTimersByTime(60_000)
  expect(summaries).toEqual([{ '429': 5_000 }])
  vi.advanceTimersByTime(600_000)
  expect(summaries).toHaveLength(1)
})
