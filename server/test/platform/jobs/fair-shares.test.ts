import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairSemaphore } from '../../../src/platform/concurrency/fair-shares.ts'

const LATE = new Error('late')
const sharesOf = (maxMs = 60_000) => createFairSemaphore(1, { stillMs: 500, maxMs }, () => LATE)

test('a caller waits longer than the time limit while the holders before it return their shares', async () => {
  const { acquire, countWaiting } = sharesOf()
  const startedAt = performance.now()
  const ended: number[] = []
  const hold = async (i: number) => {
    const release = await acquire('a')
    await sleep(100)
    ended.push(i)
    release()
  }
  const all = Array.from({ length: 12 }, (_, i) => hold(i))
  await sleep(0)
  expect(countWaiting('a')).toBe(11)
  await Promise.all(all)
  expect(ended).toEqual(Array.from({ length: 12 }, (_, i) => i))
  expect(performance.now() - startedAt).toBeGreaterThan(1_000)
  expect(countWaiting('a')).toBe(0)
})

test('a caller waits longer than the time limit while the holder makes progress', async () => {
  const { acquire, noteProgress } = sharesOf()
  const release = await acquire('a')
  const next = acquire('a')
  for (let step = 0; step < 12; step++) {
    await sleep(100)
    noteProgress('a')
  }
  release()
  ;(await next)()
})

test('a caller waits no longer than the time limit if nothing moves, or if shares come back without work; the next gets the share', async () => {
  const { acquire } = sharesOf()
  const release = await acquire('a')
  await expect(acquire('a')).rejects.toBe(LATE)
  const waiting = Array.from({ length: 20 }, async () => {
    const fail = await acquire('a')
    await sleep(100)
    fail(false)
  })
  release(false)
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(10)
  ;(await acquire('a'))()
})

test('a caller waits no longer than the longest wait, even if the holders before it return their shares', async () => {
  const { acquire } = sharesOf(1_000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, async () => {
      const release = await acquire('a')
      await sleep(100)
      release()
    }),
  )
  expect(outcomes[0]?.status).toBe('fulfilled')
  expect(outcomes.at(-1)).toEqual({ status: 'rejected', reason: LATE })
})

test('a process that did not get to run for longer than the time limit does not end the wait', async () => {
  const { acquire } = sharesOf()
  const release = await acquire('a')
  const next = acquire('a')
  const until = performance.now() + 1_000
  while (performance.now() < until);
  setImmediate(release)
  ;(await next)()
})

test('names share nothing', async () => {
  const { acquire } = sharesOf()
  const release = await acquire('a')
  ;(await acquire('b'))()
  release()
})
