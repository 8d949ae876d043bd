import { boundedThread } from '../bounded-thread.ts'
import type { Evaluated, EvaluateTask } from './evaluate-task.ts'

/** Captures and assertions of an answer; undefined where they took too long or too much memory. */
export type Evaluate = (task: EvaluateTask) => Promise<Evaluated | undefined>

/** With the start of a thread, which takes a second where the machine is busy. */
const MAX_MS = 5_000

/** In threads that are ended after that, whatever an expression makes of a body. */
export const createEvaluator = (): Evaluate => {
  const run = boundedThread<EvaluateTask, Evaluated>(new URL('evaluate-task.ts', import.meta.url), { name: 'evaluate', maxMs: MAX_MS, maxMemory: 128 })
  return async (task) => (task.captures.length === 0 && task.assertions.length === 0 ? { captured: {}, assertions: [] } : run(task))
}
