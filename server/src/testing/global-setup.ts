import { createHash } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { JOB_TYPES } from '../app.ts'
import { startEmbedded } from '../platform/database/embedded.ts'
import { migrate, readMigrations } from '../platform/database/migrate.ts'
import type { ConnectionSettings } from '../platform/database/open.ts'
import { startJobs } from '../platform/jobs/jobs.ts'
import { createLogger } from '../platform/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: ConnectionSettings
    template: string
  }
}

/** The test run's own Postgres stays here between runs, so that only the first has to make it. */
const DATA_DIR = path.resolve('node_modules/.cache/sortie-test')

/**
 * One Postgres for the run (`TEST_DATABASE_URL`, or an embedded one) and in it a migrated template, of which every test
 * file gets a copy.
 */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const log = createLogger('error')
  const url = process.env.TEST_DATABASE_URL
  const embedded = url ? undefined : await startEmbedded(DATA_DIR, log)
  const postgres = embedded?.settings ?? { connectionString: url as string }
  const template = `sortie_template_${schemaHash()}`
  await withAdmin(postgres, async (admin) => {
    await dropDatabases(admin, 'sortie_test_%')
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [template])
    if (rowCount === 0) await createTemplate(admin, postgres, template)
  })
  provide('postgres', postgres)
  provide('template', template)
  return async () => {
    await withAdmin(postgres, (admin) => dropDatabases(admin, 'sortie_test_%'))
    await embedded?.stop()
  }
}

const schemaHash = () => {
  const parts = [...readMigrations().map(({ checksum }) => checksum), JSON.stringify(JOB_TYPES)]
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12)
}

const createTemplate = async (admin: pg.Client, postgres: ConnectionSettings, template: string) => {
  const log = createLogger('error')
  await admin.query("update pg_database set datistemplate = false where datname like 'sortie\\_template\\_%'")
  await dropDatabases(admin, 'sortie_template_%')
  await admin.query(`create database ${template}`)
  const settings = databaseNamed(postgres, template)
  await migrate(settings, log, async () => {
    const jobs = await startJobs(settings, log, JOB_TYPES)
    await jobs.stop(1_000)
  })
  await admin.query(`alter database ${template} is_template true`)
}

const dropDatabases = async (admin: pg.Client, like: string) => {
  const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname like $1', [like.replaceAll('_', '\\_')])
  for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`)
}

const withAdmin = async (settings: ConnectionSettings, work: (client: pg.Client) => Promise<void>) => {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** The same server, another database. */
export const databaseNamed = (settings: ConnectionSettings, database: string): ConnectionSettings => {
  if (!('connectionString' in settings)) return { ...settings, database }
  const url = new URL(settings.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.toString() }
}
