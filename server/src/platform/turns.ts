export interface TurnBounds {
  places: number
  /** Of one party at once; without it, all places. */
  placesOfParty?: number | undefined
  /** Those that wait for a place; one more is refused. */
  maxWaiting: number
  /** Of one party. */
  maxWaitingOfParty?: number | undefined
  /** Milliseconds until a place is free. */
  maxWaitMs: number
}

interface Party {
  running: number
  waiting: Set<() => void>
}

/**
 * Places that parties, such as organizations, take in turn. A free place goes to a party that holds the fewest; among those, to
 * the one that was served longest ago. So a party that fills the queue delays another party by the tasks that already run, and
 * not by those that wait (finding S11).
 *
 * @param full makes the error of a task that finds no free place in the queue
 * @param late makes the error of a task that has waited `maxWaitMs`
 * @returns takes a place of this party, and answers with how to give it back
 */
export const takeTurns = (bounds: TurnBounds, full: () => Error, late: () => Error): ((party: string) => Promise<() => void>) => {
  const { places, placesOfParty = places, maxWaiting, maxWaitingOfParty = maxWaiting, maxWaitMs } = bounds
  /** In the order in which a task of theirs ended, or they came; the longest ago first. */
  const parties = new Map<string, Party>()
  let running = 0
  let waiting = 0

  const findNext = (): Party | undefined => {
    let next: Party | undefined
    for (const party of parties.values()) {
      if (party.waiting.size > 0 && party.running < placesOfParty && (!next || party.running < next.running)) next = party
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
