import { createThreadPool } from '../../platform/concurrency/threads.ts'
import type * as excerpt from './excerpt.ts'
import { excerptsOf, type Piece } from './excerpt.ts'

const MAX_WAITING = 50
/** Queued searches of one organization, so that others find a slot. */
const MAX_WAITING_OF_ONE = 25
const MAX_WAIT_MS = 30_000
/** Fifty texts of half a megabyte take a few seconds on a busy machine. */
const MAX_MS = 30_000
const IDLE_MS = 30_000
/** Shorter texts are scanned in the main thread: starting a thread would take longer. */
const MAX_HERE = 100_000

/** @returns the matching part of each text. @throws ApiError 503 when too many searches are queued */
export type FindExcerpts = (
  organizationId: string,
  texts: readonly string[],
  words: readonly string[],
) => Promise<Piece[][]>

/** Scans long texts in a thread: fifty of half a megabyte take more than a second. */
export const createExcerpts = (): FindExcerpts => {
  const threads = createThreadPool<typeof excerpt>(new URL('excerpt.ts', import.meta.url), {
    maxThreads: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingOfParty: MAX_WAITING_OF_ONE,
    maxWaitMs: MAX_WAIT_MS,
    maxMs: MAX_MS,
    idleMs: IDLE_MS,
    busy: 'Too many searches are running. Try again in a few seconds.',
  })
  return async (organizationId, texts, words) => {
    if (texts.reduce((sum, { length }) => sum + length, 0) <= MAX_HERE) return excerptsOf({ texts, words })
    return threads.run(organizationId, 'excerptsOf', { texts, words })
  }
}
