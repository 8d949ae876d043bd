import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../../src/platform/database/connection/open.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { countJobs, type Jobs, type JobType, startJobs } from '../../../src/platform/jobs/jobs.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { eventually } from '../../support/app/server-process.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const poisoned: JobType<{ n: number }> = { name: 'poisoned', options: { retryLimit: 2, retryDelay: 0 } }
const delayed: JobType<{ n: number }> = { name: 'delayed', options: {} }
const lines: string[] = []
let database: OpenDatabase
let jobs: Jobs

beforeAll(async () => {
  const settings = await copyTemplate()
  database = openDatabase(settings, () => undefined)
  jobs = await startJobs(settings, createLogger('info', { write: (line) => void lines.push(line) }), [
    poisoned,
    delayed,
  ])
})
afterAll(async () => {
  await jobs.stop(2_000)
  await database.close()
})

test('F19: a job that always fails is tried as often as its kind allows, given up with a line in the log, kept as failed, and delays no other', async () => {
  const tried: number[] = []
  await jobs.work(poisoned, async ({ n }) => {
    tried.push(n)
    if (n < 0) throw new Error('poison')
  })
  const enqueue = (n: number) => transaction(database.db, (tx) => jobs.enqueue(tx, poisoned, { n }))
  await enqueue(-1)
  await enqueue(-2)
  for (let n = 1; n <= 20; n++) await enqueue(n)
  await eventually(async () => {
    const [counts] = await countJobs(database.db, [poisoned])
    expect(counts).toMatchObject({ waiting: 0, delayed: 0, active: 0, failed: 2, completed: 20 })
  }, 30_000)
  expect(tried.filter((n) => n === -1)).toHaveLength(3)
  expect(tried.filter((n) => n === -2)).toHaveLength(3)
  expect(new Set(tried).size).toBe(22)
  const givenUp = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a job was given up')
  expect(givenUp).toHaveLength(2)
  for (const line of givenUp)
    expect(line).toMatchObject({ level: 50, queue: 'poisoned', attempt: 3, err: { message: 'poison' } })
})

test('many jobs that are due at once are done one after another, without a polling pause between them', async () => {
  const done: number[] = []
  const COUNT = 60
  // Each has its own due time, so that no worker is notified: one check a second serves all workers, which poll
  // themselves every 30.
  await transaction(database.db, async (tx) => {
    for (let n = 0; n < COUNT; n++) await jobs.enqueue(tx, delayed, { n }, 2)
  })
  await jobs.work(delayed, async ({ n }) => void done.push(n))
  await eventually(() => expect(done.length).toBe(COUNT), 20_000)
  expect(new Set(done).size).toBe(COUNT)
})

test('an idle process queries the database a few times a second, however many kinds of jobs there are', async () => {
  const SECONDS = 2
  const settings = await copyTemplate()
  const idle = openDatabase(settings, () => undefined)
  const types = Array.from({ length: 30 }, (_, index) => ({ name: `idle-${index}`, options: {} }))
  const queue = await startJobs(settings, createLogger('error'), types)
  try {
    for (const type of types) await queue.work(type, async () => undefined)
    const transactions = async () => {
      const { rows } = await sql<{
        count: number
      }>`select xact_commit::int as count from pg_stat_database where datname = current_database()`.execute(idle.db)
      return rows[0]?.count ?? 0
    }
    // Queries of the workers' start are over, and counted, when a second passes with few.
    const passes = async (seconds: number) => {
      const before = await transactions()
      await sleep(seconds * 1_000)
      return (await transactions()) - before
    }
    await eventually(async () => expect(await passes(1)).toBeLessThan(15))
    expect(await passes(SECONDS)).toBeLessThan(10 * SECONDS)
  } finally {
    await queue.stop(2_000)
    await idle.close()
  }
})
