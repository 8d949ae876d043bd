import { createThreadPool } from '../concurrency/threads.ts'
import type { Passage } from './difference.ts'
import type * as tasks from './sections-task.ts'
import { createTurns, type InTurn } from './turns.ts'

const BOUNDS = {
  maxThreads: 2,
  maxWaiting: 200,
  maxWaitingOfParty: 100,
  maxWaitMs: 40_000,
  // The worst texts take a few seconds on a busy machine.
  maxMs: 20_000,
  idleMs: 60_000,
  busy: 'Too many texts are saved at this moment. Try again in a few seconds.',
}
/**
 * Less than the response timeout of such a change: before the connection is closed, the caller learns that nothing was
 * done.
 */
const MAX_TURN_WAIT_MS = 45_000

/** Merges and compares texts of several sections in threads. Organizations share them through a fair queue. */
export interface SectionTexts {
  /** @returns undefined if changes overlap @throws ApiError 503 when too many texts are queued */
  merge(organizationId: string, task: tasks.MergeTask): Promise<tasks.Sections | undefined>
  compare(organizationId: string, before: tasks.Sections, after: tasks.Sections): Promise<Record<string, Passage[]>>
  inTurn: InTurn
}

export const createSectionTexts = (): SectionTexts => {
  const { run } = createThreadPool<typeof tasks>(new URL('sections-task.ts', import.meta.url), BOUNDS)
  return {
    merge: (organizationId, task) => run(organizationId, 'mergeSections', task),
    compare: (organizationId, before, after) => run(organizationId, 'compareSections', { before, after }),
    inTurn: createTurns(
      MAX_TURN_WAIT_MS,
      'Too many changes of this object wait for each other. Try again in a few seconds.',
    ),
  }
}
