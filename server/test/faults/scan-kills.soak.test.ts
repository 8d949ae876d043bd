import { afterAll, test } from 'vitest'
import { createStage } from '../support/server-process.ts'
import { expectScansToSurviveKills } from './scan-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test('twenty scans whose worker is killed are ended within a minute each: what they found stays, nothing is sent again', () =>
  expectScansToSurviveKills(stage, 20))
