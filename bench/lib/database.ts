import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { JOB_TYPES } from '../../server/src/app/app.ts'
import { startEmbedded } from '../../server/src/platform/database/embedded.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { startJobs } from '../../server/src/platform/jobs/jobs.ts'
import { createLogger } from '../../server/src/platform/log.ts'
import { childrenOf, pin, SERVER_CORE } from './processes.ts'

/** A real Postgres of the run's own, that goes away with it. */
export interface BenchDatabase {
  /** An empty database. @returns its `DATABASE_URL` */
  create(name: string): Promise<string>
  /** A database with the schema of the server. @returns its `DATABASE_URL` */
  createMigrated(name: string): Promise<string>
  /** Keeps Postgres on the servers' core from now on: what is measured has that core alone, and the sender has the other. */
  pinBesideServer(): void
  stop(): Promise<void>
}

export const startDatabase = async (): Promise<BenchDatabase> => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-bench-'))
  const log = createLogger('error')
  const embedded = await startEmbedded(directory, log)
  const { host, user } = embedded.settings as { host: string; user: string }
  const urlOf = (name: string) => `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`
  const create = async (name: string) => {
    const admin = new pg.Client(embedded.settings)
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    return urlOf(name)
  }
  return {
    create,
    createMigrated: async (name) => {
      const settings = { connectionString: await create(name) }
      await migrate(settings, log, async () => {
        const jobs = await startJobs(settings, log, JOB_TYPES)
        await jobs.stop(1_000)
      })
      return settings.connectionString
    },
    pinBesideServer: () => {
      const postmaster = Number(readFileSync(path.join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
      for (const pid of [postmaster, ...childrenOf(postmaster)]) pin(pid, SERVER_CORE)
    },
    stop: async () => {
      await embedded.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Runs `work` with one connection. */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
