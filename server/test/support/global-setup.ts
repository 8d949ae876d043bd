import { execFileSync } from 'node:child_process'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/platform/database/embedded.ts'
import type { ConnectionSettings } from '../../src/platform/database/open.ts'
import { createLogger } from '../../src/platform/log.ts'
import { initialisedCluster, makeSchema, schemaHash } from './initialised-cluster.ts'
import { CLUSTER_VARIABLE } from './server-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: ConnectionSettings
    template: string
  }
}

/** The test run's own Postgres stays here between runs, so that only the first has to make it. */
const DATA_DIR = path.resolve('node_modules/.cache/sortie-test')
/** Enough for the servers of all workers of a run: each of those starts up to four. */
const MAX_CONNECTIONS = 500

/**
 * One Postgres for the run (`TEST_DATABASE_URL`, or an embedded one) and in it a migrated template, of which every test
 * file gets a copy; and a whole cluster, of which servers with an embedded database get copies.
 */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  execFileSync(process.execPath, ['scripts/build-server.mjs'], { stdio: 'inherit' })
  const log = createLogger('error')
  const url = process.env.TEST_DATABASE_URL
  const embedded = url ? undefined : await startEmbedded(DATA_DIR, log, { maxConnections: MAX_CONNECTIONS })
  const postgres = embedded?.settings ?? { connectionString: url as string }
  const template = `sortie_template_${schemaHash()}`
  await withAdmin(postgres, async (admin) => {
    if (embedded) await spareDisk(admin)
    await dropDatabases(admin, 'sortie_test_%')
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [template])
    if (rowCount === 0) await createTemplate(admin, postgres, template)
  })
  process.env[CLUSTER_VARIABLE] = await initialisedCluster()
  provide('postgres', postgres)
  provide('template', template)
  return async () => {
    await withAdmin(postgres, (admin) => dropDatabases(admin, 'sortie_test_%'))
    await embedded?.stop()
  }
}

/** What only a crash of the machine would lose need not be written: here, not in the databases of servers under test. */
const spareDisk = async (admin: pg.Client) => {
  const settings = { fsync: 'off', full_page_writes: 'off', checkpoint_timeout: '30min', max_wal_size: '4GB', autovacuum_naptime: '30min' }
  for (const [name, value] of Object.entries(settings)) await admin.query(`alter system set ${name} = '${value}'`)
  await admin.query('select pg_reload_conf()')
}

const createTemplate = async (admin: pg.Client, postgres: ConnectionSettings, template: string) => {
  await admin.query("update pg_database set datistemplate = false where datname like 'sortie\\_template\\_%'")
  await dropDatabases(admin, 'sortie_template_%')
  await admin.query(`create database ${template}`)
  await makeSchema(databaseNamed(postgres, template))
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
