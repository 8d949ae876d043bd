/**
 * Limits each name to `max` holders at the same time. Later callers wait, in order of arrival, for `timeoutMs` at most.
 *
 * @returns a function that acquires a share of a name, and resolves to its release
 * @throws the error of `late` when the wait times out
 */
export const fairShares = (max: number, timeoutMs: number, late: () => Error) => {
  const names = new Map<string, { taken: number; waiting: Set<() => void> }>()
  return async (name: string): Promise<() => void> => {
    const shares = names.get(name) ?? { taken: 0, waiting: new Set() }
    names.set(name, shares)
    if (shares.taken < max) shares.taken++
    else {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          shares.waiting.delete(next)
          reject(late())
        }, timeoutMs)
        const next = () => {
          clearTimeout(timer)
          resolve()
        }
        shares.waiting.add(next)
      })
    }
    return () => {
      const [next] = shares.waiting
      if (next) {
        shares.waiting.delete(next)
        next()
      } else if (--shares.taken === 0) names.delete(name)
    }
  }
}
