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
