import type { Logger } from '../platform/log.ts'

/**
 * Ctrl-C reaches a process both from the terminal and from the parent that passes it on: within this time it counts
 * once.
 */
const SAME_SIGNAL_MS = 500

/**
 * The first SIGTERM, SIGINT or SIGHUP runs `stop` and ends the process with 0; a second one ends it at once with 1. The
 * end of the process that launched this one counts as the first.
 *
 * @returns a signal that is aborted from the first signal on
 */
export const stopOnSignals = (log: Logger, stop: () => Promise<void>): AbortSignal => {
  const stopping = new AbortController()
  let stoppingSince = 0
  const onSignal = (reason: string) => {
    if (stopping.signal.aborted) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    stopping.abort()
    log.info({ reason }, 'stopping: requests under way are finished first')
    stop().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('disconnect', () => onSignal('the launching process ended'))
  return stopping.signal
}
