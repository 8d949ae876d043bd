import type { Report } from '@sortie/embedded-postgres/types.ts'
import { ConfigurationError } from '../../platform/errors.ts'
import { tell } from '../command-line.ts'
import { explainFailure } from './failures.ts'

const PROGRESS_INTERVAL_MS = 5_000
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Prints sentences at once, figures every few seconds. */
export const reporter = (verb: string): Report => {
  let next = performance.now() + PROGRESS_INTERVAL_MS
  return (progress) => {
    if (typeof progress === 'string') tell(progress)
    else if (performance.now() >= next) {
      next = performance.now() + PROGRESS_INTERVAL_MS
      tell(`${verb} ${megabytes(progress.bytes)} in ${progress.files} files`)
    }
  }
}

/**
 * The first signal lets `work` clean up; a second one ends the process.
 *
 * @param consequence completes the sentence "interrupted; ..."
 * @throws ConfigurationError for errors that the operator can act on
 */
export const untilInterrupted = async <T>(
  consequence: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new ConfigurationError([`interrupted; ${consequence}`]))
  for (const signal of INTERRUPTS) process.once(signal, interrupt)
  try {
    return await work(controller.signal)
  } catch (error) {
    throw explainFailure(controller.signal.aborted ? controller.signal.reason : error)
  } finally {
    for (const signal of INTERRUPTS) process.off(signal, interrupt)
  }
}
