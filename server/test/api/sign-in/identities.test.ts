import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { OpenIdProvider } from '../../support/providers/openid-provider.ts'
import {
  FINISH,
  finish,
  ProviderVisit,
  passwordSession,
  START,
  signInThere,
} from '../../support/providers/provider-visit.ts'

const FRONTEND = 'http://localhost:3001'
const provider = new OpenIdProvider([FRONTEND])
let app: TestApp
beforeAll(async () => {
  await provider.up()
  app = await testApp({ env: { ...provider.settings, FRONTEND_URL: FRONTEND } })
})
afterAll(async () => {
  await app.close()
  await provider.down()
})

const ACCOUNT = '/api/web/account'
let count = 0
const subject = (word = 'person') => `${word}.${process.pid}.${++count}`

const started = async (browser = new TestBrowser(app.origin)) => {
  const answer = await browser.post(START, {})
  return { browser, url: answer.body.data.url as string }
}

describe('signing in through the provider', () => {
  test('the first sign-in creates an account without a password, later ones find it by issuer and subject', async () => {
    const { sub, email, name } = provider.add({ sub: subject() })
    const first = await signInThere(app, sub, '/account/profile')
    expect(first.answer.body.data).toEqual({
      outcome: 'signed-in',
      secondFactors: [],
      user: { id: expect.any(String), name, email },
      next: '/account/profile',
    })
    const identity = await first.browser.get('/api/web/account/identity')
    expect(identity.body.data).toMatchObject({
      providerName: 'Test Directory',
      identity: { subject: sub, email },
      confirmsBy: 'provider',
    })
    provider.add({ sub, email: `moved.${email}` })
    const again = await signInThere(app, sub)
    expect(again.answer.body.data.user).toEqual(first.answer.body.data.user)
    const entries = await app.db
      .selectFrom('audit_entries')
      .select(['action', 'after'])
      .where('object_id', '=', first.answer.body.data.user.id)
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['account.created', 'session.started', 'session.started'])
    expect(entries[1]?.after).toEqual({ method: 'oidc', secondFactor: null })
  })

  test('sends PKCE, state and nonce, and returns where to sign out', async () => {
    const { url } = await started()
    const asked = new URL(url).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${FRONTEND}/sign-in/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/)
    const { browser } = await signInThere(app, provider.add({ sub: subject() }).sub)
    const stolen = browser.copy()
    const { continueAt } = (await browser.post('/api/auth/sign-out')).body.data
    const end = new URL(continueAt)
    expect(end.origin).toBe(provider.issuer)
    expect(end.searchParams.get('post_logout_redirect_uri')).toBe(`${FRONTEND}/sign-in`)
    expect(end.searchParams.get('id_token_hint')).toMatch(/^ey/)
    expect((await stolen.get(ACCOUNT)).status).toBe(401)
  })

  test('S9: an account with a second factor needs it after the provider, too', async () => {
    const { sub } = provider.add({ sub: subject() })
    const { answer } = await signInThere(app, sub)
    await app.db
      .insertInto('second_factors')
      .values({
        user_id: answer.body.data.user.id,
        secret: Buffer.alloc(48),
        confirmed_at: '2026-01-01T00:00:00.000Z',
        created_at: '2026-01-01T00:00:00.000Z',
      })
      .execute()
    const second = await signInThere(app, sub)
    expect(second.answer.body.data).toEqual({ outcome: 'second-factor', user: null, secondFactors: ['app'], next: '/' })
    expect((await second.browser.get(ACCOUNT)).status).toBe(401)
    expect((await second.browser.post('/api/auth/sign-in/second-factor', { code: '000000' })).status).not.toBe(200)
  })

  test('M13: an organization that requires a second factor stays closed to a session of the provider without one', async () => {
    const { sub } = provider.add({ sub: subject() })
    const { browser, answer } = await signInThere(app, sub)
    const organization = await app.createOrganization()
    await app.db
      .insertInto('memberships')
      .values({
        organization_id: organization.id,
        user_id: answer.body.data.user.id,
        name: answer.body.data.user.name,
        email: answer.body.data.user.email,
        role: 'member',
        joined_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      })
      .execute()
    const inside = new TestBrowser(app.origin, { 'x-organization': organization.id })
    for (const [name, value] of browser.cookies) inside.cookies.set(name, value)
    expect((await inside.get('/api/web/organizations/current')).status).toBe(200)
    await app.db
      .updateTable('organizations')
      .set({ require_two_factor: true })
      .where('id', '=', organization.id)
      .execute()
    const refused = await inside.get('/api/web/organizations/current')
    expect(refused.body.error.message).toMatch(/requires two-factor authentication/)
  })

  test('with ssoEnabled a password session no longer opens the organization, one of the provider does', async () => {
    const organization = await app.createOrganization()
    await app.db.updateTable('organizations').set({ sso_enabled: true }).where('id', '=', organization.id).execute()
    const owner = await passwordSession(app, organization.owner, organization.id)
    const refused = await owner.get('/api/web/organizations/current')
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toMatch(/requires sign-in through the identity provider/)
    await app.db.updateTable('sessions').set({ method: 'oidc' }).where('user_id', '=', organization.owner.id).execute()
    expect((await owner.get('/api/web/organizations/current')).status).toBe(200)
  })
})

