import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import {
  expectSound,
  raceInvitationEnds,
  raceInvitations,
  raceKeyDeletion,
  raceMemberships,
  setTable,
} from '../../support/races/races.ts'

const ROUNDS = 2_000
const LONG = 60 * 60_000
let app: TestApp

beforeAll(async () => {
  app = await testApp({ workers: false, env: { INVITATION_LIMIT_PER_HOUR: '1000000', LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

describe('L8: 2,000 rounds of twenty at once', () => {
  test(
    'L8, M1: always exactly one owner, for every reader',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await raceMemberships(app, await setTable(app, 3), round)
        if (round % 50 === 0) await expectSound(app)
      }
      await expectSound(app)
    },
    LONG,
  )

  test(
    'L8, M7: one invitation per address, one end per invitation, one deletion per key',
    async () => {
      const key = await app.withKey(['organizations:write'])
      for (let round = 0; round < ROUNDS; round++) {
        await raceInvitations(app, key, round)
        if (round % 30 === 0) app.clock.advance(31 * 60_000)
        const { owner, organization } = await setTable(app, 0)
        await raceInvitationEnds(app, owner, organization)
        await raceKeyDeletion(app, owner, organization)
      }
      await expectSound(app)
      expect(app.logLines.filter((line) => line.includes('"level":60'))).toEqual([])
    },
    LONG,
  )
})
