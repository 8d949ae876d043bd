import type { Logger } from '../platform/log.ts'

/** Interval at which buffered last-used times are written to the database. */
const FLUSH_INTERVAL_MS = 1_000

/** Writes the times of last use that are buffered in memory, regularly and when asked. */
export const flushRegularly = (buffers: readonly (() => Promise<void>)[], log: Logger) => {
  let writing = Promise.resolve()
  const flush = async (): Promise<void> => {
    // Waits for a flush in progress too.
    await writing.catch(() => undefined)
    writing = Promise.all(buffers.map((write) => write())).then(() => undefined)
    await writing
  }
  const flushOrLog = () => flush().catch((error) => log.warn({ err: error }, 'times of last use were not written'))
  const timer = setInterval(() => void flushOrLog(), FLUSH_INTERVAL_MS)
  timer.unref()
  return {
    flush,
    /** Stops the timer, waits for what ends the last uses, and writes those. */
    stopAfter: async (close: () => Promise<void>): Promise<void> => {
      clearInterval(timer)
      await close()
      await flushOrLog()
    },
  }
}
