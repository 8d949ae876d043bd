import { afterAll, expect, test } from 'vitest'
import { createStage } from '../support/server-process.ts'
import { runRemovalKills } from './removal-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test('a removal goes on after kill -9 of the worker and of a server, each noticed within 60 s, and ends whole', async () => {
  const { takenUpMs, ...rest } = await runRemovalKills(stage, 2)
  expect(rest).toMatchObject({ left: 0, others: 10, work: { state: 'succeeded' } })
  expect(rest.work.done).toBeGreaterThan(0)
  expect(Math.max(...takenUpMs)).toBeLessThan(60_000)
}, 400_000)
