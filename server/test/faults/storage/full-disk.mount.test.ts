import { afterEach, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { runFullDisk } from './full-disk.ts'

const stage = createStage()
afterEach(() => stage.close())

test('F10, L13: on a full disk writes are 503, reads continue, nothing acknowledged is lost, and writes succeed within 5 s of free space', async () => {
  const result = await runFullDisk(stage, isNightly ? 2 : 1)
  expect(result).toMatchObject({ lost: 0, failedReads: 0 })
  expect(result.acknowledged).toBeGreaterThan(result.rounds)
  expect(result.named).toBeGreaterThan(0)
  expect(result.refused).toBeGreaterThanOrEqual(10 * result.rounds)
  expect(Math.max(...result.recoveredMs)).toBeLessThan(hereMs(5_000))
})
