import { createThreadPool } from '../../platform/threads.ts'
import type * as excerpt from './excerpt.ts'
import { excerptsOf, type Piece } from './excerpt.ts'

const MAX_WAITING = 50
/** As long as those that wait may take together. */
const MAX_MS = 60_000
const IDLE_MS = 30_000
/** Shorter texts together are looked through at once: a thread would take longer to begin. */
const MAX_HERE = 100_000

/** @returns for each text the piece that matched. @throws ApiError 503 when too many are looked for */
export type FindExcerpts = (texts: readonly string[], words: readonly string[]) => Promise<Piece[][]>

/** Long texts are looked through in a thread: fifty of half a megabyte take more than a second. */
export const createExcerpts = (): FindExcerpts => {
  const threads = createThreadPool<typeof excerpt>(new URL('excerpt.ts', import.meta.url), {
    maxThreads: 1,
    maxWaiting: MAX_WAITING,
    maxMs: MAX_MS,
    idleMs: IDLE_MS,
    busy: 'Too much is searched for at this moment. Try again in a few seconds.',
  })
  return async (texts, words) => {
    if (texts.reduce((sum, { length }) => sum + length, 0) <= MAX_HERE) return excerptsOf({ texts, words })
    return threads.run('excerptsOf', { texts, words })
  }
}
