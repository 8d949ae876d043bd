import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { bundledVersion } from '@sortie/embedded-postgres/binaries.ts'
import pg from 'pg'
import { JOB_TYPES } from '../../../src/app/app.ts'
import { startEmbedded } from '../../../src/platform/database/connection/embedded.ts'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { migrate, readMigrations } from '../../../src/platform/database/migrate.ts'
import { startJobs } from '../../../src/platform/jobs/jobs.ts'
import { createLogger } from '../../../src/platform/log.ts'

const CACHE = path.resolve('node_modules/.cache')
const PREFIX = 'sortie-cluster-'
/** Change this when the same schema leads to a different cluster. */
const FORM = 2
const JOBS_STOP_MS = 1_000

/** Changes with every migration and every kind of job. */
export const schemaHash = (): string => {
  // Policies are made at each start, from the text of this file.
  const policies = readFileSync(path.resolve('server/src/platform/database/scope/row-level-security.ts'), 'utf8')
  const parts = [...readMigrations().map(({ checksum }) => checksum), policies, JSON.stringify(JOB_TYPES)]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12)
}

/** Makes the schema of this build, with that of the job queue, and no organization. */
export const makeSchema = async (settings: ConnectionSettings): Promise<void> => {
  const log = createLogger('error')
  await migrate(settings, log, async () => {
    const jobs = await startJobs(settings, log, JOB_TYPES)
    await jobs.stop(JOBS_STOP_MS)
  })
}

/** @returns the name of a new file of the write-ahead log, in which the database will record its shutdown */
const beginLog = async (settings: ConnectionSettings): Promise<string> => {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    await client.query('select pg_switch_wal()')
    const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_current_wal_insert_lsn()) as name')
    return rows[0]?.name as string
  } finally {
    await client.end()
  }
}

/** A stopped database needs no other file: earlier ones, and those made in advance, are more than half of it. */
const keepLog = (directory: string, kept: string): void => {
  for (const name of readdirSync(directory))
    if (/^[0-9A-F]{24}$/.test(name) && name !== kept) rmSync(path.join(directory, name))
}

/**
 * An embedded database as a first start leaves it before the first organization is made: initialised, migrated,
 * stopped. Made by the server's own code, once for each schema and version of Postgres; servers under test run on
 * copies.
 *
 * @returns its directory, to be copied with owners and modes
 */
export const initialisedCluster = async (): Promise<string> => {
  mkdirSync(CACHE, { recursive: true })
  const name = `${PREFIX}${FORM}-${bundledVersion()}-${schemaHash()}`
  const directory = path.join(CACHE, name, 'postgres')
  if (existsSync(directory)) return directory
  for (const outdated of readdirSync(CACHE).filter((entry) => entry.startsWith(PREFIX)))
    rmSync(path.join(CACHE, outdated), { recursive: true, force: true })
  const unfinished = mkdtempSync(path.join(CACHE, 'sortie-unfinished-'))
  const embedded = await startEmbedded(unfinished, createLogger('error'))
  let lastLog: string
  try {
    await makeSchema(embedded.settings)
    lastLog = await beginLog(embedded.settings)
  } finally {
    await embedded.stop()
  }
  keepLog(path.join(unfinished, 'postgres/pg_wal'), lastLog)
  try {
    renameSync(unfinished, path.join(CACHE, name))
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return directory
}
