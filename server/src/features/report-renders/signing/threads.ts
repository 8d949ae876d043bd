import { createThreadPool } from '../../../platform/concurrency/threads.ts'
import type * as tasks from './signing-task.ts'

/** Threads of the process that has the keys: opening a certificate and signing keep a core busy. MiB, milliseconds. */
export const signing = createThreadPool<typeof tasks>(new URL('signing-task.ts', import.meta.url), {
  maxThreads: 2,
  maxWaiting: 32,
  maxWaitMs: 60_000,
  maxMs: 60_000,
  idleMs: 30_000,
  maxHeapMb: 1_024,
  isLowPriority: true,
  busy: 'Too many files are being signed. Try again in a few seconds.',
})
