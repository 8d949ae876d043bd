import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { ApiError, unavailable } from '../errors.ts'
import { createFairQueue } from './fair-queue.ts'
import { limitTime } from './time-limit.ts'

/** Seconds, sent as `Retry-After` when a thread pool cannot accept a task. */
const RETRY_AFTER_SECONDS = 3
/** For the start of a thread, which loads its module: seconds on a busy machine. */
const MAX_START_MS = 60_000
/**
 * Below the thread that answers requests. On other systems than Linux this would be the priority of the whole process.
 */
const LOW_PRIORITY = process.platform === 'linux' ? 10 : 0

export interface ThreadBounds {
  maxThreads: number
  /** Threads that one party uses at the same time; all of them by default. */
  threadsOfParty?: number
  /** Tasks that wait for a thread; one more is refused. */
  maxWaiting: number
  /** Per party; by default, `maxWaiting`. */
  maxWaitingOfParty?: number
  /** Milliseconds that a task waits for a thread; then it is refused. */
  maxWaitMs: number
  /** Milliseconds for a task, from its start in a thread that is ready. A thread that takes longer is terminated. */
  maxMs: number
  /** Milliseconds after which an idle thread ends, since it uses memory. */
  idleMs: number
  /** MiB of heap for each thread; by default, as much as the process has. */
  maxHeapMb?: number
  /** When all cores are busy, requests come first. */
  isLowPriority?: boolean
  /** One sentence for the client whose task is refused. */
  busy: string
}

/** A task exceeded `maxMs` or `maxHeapMb`; its thread was terminated. Answered with 503. */
export class ThreadLimitError extends ApiError {
  constructor(message: string, cause?: unknown) {
    super('INTERNAL_ERROR', message, { status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
  }
}

/** For a function with one parameter, which is copied into the thread. */
type TaskOf<Run> = Run extends (task: infer Task) => unknown ? Task : never
type ResultOf<Run> = Run extends (task: never) => infer Result ? Awaited<Result> : never

/** Exported functions of one module, run in threads. */
export interface ThreadPool<Module> {
  /**
   * @param party owner of the task, usually an organization: a fair queue serves the parties (finding T11)
   * @throws ThreadLimitError, ApiError 503 when too many tasks wait, one waits too long or no thread can start, what
   *   the function throws
   */
  run<Name extends keyof Module & string>(
    party: string,
    name: Name,
    task: TaskOf<Module[Name]>,
  ): Promise<ResultOf<Module[Name]>>
}

/**
 * The only way to run tasks in threads. A thread that cannot start, for example because the process has no file
 * descriptors left (`ERR_WORKER_INIT_FAILED`), fails only the tasks that wait for it: the next task starts a thread
 * again (S31).
 *
 * @param file URL of a module without side effects
 */
export const createThreadPool = <Module>(file: URL, bounds: ThreadBounds): ThreadPool<Module> => {
  const {
    maxThreads,
    threadsOfParty,
    maxWaiting,
    maxWaitingOfParty,
    maxWaitMs,
    maxMs,
    idleMs,
    maxHeapMb,
    isLowPriority = false,
    busy,
  } = bounds
  const pool = new Piscina({
    filename: fileURLToPath(file),
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    niceIncrement: isLowPriority ? LOW_PRIORITY : 0,
    recordTiming: false,
    ...(maxHeapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }),
  })
  const refused = (cause?: unknown) => unavailable(busy, cause, RETRY_AFTER_SECONDS)
  const waitForThread = createFairQueue(
    { places: maxThreads, placesOfParty: threadsOfParty, maxWaiting, maxWaitingOfParty, maxWaitMs },
    refused,
    refused,
  )
  /** Functions that fail the tasks handed to the pool. */
  const handedOver = new Set<(error: Error) => void>()
  const failWaiting = (cause: unknown) => {
    // A running thread takes the waiting tasks as soon as it is free.
    if (pool.threads.length > 0) return
    for (const fail of handedOver) fail(refused(cause))
    // Drops them. There is no thread to end.
    void pool.destroy()
  }
  // Emitted when a thread without a task ends: usually because it could not start.
  pool.on('error', failWaiting)

  const readyThreads = new Set<unknown>()
  /** Tasks handed to the pool that wait for a thread to be ready; it takes them in this order. */
  const waitingTasks = new Set<() => void>()
  let running = 0
  const noteStarts = () => {
    for (const start of waitingTasks) {
      if (running >= readyThreads.size) return
      waitingTasks.delete(start)
      running++
      start()
    }
  }
  pool.on('workerCreate', (thread) => {
    readyThreads.add(thread)
    noteStarts()
  })
  pool.on('workerDestroy', (thread) => readyThreads.delete(thread))

  const runNow = async (name: string, task: unknown): Promise<unknown> => {
    const failed = Promise.withResolvers<never>()
    handedOver.add(failed.reject)
    const late = new AbortController()
    const { signal } = late
    const abort = () => late.abort()
    let endLimit = limitTime(MAX_START_MS, abort)
    const start = () => {
      endLimit()
      endLimit = limitTime(maxMs, abort)
    }
    waitingTasks.add(start)
    noteStarts()
    try {
      return await Promise.race([pool.run(task, { name, signal }), failed.promise])
    } catch (error) {
      const { name: kind, code } = error as NodeJS.ErrnoException
      if (signal.aborted || code === 'ERR_WORKER_OUT_OF_MEMORY') throw new ThreadLimitError(busy, error)
      if (code === 'ERR_WORKER_INIT_FAILED') failWaiting(error)
      // The pool itself was just emptied.
      throw code === 'ERR_WORKER_INIT_FAILED' || kind === 'AbortError' ? refused(error) : error
    } finally {
      handedOver.delete(failed.reject)
      endLimit()
      if (!waitingTasks.delete(start)) running--
      noteStarts()
    }
  }

  return {
    run: async (party, name, task) => {
      const giveBack = await waitForThread(party)
      try {
        return (await runNow(name, task)) as never
      } finally {
        giveBack()
      }
    },
  }
}
