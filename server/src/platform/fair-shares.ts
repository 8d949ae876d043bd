/**
 * At most `max` holders of each name at once. Who comes later waits, in order of arrival, for `timeoutMs` at most.
 *
 * @returns takes a share of this name, and answers with how to give it back
 * @throws what `late` makes, for who waited in vain
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
