import { afterEach, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { createStage } from '../../support/app/server-process.ts'
import { runFullDisk } from './full-disk.ts'

const stage = createStage()
afterEach(() => stage.close())

test('F10, L13: with a full disk twenty times, nothing acknowledged is lost, reads continue, and writes succeed within 5 s of free space', async () => {
  const result = await runFullDisk(stage, 20)
  console.log(JSON.stringify(result))
  expect(result).toMatchObject({ rounds: 20, lost: 0, failedReads: 0 })
  expect(result.refused).toBeGreaterThanOrEqual(10 * result.rounds)
  expect(Math.max(...result.recoveredMs)).toBeLessThan(hereMs(5_000))
})
