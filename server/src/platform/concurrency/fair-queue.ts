export interface TurnBounds {
  places: number
  /** Maximum slots of one party; all by default. */
  placesOfParty?: number | undefined
  /** Tasks that wait for a slot; one more is refused. */
  maxWaiting: number
  /** Per party. */
  maxWaitingOfParty?: number | undefined
  /** Milliseconds until a slot is free. */
  maxWaitMs: number
}

interface Party {
  running: number
  waiting: Set<() => void>
}

/**
 * A fair queue for slots that parties, such as organizations, share. A free slot goes to a party that holds the fewest;
 * among those, to the one that was served longest ago. So a party that fills the queue delays another party only by the
 * tasks that already run, not by those that wait (finding T11).
 *
 * @param full makes the error of a task that finds the queue full
 * @param late makes the error of a task that has waited `maxWaitMs`
 * @returns a function that acquires a slot for a party, and resolves to its release
 */
export const createFairQueue = (
  bounds: TurnBounds,
  full: () => Error,
  late: () => Error,
): ((party: string) => Promise<() => void>) => {
  const { places, placesOfParty = places, maxWaiting, maxWaitingOfParty = maxWaiting, maxWaitMs } = bounds
  /** Ordered by the last end of a task of theirs, or by arrival; the longest ago first. */
  const parties = new Map<string, Party>()
  let running = 0
  let waiting = 0

  const findNext = (): Party | undefined => {
    let next: Party | undefined
    for (const party of parties.values()) {
      if (party.waiting.size > 0 && party.running < placesOfParty && (!next || party.running < next.running))
        next = party
    }
    return next
  }
  const begin = (party: Party) => {
    running++
    party.running++
  }
  const fillPlaces = () => {
    for (let next = findNext(); running < places && next; next = findNext()) {
      const [start] = next.waiting as Set<() => void> & [() => void]
      begin(next)
      start()
    }
  }
  const end = (name: string, party: Party) => {
    running--
    party.running--
    parties.delete(name)
    if (party.running > 0 || party.waiting.size > 0) parties.set(name, party)
    fillPlaces()
  }
  const forgetIdle = (name: string, party: Party) => {
    if (party.running === 0 && party.waiting.size === 0) parties.delete(name)
  }
  const wait = (name: string, party: Party): Promise<void> => {
    if (waiting >= maxWaiting || party.waiting.size >= maxWaitingOfParty) {
      forgetIdle(name, party)
      return Promise.reject(full())
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        party.waiting.delete(start)
        waiting--
      }
      const start = () => {
        leave()
        resolve()
      }
      const timer = setTimeout(() => {
        leave()
        forgetIdle(name, party)
        reject(late())
      }, maxWaitMs)
      waiting++
      party.waiting.add(start)
    })
  }

  return async (name) => {
    const party = parties.get(name) ?? { running: 0, waiting: new Set() }
    parties.set(name, party)
    if (running < places && party.running < placesOfParty) begin(party)
    else await wait(name, party)
    return () => end(name, party)
  }
}
