import { afterAll, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { runRemovalKills } from './removal-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test('F14, N12: a removal goes on after kill -9 of its process, noticed within 60 s, and ends whole, with the bytes of its files', async () => {
  const { takenUpMs, ...rest } = await (isNightly ? runRemovalKills(stage, 2) : runRemovalKills(stage, 1, 10_000))
  expect(rest).toMatchObject({ left: 0, others: 11, bytes: [], work: { state: 'succeeded' } })
  expect(rest.work.done).toBeGreaterThan(0)
  expect(Math.max(...takenUpMs)).toBeLessThan(hereMs(60_000))
}, 400_000)
