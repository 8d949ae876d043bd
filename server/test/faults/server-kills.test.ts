import { afterAll, test } from 'vitest'
import { createStage } from '../support/server-process.ts'
import { expectWorkToSurviveServerKills } from './server-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test(
  'kill -9 of the whole server, once with its Postgres: imports end as if undisturbed, scans are ended with what they found',
  () => expectWorkToSurviveServerKills(stage, 2),
  300_000,
)
