import { createThreadPool, ThreadLimitError } from '../../platform/threads.ts'

const IDLE_MS = 30_000
/** More than any instance has under way at once. */
const MAX_WAITING = 1_000

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
 * @throws ApiError 503 when no thread can start
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers say what their module takes; a URL cannot
export const boundedThread = <Task, Result>(file: URL, { name, maxMs, maxMemory, maxThreads }: Bounds): ((task: Task) => Promise<Result | undefined>) => {
  const threads = createThreadPool<Record<string, (task: Task) => Result>>(file, {
    maxThreads,
    maxWaiting: MAX_WAITING,
    maxMs,
    idleMs: IDLE_MS,
    maxHeapMb: maxMemory,
    isLowPriority: true,
    busy: 'The server has too much to do right now. Try again shortly.',
  })
  return async (task) => {
    try {
      return await threads.run(name, task)
    } catch (error) {
      if (error instanceof ThreadLimitError) return undefined
      throw error
    }
  }
}
