import { afterAll } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { expectScansToSurviveKills } from './scan-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

nightly(
  'N9: a scan whose worker is killed is ended within a minute: its results stay, its probes are in the log, nothing is sent again, and nothing found twice',
  () => expectScansToSurviveKills(stage, 3),
)
