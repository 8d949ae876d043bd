import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSuperuser, copyTemplate } from '../../testing/test-app.ts'
import { type OpenDatabase, openDatabase } from './open.ts'
import { transaction } from './transaction.ts'

let database: OpenDatabase
beforeAll(async () => {
  const settings = await copyTemplate()
  await asSuperuser(settings, 'create table counters as select i as id, 0 as value from generate_series(1, 2) i')
  database = openDatabase(settings, () => undefined)
})
afterAll(() => database.close())

test('F2: of transactions that deadlock, each is done whole and once', async () => {
  let attempts = 0
  let waiting: (() => void)[] = []
  /** Lets the first pair of transactions take one row each before either asks for the other. */
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
