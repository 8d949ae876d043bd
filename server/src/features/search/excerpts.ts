import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { unavailable } from '../../platform/errors.ts'
import { excerptsOf, type Piece } from './excerpt.ts'

const MAX_WAITING = 50
const IDLE_MS = 30_000
/** Shorter texts together are looked through at once: a thread would take longer to begin. */
const MAX_HERE = 100_000

/** @returns for each text the piece that matched. @throws ApiError 503 when too many are looked for */
export type FindExcerpts = (texts: readonly string[], words: readonly string[]) => Promise<Piece[][]>

/** Long texts are looked through in a thread: fifty of half a megabyte take more than a second. */
export const createExcerpts = (): FindExcerpts => {
  const threads = new Piscina({
    filename: fileURLToPath(new URL('excerpt.ts', import.meta.url)),
    name: 'excerptsOf',
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MAX_WAITING,
    idleTimeout: IDLE_MS,
    recordTiming: false,
  })
  return async (texts, words) => {
    if (texts.reduce((sum, { length }) => sum + length, 0) <= MAX_HERE) return excerptsOf({ texts, words })
    if (threads.queueSize >= MAX_WAITING) throw unavailable('Too much is searched for at this moment. Try again in a few seconds.', undefined, 3)
    return threads.run({ texts, words }) as Promise<Piece[][]>
  }
}
