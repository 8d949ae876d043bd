import { afterAll, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { expectEventsToSurviveKills } from './outgoing-webhook-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test('W9: after kill -9 of the server, each event arrives at least once at a receiver that fails at random, verified with the package standardwebhooks, and none after the deletion of its endpoint', () =>
  expectEventsToSurviveKills(stage, {
    events: isNightly ? 2_000 : 120,
    kills: isNightly ? 3 : 1,
    waitsForClaims: isNightly,
  }))
