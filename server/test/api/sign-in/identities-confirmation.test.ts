import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { OpenIdProvider } from '../../support/providers/openid-provider.ts'
import { finish, ProviderVisit, passwordSession, signInThere } from '../../support/providers/provider-visit.ts'

const FRONTEND = 'http://localhost:3001'
const SECOND_FACTOR = '/api/web/account/second-factor'
const CURRENT = '/api/web/organizations/current'
const SETTINGS = `${CURRENT}/settings`
const TRANSFER = `${CURRENT}/transfer-ownership`
const QUARTER_MS = 15 * 60_000

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

let count = 0
const newSubject = () => provider.add({ sub: `confirming.${process.pid}.${++count}` }).sub

const inside = (browser: TestBrowser, organizationId: string): TestBrowser => {
  const other = new TestBrowser(app.origin, { 'x-organization': organizationId })
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  return other
}

const confirmed = async (browser: TestBrowser, sub: string) =>
  finish(
    browser,
    await new ProviderVisit().signIn((await browser.post('/api/web/account/confirmation', {})).body.data.url, sub),
  )

/** The owner, linked to a person at the provider. */
const ownerAtProvider = async (organization: TestOrganization): Promise<{ sub: string; browser: TestBrowser }> => {
  const sub = newSubject()
  const browser = await passwordSession(app, organization.owner)
  const { url } = (await browser.post('/api/web/account/identity', { password: PASSWORD })).body.data
  expect((await finish(browser, await new ProviderVisit().signIn(url, sub))).status).toBe(200)
  return { sub, browser: (await signInThere(app, sub)).browser }
}

describe('a session of the provider replaces the password with a sign-in there within the last 15 minutes', () => {
  test('S9: a user with an old session is refused, signs in there again, and sets up a second factor without a password', async () => {
    const sub = newSubject()
    const { browser } = await signInThere(app, sub)
    app.clock.advance(QUARTER_MS + 1_000)
    try {
      const refused = await browser.post(SECOND_FACTOR, {})
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        expect.stringMatching(/^Sign in at the identity provider again/),
      ])
      // A password makes no difference: the account has none, and an invented one is refused.
      expect((await browser.post(SECOND_FACTOR, { password: PASSWORD })).status).toBe(403)
    } finally {
      app.clock.advance(-QUARTER_MS - 1_000)
    }
    expect((await confirmed(browser, sub)).status).toBe(200)
    expect((await browser.post(SECOND_FACTOR, {})).status).toBe(201)
  })

  test('a password session needs the password, whatever happens at the provider', async () => {
    const browser = await passwordSession(app, await app.createUser())
    expect((await browser.post(SECOND_FACTOR, {})).status).toBe(422)
    expect((await browser.post(SECOND_FACTOR, { password: 'not the password' })).status).toBe(403)
    expect((await browser.post(SECOND_FACTOR, { password: PASSWORD })).status).toBe(201)
    expect((await browser.post('/api/web/account/confirmation', {})).status).toBe(409)
  })

  test('at a provider that does not report sign-in times, the same person must choose the account again', async () => {
    const silent = new OpenIdProvider([FRONTEND], false)
    await silent.up()
    const other = await testApp({ env: { ...silent.settings, FRONTEND_URL: FRONTEND } })
    try {
      const [{ sub }, stranger] = [silent.add({ sub: 'silent' }), silent.add({ sub: 'stranger' })]
      const { browser } = await signInThere(other, sub)
      expect((await browser.post(SECOND_FACTOR, {})).status).toBe(403)
      const { url } = (await browser.post('/api/web/account/confirmation', {})).body.data
      expect([new URL(url).searchParams.get('prompt'), new URL(url).searchParams.get('max_age')]).toEqual([
        'select_account',
        null,
      ])
      // The test provider has no account chooser: without this parameter it asks who signs in.
      const known = (of: string) => of.replace('&prompt=select_account', '')
      expect((await finish(browser, await new ProviderVisit().signIn(known(url), stranger.sub))).status).toBe(403)
      const again = (await browser.post('/api/web/account/confirmation', {})).body.data.url
      expect((await finish(browser, await new ProviderVisit().signIn(known(again), sub))).status).toBe(200)
      expect((await browser.post(SECOND_FACTOR, {})).status).toBe(201)
    } finally {
      await other.close()
      await silent.down()
    }
  })

  test('ownership is transferred in the same way', async () => {
    const organization = await app.createOrganization()
    const successor = await app.createMember('member', organization)
    const { sub, browser } = await ownerAtProvider(organization)
    app.clock.advance(QUARTER_MS + 1_000)
    try {
      expect((await inside(browser, organization.id).post(TRANSFER, { userId: successor.id })).status).toBe(403)
    } finally {
      app.clock.advance(-QUARTER_MS - 1_000)
    }
    await confirmed(browser, sub)
    const { status, body } = await inside(browser, organization.id).post(TRANSFER, { userId: successor.id })
    expect([status, body.data]).toEqual([200, { ownerId: successor.id, previousOwnerId: organization.owner.id }])
  })
})

describe('ssoEnabled', () => {
  test('is switched on only by a user who signed in through the provider; from then on password sessions are refused, keys are not', async () => {
    const organization = await app.createOrganization()
    const member = await app.createMember('member', organization)
    const withPassword = await passwordSession(app, organization.owner, organization.id)
    expect((await withPassword.patch(SETTINGS, { ssoEnabled: true })).status).toBe(409)
    const memberSession = await passwordSession(app, member, organization.id)
    const owner = inside((await ownerAtProvider(organization)).browser, organization.id)
    const { value } = (
      await owner.post('/api/web/api-keys', { name: 'key', environment: 'live', scopes: ['organizations:read'] })
    ).body.data
    const key = new TestClient(app.origin, { authorization: `Bearer ${value}` })
    expect((await memberSession.get(CURRENT)).status).toBe(200)
    expect((await owner.patch(SETTINGS, { ssoEnabled: true })).body.data.ssoEnabled).toBe(true)
    const refused = await memberSession.get(CURRENT)
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringMatching(/requires sign-in through the identity provider/),
    ])
    expect((await memberSession.get('/api/web/account')).status).toBe(200)
    expect((await key.get('/api/v1/organizations/current')).body.data.settings.ssoEnabled).toBe(true)
    expect((await owner.patch(SETTINGS, { ssoEnabled: false })).status).toBe(200)
    expect((await memberSession.get(CURRENT)).status).toBe(200)
    const changes = app.db
      .selectFrom('audit_entries')
      .select(['before', 'after'])
      .where('organization_id', '=', organization.id)
    expect(await changes.where('action', '=', 'organization.settings-changed').orderBy('id').execute()).toEqual([
      { before: { ssoEnabled: false }, after: { ssoEnabled: true } },
      { before: { ssoEnabled: true }, after: { ssoEnabled: false } },
    ])
  })

  test('with AUTH_PROVIDER=local cannot be switched on: no one could sign in', async () => {
    const local = await testApp()
    try {
      const owner = await local.signedIn('owner')
      expect((await owner.patch(SETTINGS, { ssoEnabled: true })).status).toBe(409)
    } finally {
      await local.close()
    }
  })
})
