import { afterEach, expect, test } from 'vitest'
import { createStage } from '../support/server-process.ts'
import { runKillCycles } from './kill-cycles.ts'

const stage = createStage()
afterEach(() => stage.close())

test('F5, L1: killed under acknowledged writes, with and without its Postgres: nothing lost, nothing half, nothing twice', async () => {
  const result = await runKillCycles(stage, 4)
  expect(result).toMatchObject({ lost: 0, half: 0, duplicates: 0 })
  expect(result.acknowledged).toBeGreaterThanOrEqual(200)
}, 60_000)
