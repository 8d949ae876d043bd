import { sql } from 'kysely'
import { expect } from 'vitest'
import { PASSWORD, type TestApp, type TestOrganization } from '../app/test-app.ts'
import type { TestClient, TestResponse } from '../app/test-client.ts'

const MEMBERS = '/organizations/current/members'

/** Starts all at once and counts the statuses. */
const race = async (requests: readonly (() => Promise<TestResponse>)[]): Promise<TestResponse[]> =>
  Promise.all(requests.map((request) => request()))

/** Invariants of every organization at every moment: one owner, and correct counters. */
export const expectSound = async (app: TestApp): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select o.id from organizations o left join memberships m on m.organization_id = o.id group by o.id
    having count(*) filter (where m.role = 'owner') <> 1 or o.owner_count <> count(*) filter (where m.role = 'owner')
      or o.admin_count <> count(*) filter (where m.role = 'admin') or o.plain_member_count <> count(*) filter (where m.role = 'member')`.execute(
    app.db,
  )
  expect(rows, 'organizations without exactly one owner or with wrong counters').toEqual([])
}

const expectStatuses = (answers: readonly TestResponse[], allowed: readonly number[]) => {
  const strange = answers.filter(({ status }) => !allowed.includes(status))
  expect(strange.map(({ status, text }) => `${status} ${text}`)).toEqual([])
}

interface Table {
  organization: TestOrganization
  owner: TestClient
  admins: (TestClient & { user: { id: string } })[]
}

/** An organization with an owner and some admins, all signed in. */
export const setTable = async (app: TestApp, admins: number): Promise<Table> => {
  const organization = await app.createOrganization()
  const owner = await app.signIn(organization.owner, organization.id)
  return {
    organization,
    owner,
    admins: await Promise.all(Array.from({ length: admins }, () => app.signedIn('admin', organization))),
  }
}

/**
 * Owner and admins remove, demote and promote each other and transfer the organization, twenty requests at once. A
 * member who was removed or demoted earlier is refused.
 */
export const raceMemberships = async (
  app: TestApp,
  { organization, owner, admins }: Table,
  round: number,
): Promise<void> => {
  const [a, b, c] = admins as [Table['admins'][0], Table['admins'][0], Table['admins'][0]]
  const path = (user: { id: string }) => `/api/web${MEMBERS}/${user.id}`
  const transfer = (to: { id: string }) => () =>
    owner.post('/api/web/organizations/current/transfer-ownership', { userId: to.id, password: PASSWORD })
  const requests = [
    transfer(a.user),
    transfer(b.user),
    () => a.delete(path(b.user)),
    () => b.delete(path(a.user)),
    () => a.patch(path(b.user), { role: 'member' }),
    () => b.patch(path(a.user), { role: 'member' }),
    () => c.delete(path(a.user)),
    () => c.delete(path(b.user)),
    () => a.delete(path(c.user)),
    () => b.patch(path(c.user), { role: 'member' }),
    () => owner.delete(path(a.user)),
    () => owner.patch(path(a.user), { role: 'member' }),
    () => a.delete(path(a.user)),
    () => b.delete(path(organization.owner)),
    () => a.patch(path(organization.owner), { role: 'member' }),
    () => c.patch(path(c.user), { role: 'member' }),
    () => owner.patch(path(b.user), { role: 'admin' }),
    () => a.get(`/api/web${MEMBERS}?perPage=100`),
    () => b.get('/api/web/organizations/current'),
    () => owner.get(`/api/web${MEMBERS}?role=owner`),
  ]
  const rotated = requests.map((_, i) => requests[(i * 7 + round) % requests.length] as (typeof requests)[0])
  const answers = await race(rotated)
  expectStatuses(answers, [200, 403, 404, 409])
  for (const { status, body } of answers) {
    if (status !== 200 || !Array.isArray(body.data)) continue
    expect(body.data.filter(({ role }: { role: string }) => role === 'owner').length, 'owners that a reader saw').toBe(
      1,
    )
    expect(body.meta.total, 'a total that is of another moment than the rows').toBe(body.data.length)
  }
}

/** Twenty simultaneous invitations of one address: one is made, with one mail. */
export const raceInvitations = async (app: TestApp, key: TestClient, round: number): Promise<void> => {
  const email = `raced.${round}.${process.pid}@example.com`
  const answers = await race(
    Array.from(
      { length: 20 },
      (_, i) => () =>
        key.post(`/api/v1${MEMBERS}/invite`, {
          email: i % 2 ? email : email.toUpperCase().replace('EXAMPLE.COM', 'example.com'),
          role: 'member',
        }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from mails where lower(recipient) = ${email}`.execute(app.db)
  expect(rows[0]?.count).toBe(1)
}

/**
 * An invitation is simultaneously accepted, revoked and sent again: it ends in one state, and a membership exists only
 * if accepted.
 */
export const raceInvitationEnds = async (
  app: TestApp,
  owner: TestClient,
  organization: TestOrganization,
): Promise<void> => {
  const { invitationToken } = await import('../../../src/features/organizations/invitations/invitations.service.ts')
  const person = await app.createUser()
  const { data } = (await owner.post(`/api/web${MEMBERS}/invite`, { email: person.email, role: 'member' })).body
  const session = await app.signIn(person)
  const token = invitationToken(app.platform.keys, data.id, 1)
  const accept = () => session.post('/api/web/invitations/accept', { token })
  const answers = await race([
    accept,
    accept,
    accept,
    () => owner.delete(`/api/web/invitations/${data.id}`),
    () => owner.delete(`/api/web/invitations/${data.id}`),
    () => owner.post(`/api/web/invitations/${data.id}/resend`),
    accept,
  ])
  expectStatuses(answers, [200, 404, 409])
  const { status } = await app.db
    .selectFrom('invitations')
    .select('status')
    .where('id', '=', data.id)
    .executeTakeFirstOrThrow()
  const member = await app.db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', person.id)
    .executeTakeFirst()
  expect(member !== undefined).toBe(status === 'accepted')
  const accepted = [answers[0], answers[1], answers[2], answers[6]].filter((answer) => answer?.status === 200).length
  expect(accepted).toBe(status === 'accepted' ? 1 : 0)
  expect(answers.slice(3, 5).filter((answer) => answer.status === 200).length).toBe(status === 'revoked' ? 1 : 0)
}

/** Twenty simultaneous deletions of one key: one succeeds, and the key is invalid for all. */
export const raceKeyDeletion = async (
  app: TestApp,
  owner: TestClient,
  organization: TestOrganization,
): Promise<void> => {
  const key = await app.withKey(['organizations:read'], organization)
  const answers = await race(Array.from({ length: 20 }, () => () => owner.delete(`/api/web/api-keys/${key.keyId}`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 404)])
  expect((await key.get('/api/v1/organizations/current')).status).toBe(401)
}
