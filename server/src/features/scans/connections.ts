/** How many connections scans may have at once, all of them together. */
export interface Connections {
  /**
   * Waits for its turn, first come, first served. What takes several gets them at once, and never more than there may be.
   *
   * @returns how many it got, and what gives them back: a second call does nothing
   * @throws the reason of the signal
   */
  take(signal: AbortSignal, count?: number): Promise<{ count: number; release: () => void }>
  /** From now on there may be so many. Where more are taken, nobody gets any until enough were given back. */
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
        // Smaller ones may have waited behind it.
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
