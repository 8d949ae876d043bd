import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember } from '../../../../src/features/organizations/members/members.service.ts'
import { transaction } from '../../../../src/platform/database/transaction.ts'
import { PASSWORD, type TestApp, type TestOrganization, type TestUser, testApp } from '../../../support/app/test-app.ts'
import { giveSecondFactor } from '../../../support/providers/second-factors.ts'

const SECURITY = '/api/web/organizations/current/security'
const FACTORS = '/api/web/organizations/current/second-factors'
const resetOf = ({ id }: { id: string }) => `/api/web/organizations/current/members/${id}/second-factor/reset`

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

/** Sets up an authenticator app; ends every earlier session. */
const enrol = async (user: TestUser) => {
  const client = await app.signIn(user)
  const { body } = await client.post('/api/web/account/second-factor', { password: PASSWORD })
  const code = generateSync({ secret: body.data.secret, epoch: Math.floor(app.clock.now() / 1000) })
  const confirmed = await client.post('/api/web/account/second-factor/confirm', { code })
  if (confirmed.status !== 201) throw new Error(confirmed.text)
}

const join = (user: TestUser, organization: TestOrganization, role: 'admin' | 'member') =>
  transaction(app.db, (tx) => addMember(tx, app.clock, organization.id, user, role))

/** A session with a second factor that was set up in it, and the recovery codes that prove it. */
const administrator = async (organization: TestOrganization, role: 'owner' | 'admin' = 'owner') => {
  const client = await app.signedIn(role, organization)
  const codes = await giveSecondFactor(app, client.user.id)
  return Object.assign(client, { proof: () => ({ password: PASSWORD, code: codes.pop() }) })
}

const hasFactor = async ({ id }: TestUser) => {
  const rows = await app.db.selectFrom('second_factors').select('user_id').where('user_id', '=', id).execute()
  return rows.length > 0
}

const secondStepOf = async ({ email }: TestUser) =>
  (await app.anonymous.post('/api/auth/sign-in/email', { email, password: PASSWORD })).body.data
    .secondFactorRequired as boolean

