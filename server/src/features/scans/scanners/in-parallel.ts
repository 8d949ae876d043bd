/** Unconsumed results at which no new work starts. */
const MAX_READY = 1_000

/**
 * Processes several items at once and yields results as they arrive. Ends early if the signal is aborted. Another error
 * of `work` is thrown after the running items have ended.
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
  const freeSlot = createBell()
  let isOver = false
  let failure: { error: unknown } | undefined

  const worker = async () => {
    while (!isOver && !signal.aborted) {
      if (ready.length >= MAX_READY) await freeSlot.wait()
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
  const giveUp = () => freeSlot.ring()
  signal.addEventListener('abort', giveUp, { once: true })
  const workers = Array.from({ length: atOnce }, () =>
    worker().catch((error: unknown) => {
      isOver = true
      freeSlot.ring()
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
      freeSlot.ring()
      yield* batch
    }
    if (failure) throw failure.error
  } finally {
    isOver = true
    freeSlot.ring()
    signal.removeEventListener('abort', giveUp)
    await all
    await iterator.return?.()
  }
}

/** Wakes all waiting callers. Without one, the next caller does not wait. */
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
