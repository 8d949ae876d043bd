import { statfsSync, statSync } from 'node:fs'
import { ConfigurationError } from '../../../platform/errors.ts'
import { createStorage } from '../../../platform/files/open-storage.ts'
import { readBeat, readMark } from '../../../platform/files/storage-mark.ts'
import { type Check, NotChecked, ok, problem, warning } from './check.ts'

const GIGABYTE = 1024 * 1024 * 1024
const LITTLE_SPACE_BYTES = 5 * GIGABYTE
const NO_SPACE_BYTES = GIGABYTE / 2
const HOUR_MS = 60 * 60 * 1000
const LATE_BACKUP_MS = 48 * HOUR_MS
/** A worker counts every minute. */
const LATE_BEAT_MS = 3 * 60 * 1000
const LATE_JOB_MINUTES = 5

const storage: Check = {
  name: 'storage',
  run: async ({ config }) => {
    const stored = await createStorage(config)
    const { name: root, setting, kind } = stored
    try {
      const trouble = await stored.probe(false)
      if (trouble !== undefined) return problem(trouble, `make space, or move ${setting} to larger storage`)
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      const fix =
        kind === 'bucket'
          ? `correct ${setting}, or the rights of its access key`
          : `give ${root} to the user of the server (chown), mount it read-write, or correct ${setting}`
      return problem(error.lines.join(' '), fix)
    }
    if (kind === 'bucket') return ok(`Files can be written to ${root} and read.`)
    const { mode } = statSync(root, { throwIfNoEntry: false }) ?? { mode: 0o700 }
    if ((mode & 0o077) !== 0)
      return warning(
        `${root} has mode ${(mode & 0o777).toString(8)}: other users of this machine may read files.`,
        `chmod 700 ${root}`,
      )
    return ok(`Files can be written to ${root} and read.`)
  },
}

const space = (name: string, setting: 'STORAGE_PATH' | 'DATA_DIR'): Check => ({
  name,
  run: async ({ config }) => {
    if (setting === 'DATA_DIR' && config.DATABASE_URL) return ok('The database is on its own server.')
    const files = await createStorage(config)
    if (setting === 'STORAGE_PATH' && files.kind === 'bucket') return ok('Files are where STORAGE_URL names.')
    const directory = setting === 'STORAGE_PATH' ? files.name : config[setting]
    if (!statSync(directory, { throwIfNoEntry: false })) throw new NotChecked(`${directory} does not exist`)
    const { bavail, bsize } = statfsSync(directory)
    const free = bavail * bsize
    const found = `${(free / GIGABYTE).toFixed(1)} GB are free in ${directory}.`
    const fix = `make space, or move ${setting} to a larger disk`
    if (free < NO_SPACE_BYTES) return problem(found, fix)
    if (free < LITTLE_SPACE_BYTES) return warning(found, fix)
    return ok(found)
  },
})

const binding: Check = {
  name: 'storage-binding',
  run: async ({ config, query }) => {
    const stored = await createStorage(config)
    const { name: root, setting } = stored
    const [row] = await query<{ storage_id: string }>('select storage_id from storage_binding')
    const fix = `correct ${setting} or DATABASE_URL; to join them: npm run operator -- bind-storage`
    let mark: string | undefined
    try {
      mark = await readMark(stored)
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      return problem(error.lines.join(' '), fix)
    }
    if (mark === undefined && !row) return warning('Files and database are not bound yet.', 'start the server')
    if (mark === undefined) return problem(`${root} is not bound to this database: its files may be elsewhere.`, fix)
    if (mark !== row?.storage_id) return problem(`${root} belongs to another database.`, fix)
    return ok('Files and database belong together.')
  },
}

const workers: Check = {
  name: 'workers',
  run: async ({ config, query }) => {
    const fix = 'start one with SORTIE_ROLE=worker (or all), or: npm run operator -- worker; its log has the reason'
    const [late] = await query<{ names: string | null }>(
      `select string_agg(distinct name, ', ') as names from pgboss.job
        where state < 'active' and start_after < now() - make_interval(mins => ${LATE_JOB_MINUTES})`,
    )
    if (late?.names) return problem(`Jobs have waited for more than ${LATE_JOB_MINUTES} minutes: ${late.names}.`, fix)
    const beat = await readBeat(await createStorage(config))
    const age = beat && Date.now() - Date.parse(beat.at)
    if (age === undefined) return warning('No worker has run yet.', fix)
    if (age > LATE_BEAT_MS)
      return problem(`No worker has run since ${Math.round(age / 60_000)} minutes: imports, scans and mail wait.`, fix)
    return ok(`A worker runs${config.SORTIE_ROLE === 'api' ? ' next to this server' : ''}.`)
  },
}

const backup: Check = {
  name: 'backup',
  run: async ({ query }) => {
    const [row] = await query<{ ms: number }>(
      'select extract(epoch from taken_at)::float8 * 1000 as ms from last_backup',
    )
    const fix = 'npm run operator -- backup <directory> --keep 14, every day: deploy/systemd/backup has a timer'
    if (!row) return warning('No backup of this database was made.', fix)
    const age = Math.max(0, Date.now() - row.ms)
    const found = `The last backup is ${Math.floor(age / HOUR_MS)} hours old.`
    return age > LATE_BACKUP_MS ? problem(found, fix) : ok(found)
  },
}

const administrators: Check = {
  name: 'administrators',
  run: async ({ query }) => {
    const rows = await query<{ email: string; has_factor: boolean }>(
      `select u.email, exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
          or exists (select 1 from passkeys p where p.user_id = u.id) as has_factor
        from users u where u.is_instance_admin order by u.email limit 50`,
    )
    if (rows.length === 0)
      return problem('No account administers this instance.', 'npm run operator -- grant-admin <email>')
    const without = rows.filter((row) => !row.has_factor)
    if (without.length > 0)
      return warning(
        `Instance administrators without a second factor: ${without.map(({ email }) => email).join(', ')}.`,
        'each of them sets one up under Account, Security',
      )
    return ok(`${rows.length} instance administrators, all with a second factor.`)
  },
}

const safeMode: Check = {
  name: 'safe-mode',
  run: async ({ config, query }) => {
    if (config.SAFE_MODE)
      return warning('SAFE_MODE=true: nothing leaves this instance.', 'remove SAFE_MODE and restart every process')
    const [row] = await query<{ reason: string }>('select reason from safe_mode where ended_at is null')
    return row
      ? warning(`The instance is in safe mode: ${row.reason}`, 'npm run operator -- go-live')
      : ok('The instance is live.')
  },
}

export const INSTANCE_CHECKS: readonly Check[] = [
  storage,
  space('storage-space', 'STORAGE_PATH'),
  space('database-space', 'DATA_DIR'),
  binding,
  workers,
  backup,
  administrators,
  safeMode,
]
