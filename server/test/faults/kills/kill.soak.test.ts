import { afterEach, expect, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { runKillCycles } from '../database/kill-cycles.ts'

const stage = createStage()
afterEach(() => stage.close())

// The time until it is ready depends on the machine: `npm run target -- L1` measures it.
test('F5, L1: after 100 kills, 50 of them with Postgres, nothing is lost, partial or duplicated', async () => {
  const result = await runKillCycles(stage, 100)
  expect(result).toMatchObject({ cycles: 100, lost: 0, half: 0, duplicates: 0 })
  expect(result.acknowledged).toBeGreaterThanOrEqual(5_000)
})
