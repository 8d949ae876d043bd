import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSuperuser, copyTemplate } from '../../testing/test-app.ts'
import { type ConnectionSettings, type OpenDatabase, openDatabase } from './open.ts'
import { later, type Transaction, transaction } from './transaction.ts'

let settings: ConnectionSettings
let database: OpenDatabase
beforeAll(async () => {
  settings = await copyTemplate()
  await asSuperuser(settings, 'create table things as select 1 as id, 0 as value')
})
/** One after the other, transactions of a new pool share its first connection. */
beforeEach(async () => {
  await database?.close()
  database = openDatabase(settings, () => undefined)
})
afterAll(() => database.close())

const inOne = <T>(work: (tx: Transaction) => Promise<T>) => transaction(database.db, work)
const value = async (tx: Transaction) => (await sql<{ value: unknown }>`select value from things`.execute(tx)).rows[0]?.value
const add = (number: number) => sql`update things set value = value + ${number}`
const keptNames = async () => (await sql<{ name: string }>`select name from pg_prepared_statements where name like 'kept%'`.execute(database.db)).rows.length

const repeatedly = async <T>(times: number, work: (time: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let time = 0; time < times; time++) results.push(await work(time))
  return results
}

test('a statement that comes again and again is planned once, also one that leaves with another, and does what it did', async () => {
  const before = await inOne(value)
  await repeatedly(12, () =>
    inOne(async (tx) => {
      await add(1).execute(tx)
      await later(tx, { compile: () => add(2).compile(tx) })
      await later(tx, { compile: () => add(2).compile(tx) })
    }),
  )
  expect(await inOne(value)).toBe(Number(before) + 12 * 5)
  const kept = await keptNames()
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThanOrEqual(4)
})

test('a statement that comes a few times, or differs each time, is not kept', async () => {
  await repeatedly(3, () => inOne(value))
  await repeatedly(30, (time) => inOne((tx) => tx.executeQuery(CompiledQuery.raw(`select ${time}`))))
  expect(await keptNames()).toBeLessThanOrEqual(1)
})

test('of statements that fail time and again, and of very many, a connection keeps a hundred at most', async () => {
  const failing = sql`select 1 / ${0}::integer`
  await repeatedly(40, () => expect(inOne((tx) => failing.execute(tx))).rejects.toMatchObject({ code: '22012' }))
  const kinds = Array.from({ length: 120 }, (_, kind) => `select ${kind}`)
  await repeatedly(6, () =>
    inOne(async (tx) => {
      for (const text of kinds) await tx.executeQuery(CompiledQuery.raw(text))
    }),
  )
  expect(await keptNames()).toBe(100)
  expect(await inOne(async (tx) => (await tx.executeQuery(CompiledQuery.raw('select 119 as last'))).rows)).toEqual([{ last: 119 }])
})

/** What is asked for as every request does it: pipelined, and prepared by its first use. */
const VALUE = { name: 'test_value', text: 'select value from things' }
const asked = () => Promise.all(Array.from({ length: 9 }, () => database.prepared.query<{ value: unknown }>(VALUE, [])))

test('F15: a table that changes under a running server, as by the migration of a newer one beside it, costs nobody an answer', async () => {
  await repeatedly(8, () => inOne(value))
  await repeatedly(3, asked)
  const before = Number(await inOne(value))
  await asSuperuser(settings, 'alter table things alter column value type bigint')
  expect((await asked()).flat()).toEqual(Array.from({ length: 9 }, () => ({ value: before })))
  expect(await inOne(value)).toBe(before)
  await inOne((tx) => add(1).execute(tx))
  expect(await inOne(value)).toBe(before + 1)
})

test('a connection that forgot its statements is replaced, and the transaction done once', async () => {
  await repeatedly(8, () => inOne((tx) => add(1).execute(tx)))
  const before = Number(await inOne(value))
  await inOne((tx) => sql`deallocate all`.execute(tx))
  await inOne((tx) => add(1).execute(tx))
  expect(await inOne(value)).toBe(before + 1)
})
