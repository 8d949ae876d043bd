import { afterEach, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { runKillCycles } from '../database/kill-cycles.ts'

const stage = createStage()
afterEach(() => stage.close())

const CYCLES = isNightly ? 4 : 1

test('F5, L1: after kills during acknowledged writes, also of its Postgres, nothing is lost, partial or duplicated', async () => {
  const result = await runKillCycles(stage, CYCLES)
  expect(result).toMatchObject({ lost: 0, half: 0, duplicates: 0 })
  expect(result.acknowledged).toBeGreaterThanOrEqual(50 * CYCLES)
})
