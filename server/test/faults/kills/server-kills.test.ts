import { afterAll, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { expectWorkToSurviveServerKills } from './server-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test(
  'N9: after kill -9 of the whole server, the last time with its Postgres, imports end as if undisturbed, and scans end with their results',
  () => expectWorkToSurviveServerKills(stage, isNightly ? 2 : 1),
  300_000,
)
