import { badRequest } from '../errors.ts'
import { createThreadPool, ThreadLimitError, type ThreadPool } from './threads.ts'

/** Each party reads one file at a time, so that others get a thread. Times in milliseconds, memory in MiB. */
const BOUNDS = {
  maxThreads: 2,
  threadsOfParty: 1,
  maxWaiting: 16,
  maxWaitingOfParty: 4,
  maxWaitMs: 60_000,
  maxMs: 15_000,
  idleMs: 30_000,
  maxHeapMb: 512,
  isLowPriority: true,
  busy: 'Too many files are being read. Try again in a few seconds.',
}

/**
 * Reads uploaded files in threads: a hostile one ends its thread, and slows no request.
 *
 * @param file URL of a module without side effects
 * @throws ApiError from `run`: BAD_REQUEST for a file that takes too long or too much memory, 503 if too many files
 *   wait
 */
export const createFileReader = <Module>(file: URL): ThreadPool<Module> => {
  const threads = createThreadPool<Module>(file, BOUNDS)
  return {
    run: async (party, name, task) => {
      try {
        return await threads.run(party, name, task)
      } catch (error) {
        throw error instanceof ThreadLimitError ? badRequest('Reading the file takes too long.') : error
      }
    },
  }
}
