import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSuperuser, copyTemplate } from '../../testing/test-app.ts'
import { type OpenDatabase, openDatabase } from './open.ts'
import { later, type Transaction, transaction } from './transaction.ts'

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

const counters = async (): Promise<number[]> => {
  const { rows } = await sql<{ value: number }>`select value from counters order by id`.execute(database.db)
  return rows.map(({ value }) => value)
}
const set = (value: number) => sql`update counters set value = ${value}`
const setLater = (tx: Transaction, statement: RawBuilder<unknown>) => later(tx, { compile: () => statement.compile(tx) })

describe('a statement that leaves with another', () => {
  beforeEach(() => set(0).execute(database.db))

  test('is done in its order, and before the transaction has ended', async () => {
    const seen = await transaction(database.db, async (tx) => {
      await setLater(tx, set(1))
      await setLater(tx, sql`update counters set value = value * 10`)
      const { rows } = await sql<{ value: number }>`select value from counters`.execute(tx)
      await setLater(tx, sql`update counters set value = value + 5`)
      return rows
    })
    expect(seen).toEqual([{ value: 10 }, { value: 10 }])
    expect(await counters()).toEqual([15, 15])
  })

  test('is done where it is the only one of its transaction', async () => {
    await transaction(database.db, (tx) => setLater(tx, set(7)))
    expect(await counters()).toEqual([7, 7])
  })

  test('is not done when its transaction is rolled back', async () => {
    const failing = transaction(database.db, async (tx) => {
      await setLater(tx, set(7))
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await counters()).toEqual([0, 0])
  })

  test('fails the transaction with its own error, of which nothing is kept, and the connection serves on', async () => {
    const failing = (first: () => RawBuilder<unknown>) =>
      transaction(database.db, async (tx) => {
        await first().execute(tx)
        await setLater(tx, set(7))
        await setLater(tx, sql`update counters set value = 1 / ${0}::integer`)
        await setLater(tx, set(8))
      })
    for (const first of [() => set(1), () => sql`select 1`]) {
      await expect(failing(first)).rejects.toMatchObject({ code: '22012' })
      expect(await counters()).toEqual([0, 0])
    }
    const alone = transaction(database.db, (tx) => setLater(tx, sql`select nothing from nowhere`))
    await expect(alone).rejects.toMatchObject({ code: '42P01' })
    expect(await counters()).toEqual([0, 0])
  })

  test('F2: is tried again with its transaction where that cannot be serialized', async () => {
    let attempts = 0
    const failing = transaction(database.db, async (tx) => {
      attempts++
      await setLater(tx, sql`do $$ begin raise exception using errcode = '40001'; end $$`)
    })
    await expect(failing).rejects.toMatchObject({ code: '40001' })
    expect(attempts).toBe(4)
  })

  test('a transaction that goes on after a failed statement is not taken for done', async () => {
    const aborted = transaction(database.db, async (tx) => {
      await set(7).execute(tx)
      await sql`select 1 / ${0}::integer`.execute(tx).catch(() => undefined)
    })
    await expect(aborted).rejects.toThrow()
    expect(await counters()).toEqual([0, 0])
  })
})