describe('a reset of a member’s second factor', () => {
  test('removes app, recovery codes and sessions, sends the member a mail and is audited', async () => {
    const organization = await app.createOrganization()
    const [owner, member] = [await administrator(organization), await app.createMember('member', organization)]
    await enrol(member)
    expect((await app.nextMail(member.email)).text).toContain('authenticator app')
    expect(await secondStepOf(member)).toBe(true)
    const live = await app.db.selectFrom('sessions').select('id').where('user_id', '=', member.id).execute()
    expect(live).toHaveLength(1)

    expect((await owner.post(resetOf(member), owner.proof())).body).toEqual({
      data: { reset: true, userId: member.id },
    })
    expect(await secondStepOf(member)).toBe(false)
    const codes = await app.db.selectFrom('recovery_codes').select('user_id').where('user_id', '=', member.id).execute()
    expect(codes).toEqual([])
    const kept = await app.db
      .selectFrom('sessions')
      .select('id')
      .where(
        'id',
        'in',
        live.map(({ id }) => id),
      )
      .execute()
    expect(kept).toEqual([])

    const mail = await app.nextMail(member.email)
    expect(mail.subject).toBe('Your second factor was changed')
    expect(mail.text).toContain('An administrator has removed the second factor of your account')
    expect(mail.text).toContain(`${organization.owner.name} of `)
    const { body } = await owner.get('/api/web/audit?action=second-factor.reset')
    expect(body.data).toMatchObject([
      { actor: { id: organization.owner.id }, object: { id: member.id }, before: { app: true, passkeys: 0 } },
    ])
    expect((await owner.post(resetOf(member), owner.proof())).status).toBe(409)
  })

  test("S2: ends the member's sessions from the next request on", async () => {
    const organization = await app.createOrganization()
    const [owner, member] = [await administrator(organization), await app.createMember('member', organization)]
    const live = await app.signIn(member, organization.id)
    await giveSecondFactor(app, member.id)
    expect((await live.get('/api/web/organizations/current')).status).toBe(200)
    expect((await owner.post(resetOf(member), owner.proof())).status).toBe(200)
    expect((await live.get('/api/web/organizations/current')).status).toBe(401)
  })

  test("S19: needs the caller's second factor with the password: a stolen session with a known password resets no one", async () => {
    const organization = await app.createOrganization()
    const [owner, member] = [await administrator(organization), await app.createMember('member', organization)]
    await enrol(member)
    const refused = await owner.post(resetOf(member), { password: PASSWORD })
    expect([refused.status, refused.body.error.message]).toEqual([422, 'code: is required, unless a passkey is used'])
    expect((await owner.post(resetOf(member), { password: PASSWORD, code: '123456' })).status).toBe(422)
    expect(await hasFactor(member)).toBe(true)
  })

  test("S9: needs the caller's password and second factor", async () => {
    const organization = await app.createOrganization()
    const [owner, member] = [await app.signedIn('owner', organization), await app.createMember('member', organization)]
    await enrol(member)
    expect((await owner.post(resetOf(member), { password: 'not the password' })).status).toBe(403)
    expect((await owner.post(resetOf(member), {})).status).toBe(422)
    const lacking = await owner.post(resetOf(member), { password: PASSWORD })
    expect([lacking.status, lacking.body.error.message]).toEqual([
      409,
      'Set up a second factor for your own account first.',
    ])
    expect(await hasFactor(member)).toBe(true)
  })

  test('A2, M2: an admin may reset members and admins, neither the owner nor oneself; a member may reset no one', async () => {
    const organization = await app.createOrganization()
    const [admin, other, member] = [
      await administrator(organization, 'admin'),
      await app.createMember('admin', organization),
      await app.createMember('member', organization),
    ]
    for (const user of [other, member, organization.owner]) await enrol(user)
    expect((await admin.post(resetOf(organization.owner), { password: PASSWORD })).status).toBe(409)
    expect(await hasFactor(organization.owner)).toBe(true)
    expect((await admin.post(resetOf(admin.user), { password: PASSWORD })).status).toBe(409)
    expect((await admin.post(resetOf(other), admin.proof())).status).toBe(200)
    const plain = await app.signedIn('member', organization)
    expect((await plain.post(resetOf(member), { password: PASSWORD })).status).toBe(403)
    expect(await hasFactor(member)).toBe(true)
  })

  test('A1: a member of another organization is 404, like an unknown id', async () => {
    const owner = await administrator(await app.createOrganization())
    const stranger = await app.createMember('member', await app.createOrganization())
    await enrol(stranger)
    const [foreign, unknown] = [
      await owner.post(resetOf(stranger), { password: PASSWORD }),
      await owner.post(resetOf({ id: `usr_${'0'.repeat(26)}` }), { password: PASSWORD }),
    ]
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(unknown.text)
    expect(await hasFactor(stranger)).toBe(true)
  })

  test('A1, S9: an account in another organization keeps its factor unless the caller administers both', async () => {
    const [here, there] = [await app.createOrganization(), await app.createOrganization()]
    const [owner, member] = [await administrator(here), await app.createMember('member', here)]
    await join(member, there, 'member')
    await enrol(member)
    const refused = await owner.post(resetOf(member), { password: PASSWORD })
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'This account has access beyond what you administer. Only the operator of this server can reset its second factor.',
    ])
    expect(refused.text).not.toContain(there.slug)

    await join(owner.user, there, 'member')
    expect((await owner.post(resetOf(member), { password: PASSWORD })).status).toBe(409)
    await app.db
      .updateTable('memberships')
      .set({ role: 'admin' })
      .where('organization_id', '=', there.id)
      .where('user_id', '=', owner.user.id)
      .execute()
    expect(await hasFactor(member)).toBe(true)
    expect((await owner.post(resetOf(member), owner.proof())).status).toBe(200)
    expect(await hasFactor(member)).toBe(false)
    const elsewhere = await app.signedIn('owner', there)
    const { body } = await elsewhere.get('/api/web/audit?action=second-factor.reset')
    expect(body.data).toMatchObject([{ actor: { id: owner.user.id }, object: { id: member.id } }])
  })

  test('A1: an admin elsewhere does not reset the owner of that organization from here', async () => {
    const [here, there] = [await app.createOrganization(), await app.createOrganization()]
    const owner = await administrator(here)
    await join(there.owner, here, 'member')
    await join(owner.user, there, 'admin')
    await enrol(there.owner)
    expect((await owner.post(resetOf(there.owner), { password: PASSWORD })).status).toBe(409)
    expect(await hasFactor(there.owner)).toBe(true)
  })

  test('S9: no one resets an instance administrator', async () => {
    const organization = await app.createOrganization()
    const owner = await administrator(organization)
    const operator = await app.createUser(undefined, { isInstanceAdmin: true })
    await join(operator, organization, 'member')
    await enrol(operator)
    expect((await owner.post(resetOf(operator), { password: PASSWORD })).status).toBe(409)
    expect(await hasFactor(operator)).toBe(true)
  })

  test('S6: guesses of the password are counted together with those of other confirmations', async () => {
    const organization = await app.createOrganization()
    const [owner, member] = [await administrator(organization), await app.createMember('member', organization)]
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await owner.post(resetOf(member), { password: `wrong ${i}` })).status)
    expect(statuses[0]).toBe(403)
    expect(statuses.at(-1)).toBe(429)
    const transfer = await owner.post('/api/web/organizations/current/transfer-ownership', {
      userId: member.id,
      password: 'wrong again',
    })
    expect(transfer.status).toBe(429)
  })
})

describe('the second factors of members', () => {
  test('are shown only to owner and admins, for each member and in total', async () => {
    const organization = await app.createOrganization()
    const owner = await administrator(organization)
    const [enrolled, half, without] = [
      await app.createMember('member', organization),
      await app.createMember('admin', organization),
      await app.createMember('member', organization),
    ]
    await enrol(enrolled)
    // Started and not confirmed: does not count.
    await (await app.signIn(half)).post('/api/web/account/second-factor', { password: PASSWORD })
    const { body } = await owner.get(`${FACTORS}?perPage=3`)
    expect(body).toEqual({
      data: [
        { userId: organization.owner.id, enabled: true },
        { userId: enrolled.id, enabled: true },
        { userId: half.id, enabled: false },
      ],
      meta: { total: 4, page: 1, perPage: 3, totalPages: 2 },
    })
    expect((await owner.get(`${FACTORS}?role=admin`)).body.data).toEqual([{ userId: half.id, enabled: false }])
    expect((await owner.get(SECURITY)).body.data).toEqual({
      memberCount: 4,
      withoutSecondFactor: 2,
      withoutIdentity: 4,
      named: [half, without].map(({ id, name, email }) => ({ id, name, email })),
    })
    const member = await app.signIn(without, organization.id)
    for (const path of [FACTORS, SECURITY]) expect((await member.get(path)).status).toBe(403)
    const key = await app.withKey(['organizations:read'], organization)
    for (const path of [FACTORS, SECURITY]) expect((await key.get(path.replace('/web/', '/v1/'))).status).toBe(404)
  })
})
