import { readdirSync, readFileSync } from 'node:fs'

/** Linux lists the open files and the limits of this process here. */
const OPEN = '/proc/self/fd'
const LIMITS = '/proc/self/limits'

/**
 * @returns how many more file descriptors this process may open; infinity on systems other than Linux, which do not
 *   report it
 */
export const freeDescriptors = (): number => {
  const limit = descriptorLimit()
  if (limit === Number.POSITIVE_INFINITY) return limit
  try {
    return limit - readdirSync(OPEN).length
  } catch (error) {
    // Counting needs a descriptor too.
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? 0 : Number.POSITIVE_INFINITY
  }
}

/** The limit of a process changes only when an operator runs `prlimit` on it. */
export const descriptorLimit = (): number => {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? 0 : Number.POSITIVE_INFINITY
  }
}
