import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newTotpSecret, sealSecret } from '../../../src/features/auth/second-factor/proofs/totp.ts'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import { Authenticator } from '../../support/providers/authenticator.ts'
import { passwordSession } from '../../support/providers/provider-visit.ts'
import { giveSecondFactor } from '../../support/providers/second-factors.ts'
import { bodyOf, isWrite, type JsonSchema, type Mounted, mountedRoutes, pathOf } from '../../support/walks/walk.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

type Factors = 'an app' | 'a passkey' | 'an app and a passkey'

/** The owner of an organization, who administers the instance and has second factors, and a member who has them too. */
const setUp = async (factors: Factors) => {
  const organization = await app.createOrganization()
  const { owner } = organization
  const member = await app.createMember('member', organization)
  await app.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', owner.id).execute()
  for (const { id } of [owner, member]) {
    await giveSecondFactor(app, id)
    const confirmed_at = new Date(app.clock.now()).toISOString()
    if (factors === 'a passkey') continue
    await app.db
      .insertInto('second_factors')
      .values({
        user_id: id,
        secret: sealSecret(app.platform.keys, id, newTotpSecret()),
        confirmed_at,
        created_at: confirmed_at,
      })
      .execute()
    if (factors === 'an app') await app.db.deleteFrom('passkeys').where('user_id', '=', id).execute()
  }
  return { organization, owner, member }
}

/** All stored second factors of all accounts. */
const factorsOfAll = async () => ({
  apps: await app.db
    .selectFrom('second_factors')
    .select(['user_id', 'secret', 'confirmed_at'])
    .orderBy('user_id')
    .execute(),
  passkeys: await app.db.selectFrom('passkeys').select(['id', 'user_id', 'public_key']).orderBy('id').execute(),
  codes: await app.db
    .selectFrom('recovery_codes')
    .select(['user_id', 'code_hash'])
    .orderBy('user_id')
    .orderBy('code_hash')
    .execute(),
})

/** The route's request with the right password, without every optional proof of a second factor. */
const requestWithPassword = (route: Mounted, memberId: string, passkeyId: string | undefined) => {
  const body = bodyOf(route) as Record<string, unknown> | undefined
  const required: readonly string[] = (route.endpoint.body as JsonSchema | undefined)?.required ?? []
  for (const name of ['code', 'passkey']) if (body && !required.includes(name)) delete body[name]
  return { path: pathOf(route, { userId: memberId, ...(passkeyId && { passkeyId }) }), body }
}

/** People with these factors, and a session of the owner as a thief who knows the password would have it. */
const setUpThief = async (factors: Factors) => {
  const { organization, owner, member } = await setUp(factors)
  const passkey = await app.db.selectFrom('passkeys').select('id').where('user_id', '=', owner.id).executeTakeFirst()
  return { member, passkey, thief: await passwordSession(app, owner, organization.id) }
}

describe('S19: every change of a second factor needs one', () => {
  const FACTORS: [Factors, string[]][] = [
    [
      'an app and a passkey',
      ['removePasskey', 'removeSecondFactor', 'renewRecoveryCodes', 'resetMemberSecondFactor', 'startPasskey'],
    ],
    ['an app', ['removeSecondFactor', 'renewRecoveryCodes', 'resetMemberSecondFactor', 'startPasskey']],
    [
      'a passkey',
      [
        'removePasskey',
        'removeSecondFactor',
        'renewRecoveryCodes',
        'resetMemberSecondFactor',
        'startPasskey',
        'startSecondFactor',
      ],
    ],
  ]
  test.each(FACTORS)(
    'S19: with %s, no write of any session changes one by password only, or with a wrong code',
    async (factors, asking) => {
      const routes = mountedRoutes(app).filter(
        (route) => route.door !== 'key' && isWrite(route) && route.requirement !== 'public',
      )
      expect(routes.length).toBeGreaterThan(30)
      const asked = new Set<string>()
      let people = await setUpThief(factors)
      for (const route of routes) {
        const { member, passkey, thief } = people
        const { path, body } = requestWithPassword(route, member.id, passkey?.id)
        const before = await factorsOfAll()
        const answer = await thief.request(route.method, path, body)
        expect(answer.status, `${route.name}: the session had ended`).not.toBe(401)
        if (answer.status === 422 && answer.body.error.message.startsWith('code: is required')) {
          asked.add(route.endpoint.id)
          for (const code of ['123456', 'AAAA-AAAA-AAAA-AAAA'])
            expect((await thief.request(route.method, path, { ...body, code })).status, route.name).toBe(422)
        }
        expect(await factorsOfAll(), route.name).toEqual(before)
        // A write that succeeds may end the session, or leave less to change.
        if (answer.status < 400) people = await setUpThief(factors)
      }
      expect([...asked].toSorted()).toEqual(asking)
    },
  )

  test('S19: a code of the second factor makes new recovery codes, and is consumed', async () => {
    const user = await app.createUser()
    const [code] = await giveSecondFactor(app, user.id)
    const browser = await passwordSession(app, user)
    const renew = () => browser.post('/api/web/account/second-factor/recovery-codes', { password: PASSWORD, code })
    expect((await renew()).status).toBe(201)
    expect((await renew()).status).toBe(422)
  })

  test('S19: an app whose setup started before the first passkey cannot be confirmed after it', async () => {
    const user = await app.createUser()
    const [thief, own] = [await passwordSession(app, user), await passwordSession(app, user)]
    expect((await thief.post('/api/web/account/second-factor', { password: PASSWORD })).status).toBe(201)
    const { body } = await own.post('/api/web/account/passkeys/start', { password: PASSWORD })
    const passkey = new Authenticator('http://localhost:3001').create(body.data)
    expect((await own.post('/api/web/account/passkeys', { name: 'Key', passkey })).status).toBe(201)
    const later = await passwordSession(app, user)
    expect((await later.post('/api/web/account/second-factor/confirm', { code: '123456' })).status).toBe(409)
  })
})
