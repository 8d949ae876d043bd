import { afterEach, expect, test } from 'vitest'
import { createStage } from '../support/server-process.ts'
import { runKillCycles } from './kill-cycles.ts'

const stage = createStage()
afterEach(() => stage.close())

// How soon it is ready again depends on the machine: `npm run target -- L1` measures it.
test('F5, L1: 100 kills, 50 of them with Postgres: nothing lost, nothing half, nothing twice', async () => {
  const result = await runKillCycles(stage, 100)
  expect(result).toMatchObject({ cycles: 100, lost: 0, half: 0, duplicates: 0 })
  expect(result.acknowledged).toBeGreaterThanOrEqual(5_000)
})
