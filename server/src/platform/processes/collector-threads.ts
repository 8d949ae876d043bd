import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import type { Logger } from '../log.ts'

/** What Node calls the threads that mark and compile beside the event loop. */
const NAME = 'V8Worker'
/** Behind the thread that answers requests. */
const NICENESS = 10
const THREADS = '/proc/self/task'

/**
 * Lets the threads that collect garbage yield to the event loop: where all cores are busy they would take its time while
 * they mark, a tenth of a second at once. Where a core is free, they use it as before. Only on Linux, where a thread has a
 * priority of its own; without it all works the same, but for that tenth.
 */
export const collectBehindEventLoop = (log: Logger): void => {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync(THREADS)) {
      if (readFileSync(path.join(THREADS, thread, 'comm'), 'utf8').trim() === NAME) setPriority(Number(thread), NICENESS)
    }
  } catch (error) {
    log.debug({ err: error }, 'garbage is collected with the same priority as requests are answered')
  }
}
