import { boundedThread } from '../bounded-thread.ts'
import type { Evaluated, EvaluateTask } from './evaluate-task.ts'

/**
 * Captures and assertions of an answer; undefined where they took too long or too much memory.
 *
 * @param organizationId whose they are: one at a time of each, so that expressions that take long hold up nobody else's
 */
export type Evaluate = (organizationId: string, task: EvaluateTask) => Promise<Evaluated | undefined>

/** With the start of a thread, which takes a second where the machine is busy. */
const MAX_MS = 5_000
/** So many organizations at once. */
const MAX_THREADS = 4

/** In threads that are ended after that, whatever an expression makes of a body. */
export const createEvaluator = (): Evaluate => {
  const bounds = { name: 'evaluate', maxMs: MAX_MS, maxMemory: 128, maxThreads: MAX_THREADS }
  const run = boundedThread<EvaluateTask, Evaluated>(new URL('evaluate-task.ts', import.meta.url), bounds)
  const last = new Map<string, Promise<unknown>>()
  return async (organizationId, task) => {
    if (task.captures.length === 0 && task.assertions.length === 0) return { captured: {}, assertions: [] }
    const before = last.get(organizationId) ?? Promise.resolve()
    const mine = before.then(() => run(task))
    const ended = mine.catch(() => undefined)
    last.set(organizationId, ended)
    try {
      return await mine
    } finally {
      if (last.get(organizationId) === ended) last.delete(organizationId)
    }
  }
}
