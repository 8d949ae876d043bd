import { afterAll, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { createStorages, STORAGES } from '../../support/storage/storages.ts'
import { expectImportToSurviveKills } from './import-kills.ts'

const stage = createStage()
afterAll(() => stage.close())
const open = createStorages(stage)

const SERVICES = 40_000
const STEPS = 10

test.each(STORAGES)(
  '%s: one import that is killed twenty times restarts from its file each time, and ends as if it had not been killed',
  async (name) => {
    const steps = Array.from({ length: STEPS }, (_, index) => (index + 1) / (STEPS + 1))
    const early = steps.map((part) => ({ results: Math.floor(SERVICES * part), named: 0 }))
    const late = steps.map((part) => ({ results: SERVICES, named: Math.floor((SERVICES / 4) * part) }))
    await expectImportToSurviveKills(stage, (await open(name)).env, SERVICES, [...early, ...late])
  },
)
