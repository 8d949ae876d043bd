/**
 * Milliseconds of processor time of this process during `work`, server and test together: unlike wall-clock time they
 * do not grow when other programs use the processor.
 */
export const processorMs = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Processor time of only this thread, for synchronous `work`. */
export const threadMs = (work: () => unknown): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * The longest block of this thread while `work` ran, in milliseconds of its processor time. Time of other programs does
 * not count.
 */
export const longestBlockMs = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 5)
  await work()
  clearInterval(timer)
  return longest
}
