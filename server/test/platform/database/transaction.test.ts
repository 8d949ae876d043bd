import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../../src/platform/config.ts'
import {
  type ConnectionSettings,
  databaseLimits,
  type OpenDatabase,
  openDatabase,
} from '../../../src/platform/database/connection/open.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { SESSION_SECRET } from '../../support/app/server-process.ts'
import { asSuperuser, copyTemplate } from '../../support/database/test-databases.ts'

let settings: ConnectionSettings
let database: OpenDatabase
beforeAll(async () => {
  settings = await copyTemplate()
  await asSuperuser(settings, 'create table counters as select i as id, 0 as value from generate_series(1, 2) i')
  database = openDatabase(settings, () => undefined)
})
afterAll(() => database.close())

test('F2: of transactions that deadlock, each is done completely and once', async () => {
  let attempts = 0
  let waiting: (() => void)[] = []
  /** Makes the first two transactions lock one row each before either requests the other's. */
  const meet = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (attempts > 2 || waiting.length === 2) {
        for (const go of waiting) go()
        waiting = []
      }
    })
  const addBoth = (first: number, second: number) =>
    transaction(database.db, async (tx) => {
      attempts++
      await sql`update counters set value = value + 1 where id = ${first}`.execute(tx)
      await meet()
      await sql`update counters set value = value + 1 where id = ${second}`.execute(tx)
    })
  await Promise.all([addBoth(1, 2), addBoth(2, 1)])
  expect(attempts).toBeGreaterThan(2)
  const { rows } = await sql`select value from counters`.execute(database.db)
  expect(rows).toEqual([{ value: 2 }, { value: 2 }])
})

test('F2: a transaction that keeps failing to serialize is given up after three more attempts', async () => {
  let attempts = 0
  const failing = transaction(database.db, async (tx) => {
    attempts++
    await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx)
  })
  await expect(failing).rejects.toMatchObject({ code: '40001' })
  expect(attempts).toBe(4)
})

test('a transaction that continues after a failed statement does not count as done', async () => {
  const before = await sql`select value from counters`.execute(database.db)
  const aborted = transaction(database.db, async (tx) => {
    await sql`update counters set value = 7`.execute(tx)
    await sql`select 1 / ${0}::integer`.execute(tx).catch(() => undefined)
  })
  await expect(aborted).rejects.toThrow()
  expect(await sql`select value from counters`.execute(database.db)).toEqual(before)
})

test('DATABASE_POOL_SIZE and DATABASE_STATEMENT_TIMEOUT_MS: statements use that many connections and are cancelled after that time', async () => {
  const config = parseConfig({ SESSION_SECRET, DATABASE_POOL_SIZE: '2', DATABASE_STATEMENT_TIMEOUT_MS: '1000' })
  const limited = openDatabase(settings, () => undefined, databaseLimits(config))
  try {
    await Promise.all(Array.from({ length: 6 }, () => sql`select pg_sleep(0.02)`.execute(limited.db)))
    expect(limited.load()).toMatchObject({ total: 2, waiting: 0 })
    const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
      limited.db,
    )
    expect(rows).toEqual([{ limit: '1s' }])
    await expect(sql`select pg_sleep(60)`.execute(limited.db)).rejects.toMatchObject({ code: '57014' })
  } finally {
    await limited.close()
  }
})
