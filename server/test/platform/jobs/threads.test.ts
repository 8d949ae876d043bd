import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createThreadPool, type ThreadBounds, ThreadLimitError } from '../../../src/platform/concurrency/threads.ts'

interface Tasks {
  double(value: number): number
  refuse(reason: string): never
  hang(task: null): never
  fill(task: null): never
  wait(ms: number): Promise<number>
}

const CODE = `
export const double = (value) => 2 * value
export const refuse = (reason) => { throw new Error(reason) }
export const hang = () => { for (;;); }
export const fill = () => { const all = []; for (;;) all.push(Array.from({ length: 10_000 }, () => ({}))) }
export const wait = (ms) => new Promise((resolve) => setTimeout(() => resolve(ms), ms))
`
const BUSY = 'Too much is computed at this moment.'
const BOUNDS: ThreadBounds = {
  maxThreads: 2,
  maxWaiting: 20,
  maxWaitMs: 60_000,
  maxMs: 60_000,
  idleMs: 10_000,
  busy: BUSY,
}

let directory: string
let module: URL
beforeAll(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-threads-'))
  module = pathToFileURL(path.join(directory, 'tasks.mjs'))
  writeFileSync(module, CODE)
})
afterAll(() => rmSync(directory, { recursive: true }))

const pool = (bounds: Partial<ThreadBounds> = {}, file = module) =>
  createThreadPool<Tasks>(file, { ...BOUNDS, ...bounds })

/** The outcome of each task. */
const outcomes = async (tasks: Promise<unknown>[]) =>
  (await Promise.allSettled(tasks)).map((each) => (each.status === 'fulfilled' ? each.value : each.reason))

test('S31: a thread that cannot start fails every task that waits for it with 503 and Retry-After, and the next task starts a thread again', async () => {
  // Starting threads fail to load it, until it exists.
  const late = pathToFileURL(path.join(directory, 'late.mjs'))
  const threads = pool({}, late)
  for (let round = 0; round < 2; round++) {
    for (const error of await outcomes(Array.from({ length: 10 }, () => threads.run('a', 'double', 4)))) {
      expect(error).toMatchObject({ status: 503, retryAfterSeconds: 3, message: BUSY })
      expect(String((error as Error).cause)).toContain('late.mjs')
    }
  }
  writeFileSync(late, CODE)
  expect(await outcomes(Array.from({ length: 10 }, () => threads.run('a', 'double', 4)))).toEqual(
    Array.from({ length: 10 }, () => 8),
  )
})

test('an error of a function is the error of its task, and the thread continues', async () => {
  const threads = pool({ maxThreads: 1 })
  expect(await outcomes([threads.run('a', 'refuse', 'no'), threads.run('a', 'double', 1)])).toEqual([
    new Error('no'),
    2,
  ])
})

test('a task that takes too long is terminated with its thread; those that wait behind it are done', async () => {
  const threads = pool({ maxThreads: 1, maxMs: 6_000 })
  await threads.run('a', 'double', 1)
  const hanging = threads.run('a', 'hang', null)
  const [error] = await outcomes([hanging])
  expect(error).toBeInstanceOf(ThreadLimitError)
  expect(error).toMatchObject({ status: 503, message: BUSY })
  expect(await threads.run('a', 'double', 2)).toBe(4)
})

test('tasks that use too much memory are terminated with their threads; those that wait behind them are done', async () => {
  const threads = pool({ maxHeapMb: 32 })
  const all = await outcomes([
    threads.run('a', 'fill', null),
    threads.run('a', 'fill', null),
    threads.run('a', 'double', 1),
    threads.run('a', 'double', 2),
  ])
  expect(all).toEqual([expect.any(ThreadLimitError), expect.any(ThreadLimitError), 2, 4])
})

test("one task over the queue's limit is refused at once with 503 and Retry-After", async () => {
  const threads = pool({ maxThreads: 1, maxWaiting: 1 })
  const all = await outcomes([
    threads.run('a', 'wait', 50),
    threads.run('a', 'double', 1),
    threads.run('a', 'double', 2),
  ])
  expect(all).toEqual([
    50,
    2,
    expect.objectContaining({ status: 503, retryAfterSeconds: 3, message: BUSY, cause: undefined }),
  ])
})

test('T11: a party whose tasks fill the queue delays another party only by the running task, and not by waiting ones', async () => {
  const threads = pool({ maxThreads: 1 })
  const ended: string[] = []
  const run = (party: string) => threads.run(party, 'wait', 20).then(() => ended.push(party))
  const all = [run('a'), run('a'), run('a'), run('a'), run('b'), run('b')]
  await Promise.all(all)
  expect(ended).toEqual(['a', 'b', 'a', 'b', 'a', 'a'])
})

test('T11: the time of a task starts in its thread: those that wait longer than a task may take are done', async () => {
  const threads = pool({ maxThreads: 1, maxMs: 3_000 })
  await threads.run('a', 'double', 1)
  const all = await outcomes(Array.from({ length: 5 }, () => threads.run('a', 'wait', 1_000)))
  expect(all).toEqual([1_000, 1_000, 1_000, 1_000, 1_000])
})

test('T11: the time of a task starts once its thread is ready: the first task of a thread that takes long to load is done', async () => {
  const slow = pathToFileURL(path.join(directory, 'slow.mjs'))
  writeFileSync(slow, `await new Promise((resolve) => setTimeout(resolve, 2_000))${CODE}`)
  const threads = pool({ maxMs: 1_000 }, slow)
  expect(
    await outcomes([threads.run('a', 'double', 1), threads.run('a', 'double', 2), threads.run('b', 'double', 3)]),
  ).toEqual([2, 4, 6])
  expect(await outcomes([threads.run('a', 'hang', null)])).toEqual([expect.any(ThreadLimitError)])
})

test('T11: a task that gets no thread within the longest wait is refused with 503, and frees its place in the queue', async () => {
  const threads = pool({ maxThreads: 1, maxWaitMs: 100 })
  await threads.run('a', 'double', 1)
  const all = outcomes([threads.run('a', 'wait', 2_000), threads.run('a', 'double', 1), threads.run('b', 'double', 2)])
  expect(await all).toEqual([
    2_000,
    expect.objectContaining({ status: 503, message: BUSY }),
    expect.objectContaining({ status: 503, message: BUSY }),
  ])
  expect(await threads.run('b', 'double', 3)).toBe(6)
})

test('T11: of one party only a limited number of tasks run and wait; another party has a thread and a place in the queue', async () => {
  const threads = pool({ maxThreads: 2, threadsOfParty: 1, maxWaitingOfParty: 1 })
  const hanging = threads.run('a', 'wait', 3_000)
  const next = threads.run('a', 'double', 1)
  const refused = await outcomes([threads.run('a', 'double', 1)])
  expect(refused).toEqual([expect.objectContaining({ status: 503, retryAfterSeconds: 3 })])
  let isNextDone = false
  const noted = next.then(() => {
    isNextDone = true
  })
  expect(await outcomes([threads.run('b', 'double', 2), threads.run('b', 'double', 3)])).toEqual([4, 6])
  expect(isNextDone).toBe(false)
  await Promise.all([hanging, noted])
})
