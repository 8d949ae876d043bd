import { afterEach, expect, test } from 'vitest'
import { createStage } from '../testing/server-process.ts'
import { runKillCycles } from './kill-cycles.ts'

const stage = createStage()
afterEach(() => stage.close())

test('F5, L1: 100 kills, 50 of them with Postgres: nothing lost, nothing half, nothing twice, ready within 3 s at the 95th percentile', async () => {
  const result = await runKillCycles(stage, 100)
  const ready = result.readyMs.toSorted((a, b) => a - b)
  const p95 = ready[Math.ceil(ready.length * 0.95) - 1] as number
  console.log(JSON.stringify({ ...result, readyMs: undefined, readyP95: Math.round(p95) }))
  expect(result).toMatchObject({ cycles: 100, lost: 0, half: 0, duplicates: 0 })
  expect(result.acknowledged).toBeGreaterThanOrEqual(5_000)
  expect(p95).toBeLessThan(3_000)
})