describe('S10: an address is not an identity', () => {
  for (const verified of [false, 'true', 1, undefined, null]) {
    test(`email_verified: ${JSON.stringify(verified)} signs no one in and creates no account`, async () => {
      const { sub, email } = provider.add({ sub: subject(), email_verified: verified })
      const { browser, answer } = await signInThere(app, sub)
      expect(answer.status).toBe(403)
      expect(answer.body.error.message).toMatch(/verified your email address/)
      expect((await browser.get(ACCOUNT)).status).toBe(401)
      expect(await app.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])
    })
  }

  test('S13 (classic merge): an address that has an account is refused until that account links', async () => {
    const user = await app.createUser()
    const { sub } = provider.add({ sub: subject(), email: user.email.toUpperCase() })
    const { browser, answer } = await signInThere(app, sub)
    expect(answer.status).toBe(409)
    expect(answer.body.error.message).toMatch(/is not linked/)
    expect((await browser.get(ACCOUNT)).status).toBe(401)
  })

  test('a second tenant with the same address, another subject or another issuer is a different person', async () => {
    const { sub, email } = provider.add({ sub: subject() })
    expect((await signInThere(app, sub)).answer.status).toBe(200)
    const other = provider.add({ sub: subject('other-tenant'), email })
    expect((await signInThere(app, other.sub)).answer.status).toBe(409)
    const { user_id: userId } = await app.db
      .selectFrom('linked_accounts')
      .select('user_id')
      .where('subject', '=', sub)
      .executeTakeFirstOrThrow()
    await app.db
      .updateTable('linked_accounts')
      .set({ issuer: 'https://first.example' })
      .where('user_id', '=', userId)
      .execute()
    expect((await signInThere(app, sub)).answer.status).toBe(409)
  })
})

