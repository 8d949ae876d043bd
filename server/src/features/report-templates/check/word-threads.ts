import { createThreadPool, type ThreadPool } from '../../../platform/concurrency/threads.ts'
import type * as tasks from './word-task.ts'

/** Longest time that reading or filling a Word document may take. */
export const WORD_SECONDS = 60

/** Each organization writes one document at a time, so that others get a thread. Times in milliseconds, memory in MiB. */
const BOUNDS = {
  maxThreads: 2,
  threadsOfParty: 1,
  maxWaiting: 16,
  maxWaitingOfParty: 4,
  maxWaitMs: 60_000,
  maxMs: WORD_SECONDS * 1_000,
  idleMs: 30_000,
  maxHeapMb: 1_024,
  isLowPriority: true,
  busy: 'Too many Word documents are being read or written. Try again in a few seconds.',
}

/** Reads and writes Word documents in threads: three hundred findings take seconds. */
export type WordThreads = ThreadPool<typeof tasks>

export const createWordThreads = (): WordThreads =>
  createThreadPool<typeof tasks>(new URL('word-task.ts', import.meta.url), BOUNDS)
