import { afterAll, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { expectWorkToSurviveServerKills } from './server-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test(
  'after kill -9 of the whole server, twenty times, ten with its Postgres, imports end as if undisturbed, and scans end with their results',
  () => expectWorkToSurviveServerKills(stage, 20),
  900_000,
)
