import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { ApiError, unavailable } from './errors.ts'
import { takeTurns } from './turns.ts'

/** Seconds, sent as `Retry-After` when a thread pool cannot take a task. */
const RETRY_AFTER_SECONDS = 3
/** Behind the thread that answers requests. Elsewhere than on Linux this would be the priority of the whole process. */
const LOW_PRIORITY = process.platform === 'linux' ? 10 : 0

export interface ThreadBounds {
  maxThreads: number
  /** Threads that one party uses at once; without it, all of them. */
  threadsOfParty?: number
  /** Tasks that wait for a thread; one more is refused. */
  maxWaiting: number
  /** Of one party; without it, as many as may wait in all. */
  maxWaitingOfParty?: number
  /** Milliseconds that a task waits for a thread; then it is refused. */
  maxWaitMs: number
  /** Milliseconds for a task, from its beginning in a thread. A thread that takes longer is terminated. */
  maxMs: number
  /** Milliseconds after which an idle thread ends, since it holds memory. */
  idleMs: number
  /** MiB of heap for each thread; without it, as much as the process has. */
  maxHeapMb?: number
  /** Where all cores are busy, requests come first. */
  isLowPriority?: boolean
  /** One sentence for the client whose task is refused. */
  busy: string
}

/** A task took longer than `maxMs`, or more memory than `maxHeapMb`; its thread was terminated. Answered with 503. */
export class ThreadLimitError extends ApiError {
  constructor(message: string, cause?: unknown) {
    super('INTERNAL_ERROR', message, { status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
  }
}

/** Of a function with one parameter, which is copied into the thread. */
type TaskOf<Run> = Run extends (task: infer Task) => unknown ? Task : never
type ResultOf<Run> = Run extends (task: never) => infer Result ? Awaited<Result> : never

/** Exported functions of one module, run in threads. */
export interface ThreadPool<Module> {
  /**
   * @param party whose task it is, as a rule an organization: parties take turns (finding S11)
   * @throws ThreadLimitError, ApiError 503 when too many tasks wait, one waits too long or no thread can start, what the
   *   function throws
   */
  run<Name extends keyof Module & string>(party: string, name: Name, task: TaskOf<Module[Name]>): Promise<ResultOf<Module[Name]>>
}

/**
 * The only way to run tasks in threads. A thread that cannot start, for example because the process has no file descriptors
 * left (`ERR_WORKER_INIT_FAILED`), fails the tasks that wait for it and nothing else: the next task starts a thread again (S31).
 *
 * @param file URL of a module without side effects
 */
export const createThreadPool = <Module>(file: URL, bounds: ThreadBounds): ThreadPool<Module> => {
  const { maxThreads, threadsOfParty, maxWaiting, maxWaitingOfParty, maxWaitMs, maxMs, idleMs, maxHeapMb, isLowPriority = false, busy } = bounds
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
  const takeThread = takeTurns({ places: maxThreads, placesOfParty: threadsOfParty, maxWaiting, maxWaitingOfParty, maxWaitMs }, refused, refused)
  /** How to fail each task that was handed to the pool. */
  const handedOver = new Set<(error: Error) => void>()
  const failWaiting = (cause: unknown) => {
    // A thread that is there takes the tasks that wait as soon as it is free.
    if (pool.threads.length > 0) return
    for (const fail of handedOver) fail(refused(cause))
    // Forgets them. There is no thread to end.
    void pool.destroy()
  }
  // Told when a thread ends that had no task: because it could not start, as a rule.
  pool.on('error', failWaiting)

  const runNow = async (name: string, task: unknown, signal: AbortSignal): Promise<unknown> => {
    const failed = Promise.withResolvers<never>()
    handedOver.add(failed.reject)
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
    }
  }

  return {
    run: async (party, name, task) => {
      const giveBack = await takeThread(party)
      try {
        return (await runNow(name, task, AbortSignal.timeout(maxMs))) as never
      } finally {
        giveBack()
      }
    },
  }
}
