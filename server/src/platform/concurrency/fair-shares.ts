/** Looks within `stillMs`. One that comes late, in a process that did not get to run, counts once. */
const LOOKS = 5

/** Returns a share. @param hasWorked false if what the share was for failed because it had to wait, or got no answer */
export type ReleasePlace = (hasWorked?: boolean) => void

export interface FairSemaphore {
  /** @throws what `late` makes */
  acquire(name: string): Promise<ReleasePlace>
  /** A holder gets on with its work. */
  noteProgress(name: string): void
  countWaiting(name: string): number
}

interface Shares {
  taken: number
  waiting: Set<() => void>
  /** Counts shares that were returned after work, and steps of that work. */
  progress: number
}

export interface WaitLimits {
  /** Milliseconds without progress of any holder after which a wait ends; it may take a fifth longer. */
  stillMs: number
  /** Milliseconds after which a wait ends in any case. */
  maxMs: number
}

/**
 * Limits each name to `max` holders at the same time. Later callers wait, in order of arrival. A wait ends with an
 * error when the holders are stuck. While they make progress, their work does not count, up to `maxMs`.
 *
 * @param late makes the error of a wait that times out, which `acquire` throws
 */
export const createFairSemaphore = (max: number, { stillMs, maxMs }: WaitLimits, late: () => Error): FairSemaphore => {
  const names = new Map<string, Shares>()
  const wait = (shares: Shares): Promise<void> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      let { progress } = shares
      let still = 0
      const look = () => {
        still = shares.progress === progress ? still + 1 : 0
        progress = shares.progress
        if (still < LOOKS && performance.now() - startedAt < maxMs) return
        clearInterval(timer)
        shares.waiting.delete(next)
        reject(late())
      }
      const timer = setInterval(look, stillMs / LOOKS)
      const next = () => {
        clearInterval(timer)
        resolve()
      }
      shares.waiting.add(next)
    })

  const acquire = async (name: string): Promise<ReleasePlace> => {
    const shares = names.get(name) ?? { taken: 0, waiting: new Set(), progress: 0 }
    names.set(name, shares)
    if (shares.taken < max) shares.taken++
    else await wait(shares)
    return (hasWorked = true) => {
      if (hasWorked) shares.progress++
      const [next] = shares.waiting
      if (next) {
        shares.waiting.delete(next)
        next()
      } else if (--shares.taken === 0) names.delete(name)
    }
  }
  const noteProgress = (name: string) => {
    const shares = names.get(name)
    if (shares) shares.progress++
  }
  return { acquire, noteProgress, countWaiting: (name) => names.get(name)?.waiting.size ?? 0 }
}
