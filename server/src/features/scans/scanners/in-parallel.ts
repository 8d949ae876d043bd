/** What is found while nobody takes it: then nothing more is begun. */
const MAX_READY = 1_000

/**
 * Works on several things at once, and gives what is found as it comes. Ends early when the signal is aborted; what `work`
 * throws otherwise ends it with that error, once what is under way has ended.
 */
export async function* inParallel<T, R>(
  things: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  signal: AbortSignal,
  work: (thing: T) => Promise<readonly R[]>,
): AsyncGenerator<R> {
  const iterator = Symbol.asyncIterator in things ? things[Symbol.asyncIterator]() : things[Symbol.iterator]()
  const ready: R[] = []
  const news = createBell()
  const room = createBell()
  let isOver = false
  let failure: { error: unknown } | undefined

  const worker = async () => {
    while (!isOver && !signal.aborted) {
      if (ready.length >= MAX_READY) await room.wait()
      else {
        const { value, done } = await iterator.next()
        if (done) return
        const found = await work(value)
        if (found.length > 0) {
          ready.push(...found)
          news.ring()
        }
      }
    }
  }
  const giveUp = () => room.ring()
  signal.addEventListener('abort', giveUp, { once: true })
  const workers = Array.from({ length: atOnce }, () =>
    worker().catch((error: unknown) => {
      isOver = true
      room.ring()
      if (!signal.aborted) failure ??= { error }
    }),
  )
  let isDone = false
  const all = Promise.all(workers).then(() => {
    isDone = true
    news.ring()
  })
  try {
    while (!isDone || ready.length > 0) {
      if (ready.length === 0) await news.wait()
      const batch = ready.splice(0)
      room.ring()
      yield* batch
    }
    if (failure) throw failure.error
  } finally {
    isOver = true
    room.ring()
    signal.removeEventListener('abort', giveUp)
    await all
    await iterator.return?.()
  }
}

/** Wakes all who wait. A ring that nobody waits for wakes the next one. */
const createBell = () => {
  const waiting: (() => void)[] = []
  let hasRung = false
  return {
    ring: () => {
      hasRung = waiting.length === 0
      for (const wake of waiting.splice(0)) wake()
    },
    wait: async () => {
      if (hasRung) hasRung = false
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}
