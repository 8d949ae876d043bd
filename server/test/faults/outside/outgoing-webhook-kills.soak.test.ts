import { afterAll, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { expectEventsToSurviveKills } from './outgoing-webhook-kills.ts'

const stage = createStage()
afterAll(() => stage.close())

test('W9: of 10,000 events to a receiver that fails at random, each arrives at least once, although the server is killed ten times', () =>
  expectEventsToSurviveKills(stage, { events: 10_000, kills: 10, waitsForClaims: true }))
