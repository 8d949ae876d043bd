import { afterAll, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { createStage } from '../../support/app/server-process.ts'
import { runRemovalKills } from './removal-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test('twenty kills in one removal of two million rows are each detected within 60 s, and the removal completes', async () => {
  const { takenUpMs, left, others } = await runRemovalKills(stage, 20, 2_000_000)
  expect([left, others, takenUpMs.length]).toEqual([0, 11, 20])
  expect(Math.max(...takenUpMs)).toBeLessThan(hereMs(60_000))
})
