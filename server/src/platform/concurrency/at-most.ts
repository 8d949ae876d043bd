/**
 * Runs at most `max` calls at the same time. Refuses further calls immediately: nothing queues.
 *
 * @param refusal creates the error of a refused call
 */
export const atMost = (max: number, refusal: () => Error): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0
  return async (work) => {
    if (running >= max) throw refusal()
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
}