describe('S11: the callback is refused', () => {
  const refusedAsUntrusted = async (browser: TestBrowser, back: URL) => {
    const answer = await finish(browser, back)
    expect(answer.status).toBe(400)
    expect((await browser.get(ACCOUNT)).status).toBe(401)
  }

  test('with another nonce in the id token', async () => {
    const { sub } = provider.add({ sub: subject() })
    const { browser, url } = await started()
    const changed = new URL(url)
    changed.searchParams.set('nonce', 'a-nonce-of-somebody-else')
    await refusedAsUntrusted(browser, await new ProviderVisit().signIn(changed.toString(), sub))
  })

  test('without a state, with an empty, another or a repeated one', async () => {
    const { sub } = provider.add({ sub: subject() })
    for (const change of [
      (query: URLSearchParams) => query.delete('state'),
      (query: URLSearchParams) => query.set('state', ''),
      (query: URLSearchParams) => query.set('state', 'A'.repeat(43)),
      (query: URLSearchParams) => query.append('state', query.get('state') as string),
    ]) {
      const { browser, url } = await started()
      const back = await new ProviderVisit().signIn(url, sub)
      change(back.searchParams)
      await refusedAsUntrusted(browser, back)
    }
  })

  test('in another browser, with or without its own flow', async () => {
    const { sub } = provider.add({ sub: subject() })
    const { url } = await started()
    const back = await new ProviderVisit().signIn(url, sub)
    await refusedAsUntrusted(new TestBrowser(app.origin), back)
    await refusedAsUntrusted((await started()).browser, back)
  })

  test('a second time: state and code work once, also simultaneously', async () => {
    const { sub } = provider.add({ sub: subject() })
    const { browser, url } = await started()
    const back = await new ProviderVisit().signIn(url, sub)
    const answers = await Promise.all([
      finish(browser.copy(), back),
      finish(browser.copy(), back),
      finish(browser.copy(), back),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect((await finish(browser.copy(), back)).status).toBe(400)
  })

  test('with the code of another flow: replayed, or of an attacker, it does not match the code verifier', async () => {
    const { sub } = provider.add({ sub: subject() })
    const attacker = await started()
    const stolen = await new ProviderVisit().signIn(attacker.url, sub)
    const victim = await started()
    const back = await new ProviderVisit().signIn(victim.url, sub)
    back.searchParams.set('code', stolen.searchParams.get('code') as string)
    await refusedAsUntrusted(victim.browser, back)
  })

  test('after a mix-up: with another issuer, or with none although the provider always sends one', async () => {
    const { sub } = provider.add({ sub: subject() })
    for (const change of [
      (query: URLSearchParams) => query.set('iss', 'https://evil.example'),
      (query: URLSearchParams) => query.delete('iss'),
    ]) {
      const { browser, url } = await started()
      const back = await new ProviderVisit().signIn(url, sub)
      expect(back.searchParams.get('iss')).toBe(provider.issuer)
      change(back.searchParams)
      await refusedAsUntrusted(browser, back)
    }
  })

  test('too late', async () => {
    const { sub } = provider.add({ sub: subject() })
    const { browser, url } = await started()
    const back = await new ProviderVisit().signIn(url, sub)
    app.clock.advance(15 * 60_000)
    await refusedAsUntrusted(browser, back)
    app.clock.advance(-15 * 60_000)
  })

  test('with a sentence when the provider refused', async () => {
    const { browser, url } = await started()
    const answer = await finish(browser, await new ProviderVisit().signIn(url, subject(), 'refuse'))
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toBe('Test Directory did not let you in (access_denied).')
  })

  test('with malformed parameters of any kind', async () => {
    for (const query of ['?', '=', 'code=x', 'state=%', 'a'.repeat(8_000), 'state[]=x&code=y']) {
      const { browser } = await started()
      expect((await browser.post(FINISH, { query })).status).toBe(400)
    }
  })
})

describe('S15: the return address', () => {
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    'https://evil.example/o/x',
    '/%2f%2fevil.example',
    '\t//evil.example',
    '/@evil.example',
    'javascript:alert(1)',
    '/o/../../evil',
    '/api/auth/sign-out',
    '/o/x#//evil.example',
  ]) {
    test(`next=${JSON.stringify(next)} becomes the start page`, async () => {
      const { sub } = provider.add({ sub: subject() })
      expect((await signInThere(app, sub, next)).answer.body.data.next).toBe('/')
    })
  }

  test('a path of this server is kept', async () => {
    const { sub } = provider.add({ sub: subject() })
    expect((await signInThere(app, sub, '/o/acme/engagements?status=active')).answer.body.data.next).toBe(
      '/o/acme/engagements?status=active',
    )
    const invited = '/invitations/accept#token=Ab_-9'
    expect((await signInThere(app, sub, invited)).answer.body.data.next).toBe(invited)
  })
})

