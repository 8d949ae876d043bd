import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../errors.ts'

/** However often health and metrics are read, a process probes its storage no more often than this. */
const WELL_MS = 15_000
/** Recovery shows soon. */
const TROUBLED_MS = 2_000
/** A storage that takes longer is in trouble. */
const PROBE_MS = 5_000
/** Callers that know an older state do not wait longer for the new one. */
const PATIENCE_MS = 500

/**
 * Remembers for some seconds whether a storage can be used.
 *
 * @param name of the storage, for people
 * @param probe returns or throws why the storage cannot be used now
 * @returns a function that never throws, answers within 5 seconds, and mostly at once
 */
export const watch = (name: string, probe: () => Promise<string | undefined>): (() => Promise<string | undefined>) => {
  let known: { trouble: string | undefined } | undefined
  let endsAt = 0
  let reading: Promise<string | undefined> | undefined
  const read = async () => {
    const waiting = new AbortController()
    const late = sleep(PROBE_MS, `${name} does not answer within ${PROBE_MS / 1000} seconds`, {
      ref: false,
      signal: waiting.signal,
    })
    late.catch(() => undefined)
    const trouble = await Promise.race([probe().catch(reasonOf), late])
    waiting.abort()
    known = { trouble }
    endsAt = performance.now() + (trouble === undefined ? WELL_MS : TROUBLED_MS)
    reading = undefined
    return trouble
  }
  return async () => {
    if (known && performance.now() < endsAt) return known.trouble
    reading ??= read()
    return known ? Promise.race([reading, sleep(PATIENCE_MS, known.trouble, { ref: false })]) : reading
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof ConfigurationError ? error.lines.join(' ') : (error as Error).message
