import { setTimeout as sleep } from 'node:timers/promises'
import { perMinute } from '../platform/concurrency/per-minute.ts'
import type { Logger } from '../platform/log.ts'

/** Time that a process which ends because of a defect has to stop the embedded Postgres. */
const STOP_TIMEOUT_MS = 5_000
/** An error names its cause, which may name its own; real chains are shorter. */
const MAX_CAUSES = 5

/** Temporary shortages of the operating system, the disk or the network. They are not defects of the process. */
const RESOURCES = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ENOBUFS', 'ERR_WORKER_INIT_FAILED']
const DISK = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS']
const NETWORK = [
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]
const SYSTEM_ERRORS = new Set([...RESOURCES, ...DISK, ...NETWORK])

const isSystemError = (error: unknown): boolean => {
  let each = error
  for (let i = 0; i < MAX_CAUSES && each instanceof Error; i++) {
    if (SYSTEM_ERRORS.has((each as NodeJS.ErrnoException).code ?? '')) return true
    each = each.cause
  }
  return false
}

/**
 * Handles errors and rejections that nothing caught. Each is a defect: it is logged and counted. An error of the system
 * does not end the process; any other one ends it with 1, and leaves no Postgres behind.
 *
 * @returns the number of these errors since the process started
 */
export const watchUncaught = (log: Logger, stopEmbedded: () => Promise<void>): (() => number) => {
  let count = 0
  let isEnding = false
  const end = async () => {
    try {
      await Promise.race([stopEmbedded(), sleep(STOP_TIMEOUT_MS)])
    } catch (error) {
      log.error({ err: error }, 'the embedded Postgres could not be stopped')
    }
    process.exit(1)
  }
  // One cause may recur with every connection.
  const mayLog = perMinute(1, (notLogged) =>
    log.error({ uncaught: notLogged }, 'uncaught system errors within a minute'),
  )
  process.on('uncaughtException', (error) => {
    count++
    if (isSystemError(error)) {
      if (mayLog((error as NodeJS.ErrnoException).code ?? error.name))
        log.error({ err: error }, 'uncaught error: the process continues')
      return
    }
    log.fatal({ err: error }, 'uncaught error: the process ends')
    if (isEnding) return
    isEnding = true
    void end()
  })
  return () => count
}