describe('linking an account', () => {
  const LINK = '/api/web/account/identity'

  test('S1, S13 (unexpired session): needs a session and the password; then the provider signs in to it, and earlier sign-ins are void', async () => {
    const user = await app.createUser()
    const { sub } = provider.add({ sub: subject(), email: `elsewhere.${user.email}` })
    const browser = await passwordSession(app, user)
    const unexpired = await passwordSession(app, user)
    expect((await browser.post(LINK, { password: 'not the password' })).status).toBe(403)
    expect((await new TestBrowser(app.origin).post(LINK, { password: PASSWORD })).status).toBe(401)
    const { url } = (await browser.post(LINK, { password: PASSWORD })).body.data
    const stolen = browser.copy()
    const linked = await finish(browser, await new ProviderVisit().signIn(url, sub))
    expect(linked.body.data).toMatchObject({ outcome: 'linked', user: { id: user.id } })
    expect((await browser.get(ACCOUNT)).status).toBe(200)
    for (const old of [unexpired, stolen]) expect((await old.get(ACCOUNT)).status).toBe(401)
    expect((await signInThere(app, sub)).answer.body.data.user.id).toBe(user.id)
    expect((await app.nextMail(user.email)).subject).toBe('Your account is linked to Test Directory')
  })

  test('S11: a callback for another session links nothing', async () => {
    const [victim, attacker] = [await app.createUser(), await app.createUser()]
    const { sub } = provider.add({ sub: subject() })
    const browser = await passwordSession(app, attacker)
    const { url } = (await browser.post(LINK, { password: PASSWORD })).body.data
    const back = await new ProviderVisit().signIn(url, sub)
    const lured = await passwordSession(app, victim)
    expect((await finish(lured, back)).status).toBe(400)
    lured.cookies.set('flow', browser.cookies.get('flow') as string)
    expect((await finish(lured, back)).status).toBe(401)
    expect(await app.db.selectFrom('linked_accounts').select('id').where('subject', '=', sub).execute()).toEqual([])
  })

  test('an identity belongs to one account, and an account has one identity per provider', async () => {
    const { sub } = provider.add({ sub: subject() })
    await signInThere(app, sub)
    const user = await app.createUser()
    const browser = await passwordSession(app, user)
    const link = async (as: string) =>
      finish(
        browser,
        await new ProviderVisit().signIn((await browser.post(LINK, { password: PASSWORD })).body.data.url, as),
      )
    expect((await link(sub)).status).toBe(409)
    expect((await link(provider.add({ sub: subject() }).sub)).status).toBe(200)
    expect((await browser.post(LINK, { password: PASSWORD })).status).toBe(409)
  })

  test('S13 (non-verifying provider): an unverified address links nothing', async () => {
    const { sub } = provider.add({ sub: subject(), email_verified: false })
    const browser = await passwordSession(app, await app.createUser())
    const { url } = (await browser.post(LINK, { password: PASSWORD })).body.data
    expect((await finish(browser, await new ProviderVisit().signIn(url, sub))).status).toBe(403)
  })

  test('S13 (unexpired change of address): no account changes its address', async () => {
    const browser = await passwordSession(app, await app.createUser())
    expect((await browser.patch(ACCOUNT, { email: 'victim@example.com' })).status).toBe(422)
  })
})

