import { isoTime } from '../../../src/platform/clock.ts'
import { enterSafeMode } from '../../../src/platform/safe-mode/state.ts'
import { eventually } from './server-process.ts'
import type { TestApp } from './test-app.ts'

/** Puts the app into safe mode, as a restore does, and waits until it knows. */
export const putIntoSafeMode = async (app: TestApp, reason = 'It was restored by a test.'): Promise<void> => {
  await enterSafeMode(app.db, reason, isoTime(app.clock.now()))
  await eventually(async () => {
    if (await app.platform.safeMode.isLive()) throw new Error('the app is still live')
  })
}
