import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'

const IDLE_MS = 30_000
/** Behind the thread that answers requests. Elsewhere than on Linux this would be the priority of the whole process. */
const NICENESS = process.platform === 'linux' ? 10 : 0

interface Bounds {
  /** Exported by the file. */
  name: string
  /** Milliseconds, those of waiting for a thread included. */
  maxMs: number
  /** MiB of memory. */
  maxMemory: number
  maxThreads: number
}

/**
 * Runs a function in a thread of its own, which is ended where it takes too long or too much memory.
 *
 * @param file URL of the module
 * @returns undefined where it was ended
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers say what their module takes; a URL cannot
export const boundedThread = <Task, Result>(file: URL, { name, maxMs, maxMemory, maxThreads }: Bounds): ((task: Task) => Promise<Result | undefined>) => {
  const threads = new Piscina<Task, Result>({
    filename: fileURLToPath(file),
    name,
    minThreads: 0,
    maxThreads,
    idleTimeout: IDLE_MS,
    niceIncrement: NICENESS,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: maxMemory },
  })
  return async (task) => {
    try {
      return await threads.run(task, { signal: AbortSignal.timeout(maxMs) })
    } catch (error) {
      const { name: kind, code } = error as NodeJS.ErrnoException
      if (kind === 'AbortError' || kind === 'TimeoutError' || code === 'ERR_WORKER_OUT_OF_MEMORY') return undefined
      throw error
    }
  }
}
