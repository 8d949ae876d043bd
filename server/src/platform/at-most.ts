/**
 * Does at most `max` of something at the same time. What is more is refused at once: nothing queues.
 *
 * @param refusal made for each one that is refused
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
