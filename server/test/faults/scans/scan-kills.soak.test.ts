import { afterAll, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { expectScansToSurviveKills } from './scan-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test('twenty scans whose worker is killed are each ended within a minute: their results stay, nothing is sent again', () =>
  expectScansToSurviveKills(stage, 20))
