/**
 * Milliseconds of processor time that this process took meanwhile, server and test together: unlike the clock on the wall
 * they do not grow when other programs want the processor, too.
 */
export const processorMs = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The same of this thread alone, for work that never waits. */
export const threadMs = (work: () => unknown): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * The longest time, in milliseconds of this thread's processor time, in which nothing else was done while `work` ran. Time in
 * which another program had the processor does not count.
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
