/** Limits the simultaneous connections of all scans together. */
export interface Connections {
  /**
   * Acquires connections, first come, first served. Several are acquired together, capped at the limit.
   *
   * @returns how many were acquired, and an idempotent `release`
   * @throws the reason of the signal
   */
  take(signal: AbortSignal, count?: number): Promise<{ count: number; release: () => void }>
  /** Changes the limit. Above the new limit, no caller acquires connections until enough are released. */
  resize(max: number): void
}

interface Waiting {
  wanted: number
  begin(count: number): void
}

export const createConnections = (first: number): Connections => {
  const waiting = new Set<Waiting>()
  let max = first
  let taken = 0

  const serve = () => {
    for (const next of waiting) {
      const count = Math.min(next.wanted, max)
      if (taken + count > max) return
      waiting.delete(next)
      taken += count
      next.begin(count)
    }
  }

  const releaseOf = (count: number) => {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      taken -= count
      serve()
    }
  }

  const wait = (signal: AbortSignal, wanted: number) =>
    new Promise<number>((resolve, reject) => {
      const entry = {
        wanted,
        begin: (count: number) => {
          signal.removeEventListener('abort', giveUp)
          resolve(count)
        },
      }
      const giveUp = () => {
        waiting.delete(entry)
        reject(signal.reason as Error)
        // Smaller requests may have waited behind it.
        serve()
      }
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.add(entry)
      serve()
    })

  return {
    take: async (signal, wanted = 1) => {
      signal.throwIfAborted()
      const count = await wait(signal, wanted)
      return { count, release: releaseOf(count) }
    },
    resize: (wanted) => {
      max = wanted
      serve()
    },
  }
}
