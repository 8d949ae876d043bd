import os from 'node:os'

const [LEAST_MB, MOST_MB] = [128, 1024]

/**
 * An eighth of the memory of the machine or of the container, for pages of tables, in MB. With the default of Postgres,
 * 128 MB, a search in a table of a million rows gets each page from the operating system and takes up to three times as long.
 */
export const defaultMemoryMb = (): number => {
  const limit = process.constrainedMemory()
  const bytes = limit ? Math.min(limit, os.totalmem()) : os.totalmem()
  return Math.min(MOST_MB, Math.max(LEAST_MB, Math.floor(bytes / 8 / 1024 ** 2)))
}
