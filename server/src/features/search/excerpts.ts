import { createThreadPool } from '../../platform/threads.ts'
import type * as excerpt from './excerpt.ts'
import { excerptsOf, type Piece } from './excerpt.ts'

const MAX_WAITING = 50
/** Searches of one organization: others find a place in the queue. */
const MAX_WAITING_OF_ONE = 25
const MAX_WAIT_MS = 30_000
/** Fifty texts of half a megabyte take a few seconds where the machine is busy. */
const MAX_MS = 30_000
const IDLE_MS = 30_000
/** Shorter texts together are looked through at once: a thread would take longer to begin. */
const MAX_HERE = 100_000

/** @returns for each text the piece that matched. @throws ApiError 503 when too many are looked for */
export type FindExcerpts = (organizationId: string, texts: readonly string[], words: readonly string[]) => Promise<Piece[][]>

/** Long texts are looked through in a thread: fifty of half a megabyte take more than a second. */
export const createExcerpts = (): FindExcerpts => {
  const threads = createThreadPool<typeof excerpt>(new URL('excerpt.ts', import.meta.url), {
    maxThreads: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingOfParty: MAX_WAITING_OF_ONE,
    maxWaitMs: MAX_WAIT_MS,
    maxMs: MAX_MS,
    idleMs: IDLE_MS,
    busy: 'Too much is searched for at this moment. Try again in a few seconds.',
  })
  return async (organizationId, texts, words) => {
    if (texts.reduce((sum, { length }) => sum + length, 0) <= MAX_HERE) return excerptsOf({ texts, words })
    return threads.run(organizationId, 'excerptsOf', { texts, words })
  }
}
