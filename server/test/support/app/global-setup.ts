import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { EMBEDDED_NAME, startEmbedded } from '../../../src/platform/database/connection/embedded.ts'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { databaseNamed } from '../database/database-named.ts'
import { initialisedCluster, makeSchema, schemaHash } from '../database/initialised-cluster.ts'
import { defaultDocument } from '../document/default-document.ts'
import { DOCUMENT_VARIABLE } from '../document/document-variable.ts'
import { CLUSTER_VARIABLE } from './server-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: ConnectionSettings
    template: string
  }
}

const CACHE = path.resolve('node_modules/.cache')
const DATA_DIR = path.join(CACHE, 'sortie-test')
const DOCUMENT = path.join(CACHE, 'sortie-test-document.json')
/** Enough for the servers of all workers of a run: each of those starts up to four. */
const MAX_CONNECTIONS = 500

/**
 * Prepares a cluster, which servers with an embedded database copy, and one Postgres for the run, with a migrated
 * template that every test file copies: also a copy of that cluster, or the database of `TEST_DATABASE_URL`.
 */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  for (const script of ['build-server', 'build-cli'])
    execFileSync(process.execPath, [`scripts/build/${script}.mjs`], { stdio: 'inherit' })
  const cluster = await initialisedCluster()
  process.env[CLUSTER_VARIABLE] = cluster
  writeFileSync(DOCUMENT, await defaultDocument())
  process.env[DOCUMENT_VARIABLE] = DOCUMENT
  const { postgres, template, close } = process.env.TEST_DATABASE_URL
    ? await useExternal(process.env.TEST_DATABASE_URL)
    : await startOwn(cluster)
  provide('postgres', postgres)
  provide('template', template)
  return close
}

interface Postgres {
  postgres: ConnectionSettings
  template: string
  close(): Promise<void>
}

/** Deleted after the run as a whole: dropping two hundred databases one by one takes a minute. */
const startOwn = async (cluster: string): Promise<Postgres> => {
  removeOwn()
  mkdirSync(DATA_DIR, { recursive: true })
  execFileSync('cp', ['-a', cluster, path.join(DATA_DIR, 'postgres')])
  const embedded = await startEmbedded(DATA_DIR, createLogger('error'), { maxConnections: MAX_CONNECTIONS })
  // The template itself must have no other connection while it is copied.
  const postgres = databaseNamed(embedded.settings, 'postgres')
  await withAdmin(postgres, spareDisk)
  const close = async () => {
    await embedded.stop()
    removeOwn()
  }
  return { postgres, template: EMBEDDED_NAME, close }
}

const removeOwn = () => rmSync(DATA_DIR, { recursive: true, force: true })

const useExternal = async (url: string): Promise<Postgres> => {
  const postgres = { connectionString: url }
  const template = `sortie_template_${schemaHash()}`
  await withAdmin(postgres, async (admin) => {
    await dropDatabases(admin, 'sortie_test_%')
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1 and datistemplate', [template])
    if (rowCount === 0) await createTemplate(admin, postgres, template)
  })
  return { postgres, template, close: () => withAdmin(postgres, (admin) => dropDatabases(admin, 'sortie_test_%')) }
}

/** Skips writes that only protect from a crash of the machine: here, not in the databases of servers under test. */
const spareDisk = async (admin: pg.Client) => {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    checkpoint_timeout: '30min',
    max_wal_size: '4GB',
    autovacuum_naptime: '30min',
  }
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
  const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    like.replaceAll('_', '\\_'),
  ])
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
