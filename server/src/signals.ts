import type { Logger } from './platform/log.ts'

/** Ctrl-C reaches a process both from the terminal and from the parent that passes it on: one wish, not two. */
const SAME_SIGNAL_MS = 500

/**
 * The first signal drains and ends with 0, a second one ends at once. So does the end of the process that launched this one.
 *
 * @param renew what SIGHUP does instead, unless a terminal sent it, which is gone then
 */
export const stopOnSignals = (log: Logger, stop: () => Promise<void>, renew?: () => void): void => {
  let stoppingSince: number | undefined
  const onSignal = (reason: string) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ reason }, 'stopping: requests under way are finished first')
    stop().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  process.on('SIGHUP', (signal) => {
    if (renew && !hasTerminal && stoppingSince === undefined) renew()
    else onSignal(signal)
  })
  process.on('disconnect', () => onSignal('the launching process ended'))
}
