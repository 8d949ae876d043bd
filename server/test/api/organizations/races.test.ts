import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import {
  expectSound,
  raceInvitationEnds,
  raceInvitations,
  raceKeyDeletion,
  raceMemberships,
  setTable,
} from '../../support/races/races.ts'
import {
  countDeadlocks,
  raceKeysAndMembers,
  raceMutualRemovals,
  raceSessions,
  raceWrites,
} from '../../support/races/revocation-races.ts'

const ROUNDS = isNightly ? 16 : 4

let app: TestApp

beforeAll(async () => {
  app = await testApp({ workers: false, env: { INVITATION_LIMIT_PER_HOUR: '1000000' } })
})
afterAll(() => app.close())

describe('twenty at once', () => {
  test('M1, L8: members remove, demote and succeed each other: always exactly one owner, for every reader', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await raceMemberships(app, await setTable(app, 3), round)
      await expectSound(app)
    }
  })

  test('M1: of two who remove each other one is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { owner, admins } = await setTable(app, 2)
      const [a, b] = admins as [(typeof admins)[0], (typeof admins)[0]]
      const members = '/api/web/organizations/current/members'
      const answers = await Promise.all([a.delete(`${members}/${b.user.id}`), b.delete(`${members}/${a.user.id}`)])
      expect(answers.map(({ status }) => status).sort()).toSatisfy(
        ([first, second]: number[]) => first === 200 && [403, 404].includes(second as number),
      )
      expect((await owner.get(`${members}?role=admin`)).body.meta.total).toBe(1)
    }
    await expectSound(app)
  })

  test('M7, L8: one address is invited once, with one mail', async () => {
    const key = await app.withKey(['organizations:write'])
    for (let round = 0; round < ROUNDS; round++) await raceInvitations(app, key, round)
  })

  test('L8: changes that wait for each other longer than one statement may take all succeed', async () => {
    const { owner } = await setTable(app, 0)
    await app.asSuperuser(`create function be_slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.3); return new; end';
      create trigger be_slow before insert on invitations for each row execute function be_slow()`)
    const invite = (i: number) =>
      owner.post('/api/web/organizations/current/members/invite', { email: `slow.${i}@example.com`, role: 'member' })
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, i) => invite(i)),
      owner.get('/api/web/organizations/current'),
    ])
    await app.asSuperuser('drop trigger be_slow on invitations')
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 200])
  })

  test('M7, L8: an invitation that is accepted, revoked and sent again ends in one state', async () => {
    const { owner, organization } = await setTable(app, 0)
    for (let round = 0; round < ROUNDS; round++) await raceInvitationEnds(app, owner, organization)
    await expectSound(app)
  })

  test('K3, L8: one deletion of a key counts', async () => {
    const { owner, organization } = await setTable(app, 0)
    for (let round = 0; round < ROUNDS; round++) await raceKeyDeletion(app, owner, organization)
  })
})

describe('revocations and concurrent changes', () => {
  test('K14, M1: of two who revoke each other’s right simultaneously one succeeds and one is refused', async () => {
    for (let round = 0; round < ROUNDS / 4; round++) {
      await raceMutualRemovals(app)
      await raceKeysAndMembers(app)
      await raceSessions(app)
      await expectSound(app)
    }
  }, 600_000)

  test('K14: of twenty concurrent writes none is made after the right to them is revoked', async () => {
    for (let round = 0; round < ROUNDS / 4; round++) await raceWrites(app)
    await expectSound(app)
  }, 600_000)

  test('F2: none of these races caused a deadlock', async () => {
    expect(await countDeadlocks(app)).toBe(0)
    expect(app.logLines.filter((line) => /deadlock/i.test(line))).toEqual([])
  })
})
