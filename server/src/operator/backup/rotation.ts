import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { MANIFEST } from '@sortie/embedded-postgres/backup/manifest.ts'
import { unseal } from '@sortie/embedded-postgres/backup/sealed.ts'

const NAME = /^sortie-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
/** Suffix of a backup that is being deleted. */
const REMOVED = '.removed'

/** The name of a backup that `--keep` makes. In UTC, so that names sort by time. */
export const nameOfBackup = (atMs: number): string =>
  `sortie-${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/**
 * Deletes all but the newest backups that `backup --keep` made of this database in this directory. Nothing else is ever
 * deleted: a backup must be complete, and its manifest must name this database and the directory's own name.
 *
 * @param newest just made, and never deleted
 * @returns the names of the deleted backups
 */
export const removeOldBackups = (directory: string, series: string, keep: number, newest: string): string[] => {
  const own = ownBackups(directory, series)
  // Finishes a deletion that was killed.
  for (const name of own.filter((each) => each.endsWith(REMOVED))) remove(path.join(directory, name))
  const complete = own.filter((name) => !name.endsWith(REMOVED)).toSorted()
  const old = complete.filter((name) => name !== newest).slice(0, Math.max(0, complete.length - keep))
  for (const name of old) {
    renameSync(path.join(directory, name), path.join(directory, name + REMOVED))
    remove(path.join(directory, name + REMOVED))
  }
  return old
}

const ownBackups = (directory: string, series: string): string[] =>
  readdirSync(directory).filter((entry) => {
    const name = entry.endsWith(REMOVED) ? entry.slice(0, -REMOVED.length) : entry
    if (!NAME.test(name)) return false
    const manifest = path.join(directory, entry, MANIFEST)
    const contents = existsSync(manifest) ? unseal(readFileSync(manifest, 'utf8')) : undefined
    return contents?.['series'] === series && contents['name'] === name
  })

/** Removes the manifest last, since it says whose backup this is. */
const remove = (backup: string): void => {
  for (const entry of readdirSync(backup).filter((name) => name !== MANIFEST))
    rmSync(path.join(backup, entry), { recursive: true, force: true })
  rmSync(backup, { recursive: true, force: true })
}
