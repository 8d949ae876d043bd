import os from 'node:os'

/** Additions that a two-core cloud machine makes in 20 ms. */
const ADDITIONS = 20_000_000
const USUAL_MS = 20
const REPETITIONS = 3
const KEPT_MS = 5_000

let measured = { at: Number.NEGATIVE_INFINITY, factor: 1 }

/** How many times longer work takes here than on a usual idle machine, at least 1. */
const slowness = (): number => {
  if (performance.now() - measured.at > KEPT_MS) {
    const started = performance.now()
    let sum = 0
    for (let repetition = 0; repetition < REPETITIONS; repetition++) for (let i = 0; i < ADDITIONS; i++) sum += i % 3
    if (sum === 0) throw new Error('nothing was added')
    const processor = (performance.now() - started) / REPETITIONS / USUAL_MS
    // Over the last minute: programs that compete with this one start and end at any time.
    const competition = (os.loadavg()[0] ?? 0) / os.availableParallelism()
    measured = { at: performance.now(), factor: Math.max(1, processor) * Math.max(1, competition) }
  }
  return measured.factor
}

/**
 * A limit of time as it applies on this machine at present: the limit itself where the machine is fast and idle, longer
 * where it is slow or busy. Not for a limit that tells two delays of the server apart, such as the time after which it
 * cuts connections.
 *
 * @param usualMs milliseconds, or processor milliseconds
 */
export const hereMs = (usualMs: number): number => usualMs * slowness()
