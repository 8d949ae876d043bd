import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { type Overload, type Work, watchOverload } from './overload.ts'

/** As many as are worked on at once at the start. */
const LIMIT = 256
const FULL = 'requests under way'

let overload: Overload
let underWay: Work[]
beforeEach(() => {
  overload = watchOverload({ answerMs: 60_000, delayMs: 60_000, log: createLogger('error'), onRefused: () => undefined })
  underWay = []
})
afterEach(() => overload.close())

const begin = (count: number) => {
  for (let i = 0; i < count; i++) underWay.push(overload.begin())
}
const end = (count: number) => {
  for (const work of underWay.splice(0, count)) work.end()
}

test('F12: what comes after too many begins in groups: when half are answered, not each time one is', () => {
  begin(LIMIT - 1)
  expect(overload.refusal()).toBeUndefined()
  begin(1)
  expect(overload.refusal()).toBe(FULL)
  end(LIMIT / 2 - 1)
  expect(overload.refusal()).toBe(FULL)
  end(1)
  expect(overload.refusal()).toBeUndefined()
  begin(LIMIT / 2 - 1)
  expect(overload.refusal()).toBeUndefined()
})

test('F12: where those under way wait for long, the places of the others are given to those who come', async () => {
  begin(LIMIT)
  expect(overload.refusal()).toBe(FULL)
  end(20)
  expect(overload.refusal()).toBe(FULL)
  await sleep(80)
  expect(overload.refusal()).toBeUndefined()
  begin(20)
  expect(overload.refusal()).toBe(FULL)
})

test('F12: where requests found no database connection, fewer begin; never so few that they alone could fill every place', async () => {
  /** More than may wait for a connection of the pool, with those who have one. */
  const PLACES = 128
  begin(20)
  for (let i = 0; i < 10; i++) overload.refused('database connections')
  end(20)
  await sleep(150)
  begin(PLACES - 1)
  expect(overload.refusal()).toBeUndefined()
  begin(1)
  expect(overload.refusal()).toBe(FULL)
})
