import { readdirSync, readFileSync } from 'node:fs'

/** Where Linux says what this process has open, and how much it may have. */
const OPEN = '/proc/self/fd'
const LIMITS = '/proc/self/limits'

/**
 * @returns how many more file descriptors this process may open; infinity where the system does not tell (other than Linux)
 */
export const freeDescriptors = (): number => {
  const limit = descriptorLimit()
  if (limit === Number.POSITIVE_INFINITY) return limit
  try {
    return limit - readdirSync(OPEN).length
  } catch (error) {
    // To look takes a descriptor as well.
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? 0 : Number.POSITIVE_INFINITY
  }
}

/** The limit of a process changes only when somebody runs `prlimit` on it. */
const descriptorLimit = (): number => {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? 0 : Number.POSITIVE_INFINITY
  }
}
