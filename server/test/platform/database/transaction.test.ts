import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../../src/platform/database/connection/open.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { asSuperuser, copyTemplate } from '../../support/database/test-databases.ts'

let database: OpenDatabase
beforeAll(async () => {
  const settings = await copyTemplate()
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
