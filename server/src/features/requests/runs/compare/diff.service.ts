import { createThreadPool, ThreadLimitError } from '../../../../platform/concurrency/threads.ts'
import type { Database } from '../../../../platform/database/connection/open.ts'
import { notFound, unavailable } from '../../../../platform/errors.ts'
import { findRunBody } from '../runs.queries.ts'
import type * as tasks from './compare-task.ts'

/**
 * Compares the responses of two runs. @throws ApiError NOT_FOUND, 503 if too many comparisons wait or one takes too
 * long
 */
export type DiffRuns = (db: Database, organizationId: string, aId: string, bId: string) => Promise<tasks.Diff>

/** Each organization compares one pair at a time, so that others get a thread. */
export const createDiffRuns = (): DiffRuns => {
  const threads = createThreadPool<typeof tasks>(new URL('compare-task.ts', import.meta.url), {
    maxThreads: 2,
    threadsOfParty: 1,
    maxWaiting: 20,
    maxWaitingOfParty: 4,
    maxWaitMs: 30_000,
    maxMs: 10_000,
    idleMs: 30_000,
    maxHeapMb: 512,
    isLowPriority: true,
    busy: 'Too many runs are being compared. Try again in a few seconds.',
  })
  return async (db, organizationId, aId, bId) => {
    const [a, b] = [await findRunBody(db, organizationId, aId), await findRunBody(db, organizationId, bId)]
    if (!a || !b) throw notFound()
    try {
      return await threads.run(organizationId, 'compareAnswers', { a: partOf(a), b: partOf(b) })
    } catch (error) {
      throw error instanceof ThreadLimitError
        ? unavailable(
            'These responses take too long to compare. Download both bodies to compare them elsewhere.',
            error,
          )
        : error
    }
  }
}

const partOf = ({ response, body }: NonNullable<Awaited<ReturnType<typeof findRunBody>>>): tasks.CompareTask['a'] => ({
  answer: response as tasks.Answer | null,
  body: body ?? new Uint8Array(),
})
