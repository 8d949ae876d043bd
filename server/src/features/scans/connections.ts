/** How many connections scans may have at once, all of them together. */
export interface Connections {
  max: number
  /**
   * Waits for its turn, first come, first served. What takes several gets them at once, and never more than `max`.
   *
   * @returns gives them back; a second call does nothing
   * @throws the reason of the signal
   */
  take(signal: AbortSignal, count?: number): Promise<() => void>
}

interface Waiting {
  count: number
  begin(): void
}

export const createConnections = (max: number): Connections => {
  const waiting = new Set<Waiting>()
  let free = max

  const serve = () => {
    for (const next of waiting) {
      if (next.count > free) return
      waiting.delete(next)
      free -= next.count
      next.begin()
    }
  }

  const releaseOf = (count: number) => {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      free += count
      serve()
    }
  }

  const wait = (signal: AbortSignal, count: number) =>
    new Promise<void>((resolve, reject) => {
      const entry = {
        count,
        begin: () => {
          signal.removeEventListener('abort', giveUp)
          resolve()
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
    })

  return {
    max,
    take: async (signal, wanted = 1) => {
      signal.throwIfAborted()
      const count = Math.min(wanted, max)
      if (waiting.size === 0 && count <= free) free -= count
      else await wait(signal, count)
      return releaseOf(count)
    },
  }
}
