import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'
import { syncAll } from './files.ts'
import type { Report } from './types.ts'

export interface NewDirectoryOptions {
  /** Must not exist yet; its parent must. */
  target: string
  /** The target must not be within this one. */
  outside: string
  report: Report
}

/** Part of the name of a directory until it is complete. */
const UNFINISHED = '.unfinished-'

/**
 * Creates a directory that gets its name only when `fill` has returned: if the process is killed, nothing of that name
 * exists. `fill` syncs what it writes.
 *
 * @throws EmbeddedPostgresError if the target exists, or cannot be created there
 */
export const inNewDirectory = async <T>(
  options: NewDirectoryOptions,
  fill: (directory: string) => Promise<T>,
): Promise<T> => {
  const target = path.resolve(options.target)
  requireNew(target, path.resolve(options.outside))
  for (const leftover of leftovers(target))
    options.report(`an earlier backup was interrupted and left ${leftover}: it can be removed`)
  const unfinished = mkdtempSync(`${target}${UNFINISHED}`)
  try {
    const filled = await fill(unfinished)
    renameSync(unfinished, target)
    await syncAll([], [path.dirname(target)])
    return filled
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

const requireNew = (target: string, outside: string) => {
  if (existsSync(target)) throw new EmbeddedPostgresError('backup', `${target} is there already: name a new directory`)
  if (!existsSync(path.dirname(target)))
    throw new EmbeddedPostgresError('backup', `${path.dirname(target)} is not there: make it first`)
  if (target.startsWith(`${outside}${path.sep}`))
    throw new EmbeddedPostgresError('backup', `${target} is inside ${outside}: a backup would hold itself`)
}

const leftovers = (target: string): string[] =>
  readdirSync(path.dirname(target))
    .filter((name) => name.startsWith(`${path.basename(target)}${UNFINISHED}`))
    .map((name) => path.join(path.dirname(target), name))
