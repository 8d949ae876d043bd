import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { Evaluated, EvaluateTask } from './evaluate-task.ts'

const MAX_MS = 2_000
const MAX_THREADS = 2
const IDLE_MS = 30_000
const NICENESS = process.platform === 'linux' ? 10 : 0

/** Captures and assertions of an answer; undefined where they took too long or too much memory. */
export type Evaluate = (task: EvaluateTask) => Promise<Evaluated | undefined>

/** In threads that are ended after two seconds, whatever an expression makes of a body. */
export const createEvaluator = (): Evaluate => {
  const threads = new Piscina<EvaluateTask, Evaluated>({
    filename: fileURLToPath(new URL('evaluate-task.ts', import.meta.url)),
    name: 'evaluate',
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    niceIncrement: NICENESS,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  return async (task) => {
    if (task.captures.length === 0 && task.assertions.length === 0) return { captured: {}, assertions: [] }
    try {
      return await threads.run(task, { signal: AbortSignal.timeout(MAX_MS) })
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      if (name === 'AbortError' || name === 'TimeoutError' || code === 'ERR_WORKER_OUT_OF_MEMORY') return undefined
      throw error
    }
  }
}