describe('confirming at the provider', () => {
  const CONFIRM = '/api/web/account/confirmation'

  test('replaces the password for 15 minutes, in a new session; only as the same person', async () => {
    const { sub } = provider.add({ sub: subject() })
    const { browser } = await signInThere(app, sub)
    app.clock.advance(16 * 60_000)
    expect((await browser.get('/api/web/account/identity')).body.data.confirmedUntil).toBeNull()
    app.clock.advance(-16 * 60_000)
    const stranger = await finish(
      browser,
      await new ProviderVisit().signIn(
        (await browser.post(CONFIRM, {})).body.data.url,
        provider.add({ sub: subject() }).sub,
      ),
    )
    expect(stranger.status).toBe(403)
    const { url } = (await browser.post(CONFIRM, { next: '/account/second-factor' })).body.data
    expect(new URL(url).searchParams.get('prompt')).toBe('login')
    const stolen = browser.copy()
    const confirmed = await finish(browser, await new ProviderVisit().signIn(url, sub))
    expect(confirmed.body.data).toMatchObject({ outcome: 'confirmed', next: '/account/second-factor' })
    expect((await stolen.get(ACCOUNT)).status).toBe(401)
    expect((await browser.get('/api/web/account/identity')).body.data.confirmedUntil).not.toBeNull()
  })
})

describe('passwords, while users sign in through the provider', () => {
  test('are refused at every door with a sentence that gives the reason', async () => {
    const user = await app.createUser(undefined, { isInstanceAdmin: true })
    const answers = await Promise.all([
      app.anonymous.post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD }),
      app.anonymous.post('/api/auth/password-reset', { email: user.email }),
      app.anonymous.post('/api/auth/password-reset/inspect', { token: 'x' }),
      app.anonymous.post('/api/auth/password-reset/confirm', { token: 'x', password: 'a long and good one' }),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(403)
      expect(body.error.message).toMatch(/through its identity provider/)
    }
    expect((await app.anonymous.get('/api/auth/mode')).body.data).toEqual({
      provider: 'oidc',
      providerName: 'Test Directory',
      passwordsFor: 'nobody',
    })
  })

  test('S16: while the provider is down no other way signs users in, live sessions continue, and it recovers by itself', async () => {
    const { sub } = provider.add({ sub: subject() })
    const { browser } = await signInThere(app, sub)
    const lonely = new OpenIdProvider([FRONTEND])
    await lonely.up()
    const other = await testApp({ env: { ...lonely.settings, FRONTEND_URL: FRONTEND } })
    try {
      await lonely.down()
      const refused = await other.anonymous.post(START, {})
      expect(refused.status).toBe(503)
      expect(refused.body.error.message).toMatch(/^Test Directory does not respond/)
      const admin = await other.createUser(undefined, { isInstanceAdmin: true })
      expect(
        (await other.anonymous.post('/api/auth/sign-in/email', { email: admin.email, password: PASSWORD })).status,
      ).toBe(403)
      expect((await (await passwordSession(other, admin)).get(ACCOUNT)).status).toBe(200)
      await lonely.up()
      lonely.add({ sub })
      expect((await signInThere(other, sub)).answer.status).toBe(200)
    } finally {
      await other.close()
      await lonely.down()
    }
    expect((await browser.get(ACCOUNT)).status).toBe(200)
  })

  test('AUTH_LOCAL_FALLBACK lets only instance administrators in: others receive the answer to a wrong password, also with the right one', async () => {
    const fallback = await testApp({
      env: { ...provider.settings, FRONTEND_URL: FRONTEND, AUTH_LOCAL_FALLBACK: 'true' },
    })
    try {
      const admin = await fallback.createUser(undefined, { isInstanceAdmin: true })
      const user = await fallback.createUser()
      expect(
        (await fallback.anonymous.post('/api/auth/sign-in/email', { email: admin.email, password: PASSWORD })).status,
      ).toBe(200)
      const refused = await fallback.anonymous.post('/api/auth/sign-in/email', {
        email: user.email,
        password: PASSWORD,
      })
      const guessed = await fallback.anonymous.post('/api/auth/sign-in/email', {
        email: user.email,
        password: 'not the password',
      })
      expect([refused.status, refused.body]).toEqual([401, guessed.body])
      expect((await fallback.anonymous.get('/api/auth/mode')).body.data.passwordsFor).toBe('administrators')
      expect((await fallback.anonymous.post('/api/auth/password-reset', { email: admin.email })).status).toBe(403)
    } finally {
      await fallback.close()
    }
  })
})
