import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** Interval at which the delay of the event loop and the heap are measured. */
const SAMPLE_MS = 250
/** Resolution of the timer that measures the delay, in milliseconds; each measurement includes it. */
const RESOLUTION_MS = 10
const MAX_HEAP_SHARE = 0.9

export interface PressureLimits {
  /** Average delay of the event loop; 0 for no limit. */
  delayMs: number
  /** Used JavaScript heap; undefined for 90 % of what Node allows. */
  heapMb: number | undefined
}

export interface Pressure {
  /** The exceeded limit, if any. */
  reason(): 'memory' | 'event loop' | undefined
  stop(): void
}

/**
 * Watches the event loop and the heap. Neither needs a file descriptor, unlike `process.memoryUsage()`, which fails in
 * a process that has none left (S25).
 */
export const watchPressure = ({ delayMs, heapMb }: PressureLimits): Pressure => {
  const { heap_size_limit: heapLimit } = getHeapStatistics()
  const maxHeapBytes = heapMb === undefined ? heapLimit * MAX_HEAP_SHARE : heapMb * 1_048_576
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let isLate = false
  let isFull = false
  const timer = setInterval(() => {
    // Without a sample, the loop was blocked for the whole interval.
    const delay = Number.isNaN(histogram.mean) ? Number.POSITIVE_INFINITY : histogram.mean / 1e6 - RESOLUTION_MS
    histogram.reset()
    isLate = delayMs > 0 && delay > delayMs
    isFull = getHeapStatistics().used_heap_size > maxHeapBytes
  }, SAMPLE_MS).unref()
  return {
    reason: () => (isFull ? 'memory' : isLate ? 'event loop' : undefined),
    stop: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
