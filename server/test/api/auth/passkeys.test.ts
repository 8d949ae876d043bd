import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type TestApp, type TestUser, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { Authenticator } from '../../support/providers/authenticator.ts'

const PASSKEYS = '/api/web/account/passkeys'
const SIGN_IN = '/api/auth/sign-in/passkey'
const OPTIONS = `${SIGN_IN}/options`
const CODE = '/api/auth/sign-in/second-factor'
const SITE = 'https://sortie.example.com'
const STEP_MS = 30_000

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { FRONTEND_URL: SITE } })
})
afterAll(() => app.close())

/** Cookies of an https site have the `__Host-` prefix: the test browser keeps them. */
const withPassword = async (user: TestUser) => {
  const browser = new TestBrowser(app.origin)
  const answer = await browser.post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD })
  return { browser, answer }
}

const enrol = async (browser: TestBrowser, proof: object = {}, name = 'Key') => {
  const started = await browser.post(`${PASSKEYS}/start`, { password: PASSWORD, ...proof })
  if (started.status !== 201) throw new Error(started.text)
  const authenticator = new Authenticator(SITE)
  const confirmed = await browser.post(PASSKEYS, { name, passkey: authenticator.create(started.body.data) })
  if (confirmed.status !== 201) throw new Error(confirmed.text)
  return {
    authenticator,
    id: confirmed.body.data.passkey.id as string,
    recoveryCodes: confirmed.body.data.recoveryCodes as string[],
  }
}

/** A person with one passkey, in a signed-in browser. */
const enrolled = async () => {
  const user = await app.createUser()
  const { browser } = await withPassword(user)
  return { user, browser, ...(await enrol(browser)) }
}

/** The challenge of the second step, in a browser where the password was right. */
const asked = async (user: TestUser) => {
  const { browser } = await withPassword(user)
  const { body, status, text } = await browser.post(OPTIONS)
  if (status !== 200) throw new Error(text)
  return { browser, question: body.data as { challenge: string; rpId: string; allowCredentials: { id: string }[] } }
}

/** A response to a challenge of the signed-in browser. */
const proofBy = async (browser: TestBrowser, authenticator: Authenticator) => {
  const { body } = await browser.post(`${PASSKEYS}/options`)
  return { passkey: authenticator.answer(body.data) }
}

describe('adding a passkey', () => {
  test('needs the password; the first gives ten recovery codes and is listed; both are mailed', async () => {
    const user = await app.createUser('Paula Key')
    const { browser } = await withPassword(user)
    expect((await browser.post(`${PASSKEYS}/start`, { password: 'not the password' })).status).toBe(403)
    const started = await browser.post(`${PASSKEYS}/start`, { password: PASSWORD })
    expect(started.status).toBe(201)
    expect(started.body.data).toMatchObject({
      rp: { id: 'sortie.example.com', name: 'Sortie' },
      user: { name: user.email, displayName: 'Paula Key' },
      attestation: 'none',
    })
    const passkey = new Authenticator(SITE).create(started.body.data)
    const confirmed = await browser.post(PASSKEYS, { name: '  Blue key ', passkey })
    expect(confirmed.body.data.passkey).toMatchObject({ name: 'Blue key', lastUsedAt: null })
    expect(new Set(confirmed.body.data.recoveryCodes).size).toBe(10)
    expect((await browser.get(PASSKEYS)).body.data).toEqual([confirmed.body.data.passkey])
    expect((await browser.get('/api/web/account')).body.data.secondFactor).toMatchObject({
      enabled: true,
      appEnabledAt: null,
      passkeys: 1,
      recoveryCodesLeft: 10,
    })
    expect((await app.nextMail(user.email)).text).toContain('A passkey was added to your account')
  })

  test('S1, S2: gives this session a new cookie and ends every other', async () => {
    const user = await app.createUser()
    const { browser: other } = await withPassword(user)
    const { browser } = await withPassword(user)
    const stolen = browser.copy()
    await enrol(browser)
    expect((await browser.get('/api/web/account')).status).toBe(200)
    expect((await stolen.get('/api/web/account')).status).toBe(401)
    expect((await other.get('/api/web/account')).status).toBe(401)
  })

  test('S9: with an existing second factor needs that one too: a stolen session and the password add nothing', async () => {
    const { browser, authenticator, recoveryCodes } = await enrolled()
    const start = (proof: object) => browser.post(`${PASSKEYS}/start`, { password: PASSWORD, ...proof })
    expect((await start({})).status).toBe(422)
    expect((await start({ code: '123456' })).status).toBe(422)
    expect((await browser.post('/api/web/account/second-factor', { password: PASSWORD })).status).toBe(422)
    const second = await enrol(browser, await proofBy(browser, authenticator), 'Second')
    expect(second.recoveryCodes).toEqual([])
    await enrol(browser, { code: recoveryCodes[0] }, 'Third')
    expect((await browser.get(PASSKEYS)).body.data.map(({ name }: { name: string }) => name)).toEqual([
      'Key',
      'Second',
      'Third',
    ])
  })

  test.each([
    ['another origin', { origin: 'https://sortie.example.net' }],
    ['another site', { rpId: 'example.com' }],
    ['another challenge', { challenge: 'bm90IHRoZSBvbmU' }],
    ['no one present', { present: false }],
    [
      'a certificate that vouches for it',
      { format: 'packed', statement: [['x5c', [Buffer.from('certificate')]]] as [string, Buffer[]][] },
    ],
  ])('refuses a response for %s, and a second response to the same challenge', async (_what, forgery) => {
    const { browser } = await withPassword(await app.createUser())
    const started = await browser.post(`${PASSKEYS}/start`, { password: PASSWORD })
    const authenticator = new Authenticator(SITE)
    expect(
      (await browser.post(PASSKEYS, { name: 'Key', passkey: authenticator.create(started.body.data, forgery) })).status,
    ).toBe(422)
    expect(
      (await browser.post(PASSKEYS, { name: 'Key', passkey: authenticator.create(started.body.data) })).status,
    ).toBe(409)
    expect((await browser.get(PASSKEYS)).body.data).toEqual([])
  })

  test('refuses a response in another session, after five minutes, and a passkey that is in use', async () => {
    const user = await app.createUser()
    const [{ browser }, { browser: other }] = [await withPassword(user), await withPassword(user)]
    const authenticator = new Authenticator(SITE)
    const start = async () => (await browser.post(`${PASSKEYS}/start`, { password: PASSWORD })).body.data
    expect((await other.post(PASSKEYS, { name: 'Key', passkey: authenticator.create(await start()) })).status).toBe(409)
    const late = await start()
    app.clock.advance(5 * 60_000)
    expect((await browser.post(PASSKEYS, { name: 'Key', passkey: authenticator.create(late) })).status).toBe(409)
    expect((await browser.post(PASSKEYS, { name: 'Key', passkey: authenticator.create(await start()) })).status).toBe(
      201,
    )
    const { browser: stranger } = await withPassword(await app.createUser())
    const wish = (await stranger.post(`${PASSKEYS}/start`, { password: PASSWORD })).body.data
    expect((await stranger.post(PASSKEYS, { name: 'Key', passkey: authenticator.create(wish) })).status).toBe(409)
  })

  test('is refused where browsers do not support it: on a server reached by a network address', async () => {
    const numbered = await testApp({ env: { FRONTEND_URL: 'https://192.0.2.7' }, workers: false })
    try {
      const user = await numbered.createUser()
      const browser = new TestBrowser(numbered.origin)
      await browser.post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD })
      expect((await browser.post(`${PASSKEYS}/start`, { password: PASSWORD })).status).toBe(409)
    } finally {
      await numbered.close()
    }
  })
})

describe('signing in with a passkey', () => {
  test('S8: the password gives a ticket and the available factors; then the passkey signs in', async () => {
    const { user, authenticator } = await enrolled()
    const { browser, answer } = await withPassword(user)
    expect(answer.body).toEqual({ data: { user: null, secondFactorRequired: true, secondFactors: ['passkey'] } })
    const { body } = await browser.post(OPTIONS)
    expect(body.data.allowCredentials).toEqual([{ id: authenticator.id, type: 'public-key', transports: ['usb'] }])
    const signedIn = await browser.post(SIGN_IN, { passkey: authenticator.answer(body.data) })
    expect(signedIn.body).toEqual({ data: { user } })
    expect((await browser.get('/api/web/account')).body.data.id).toBe(user.id)
    expect((await browser.get(PASSKEYS)).body.data[0].lastUsedAt).not.toBeNull()
  })

  test('S8: the passkey without a ticket opens nothing: there is no challenge', async () => {
    const stranger = new TestBrowser(app.origin)
    expect((await stranger.post(OPTIONS)).status).toBe(401)
    const { user, authenticator } = await enrolled()
    const { question } = await asked(user)
    expect((await stranger.post(SIGN_IN, { passkey: authenticator.answer(question) })).status).toBe(401)
    stranger.cookies.set('__Host-ticket', 'a guessed ticket')
    expect((await stranger.post(SIGN_IN, { passkey: authenticator.answer(question) })).status).toBe(401)
  })

  test.each([
    ['another origin', { origin: 'https://sortie.example.net' }],
    ['another site', { rpId: 'example.com' }],
    ['another challenge', { challenge: 'bm90IHRoZSBvbmU' }],
    ['no one present', { present: false }],
  ])('S8: refuses a response for %s', async (_what, forgery) => {
    const { user, authenticator } = await enrolled()
    const { browser, question } = await asked(user)
    expect((await browser.post(SIGN_IN, { passkey: authenticator.answer(question, forgery) })).status).toBe(401)
    expect(browser.cookies.has('__Host-sid')).toBe(false)
  })

  test('S8: refuses a used response, also with a new ticket, and when it is sent twenty times at once', async () => {
    const { user, authenticator } = await enrolled()
    const { browser, question } = await asked(user)
    const passkey = authenticator.answer(question)
    const statuses = (
      await Promise.all(Array.from({ length: 20 }, () => browser.copy().post(SIGN_IN, { passkey })))
    ).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const next = await asked(user)
    expect((await next.browser.post(SIGN_IN, { passkey })).status).toBe(401)
  })

  test('S8: refuses a counter that decreased or did not change, as that of a copy does', async () => {
    const { user, authenticator } = await enrolled()
    const first = await asked(user)
    expect(
      (await first.browser.post(SIGN_IN, { passkey: authenticator.answer(first.question, { signCount: 10 }) })).status,
    ).toBe(200)
    for (const signCount of [10, 9, 0]) {
      const { browser, question } = await asked(user)
      expect(
        (await browser.post(SIGN_IN, { passkey: authenticator.answer(question, { signCount }) })).status,
        String(signCount),
      ).toBe(401)
    }
    const last = await asked(user)
    expect(
      (await last.browser.post(SIGN_IN, { passkey: authenticator.answer(last.question, { signCount: 11 }) })).status,
    ).toBe(200)
  })

  test("S8: refuses another person's passkey, and a removed one", async () => {
    const { user, browser: own, authenticator, id, recoveryCodes } = await enrolled()
    const other = await enrolled()
    const { browser, question } = await asked(user)
    expect((await browser.post(SIGN_IN, { passkey: other.authenticator.answer(question) })).status).toBe(401)
    await enrol(own, { code: recoveryCodes[0] }, 'Stays')
    expect((await own.delete(`${PASSKEYS}/${id}`, { password: PASSWORD, code: recoveryCodes[1] })).status).toBe(200)
    const after = await asked(user)
    expect((await after.browser.post(SIGN_IN, { passkey: authenticator.answer(after.question) })).status).toBe(401)
  })

  test('S8: a ticket allows five refused responses, of passkeys or codes; then the right one is refused too', async () => {
    const { user, authenticator } = await enrolled()
    const { browser } = await withPassword(user)
    for (let i = 0; i < 3; i++) {
      const { body } = await browser.post(OPTIONS)
      await browser.post(SIGN_IN, { passkey: authenticator.answer(body.data, { origin: 'https://elsewhere.example' }) })
    }
    for (let i = 0; i < 2; i++) await browser.post(CODE, { code: String(300_000 + i) })
    const { body } = await browser.post(OPTIONS)
    expect((await browser.post(SIGN_IN, { passkey: authenticator.answer(body.data) })).status).toBe(401)
    const { failures } = await app.db
      .selectFrom('throttle_buckets')
      .select('failures')
      .where('bucket', '=', `second-factor:${user.id}`)
      .executeTakeFirstOrThrow()
    expect(failures).toBe(5)
  })

  test('S8: ticket and challenge expire after five minutes', async () => {
    const { user, authenticator } = await enrolled()
    const { browser, question } = await asked(user)
    app.clock.advance(5 * 60_000)
    expect((await browser.post(SIGN_IN, { passkey: authenticator.answer(question) })).status).toBe(401)
    expect((await browser.post(OPTIONS)).status).toBe(401)
  })

  test('a recovery code replaces a lost passkey, and works once', async () => {
    const { user, recoveryCodes } = await enrolled()
    const first = await withPassword(user)
    expect((await first.browser.post(CODE, { code: recoveryCodes[0] })).body.data.recoveryCodesLeft).toBe(9)
    const second = await withPassword(user)
    expect((await second.browser.post(CODE, { code: recoveryCodes[0] })).status).toBe(401)
  })

  test('S9: an account may have app and passkey: each signs in', async () => {
    const { user, browser, authenticator } = await enrolled()
    const { body } = await browser.post('/api/web/account/second-factor', {
      password: PASSWORD,
      ...(await proofBy(browser, authenticator)),
    })
    const code = () => generateSync({ secret: body.data.secret, epoch: Math.floor(app.clock.now() / 1000) })
    expect((await browser.post('/api/web/account/second-factor/confirm', { code: code() })).status).toBe(201)
    app.clock.advance(2 * STEP_MS)
    const { browser: withCode, answer } = await withPassword(user)
    expect(answer.body.data.secondFactors).toEqual(['app', 'passkey'])
    expect((await withCode.post(CODE, { code: code() })).status).toBe(200)
    const { browser: withKey, question } = await asked(user)
    expect((await withKey.post(SIGN_IN, { passkey: authenticator.answer(question) })).status).toBe(200)
  })
})

describe('managing passkeys', () => {
  test('they are renamed; those of others answer 404', async () => {
    const { browser, id } = await enrolled()
    const renamed = await browser.patch(`${PASSKEYS}/${id}`, { name: 'Desk drawer' })
    expect(renamed.body.data).toMatchObject({ id, name: 'Desk drawer' })
    const other = await enrolled()
    expect((await other.browser.patch(`${PASSKEYS}/${id}`, { name: 'Taken' })).status).toBe(404)
    expect(
      (await other.browser.delete(`${PASSKEYS}/${id}`, { password: PASSWORD, code: other.recoveryCodes[0] })).status,
    ).toBe(404)
    expect((await browser.get(PASSKEYS)).body.data[0].name).toBe('Desk drawer')
  })

  test('S2: removing one needs password and second factor, sends a mail, and ends every other session; the last removes the recovery codes', async () => {
    const { user, browser, authenticator, id } = await enrolled()
    await app.nextMail(user.email)
    const { browser: other, question } = await asked(user)
    await other.post(SIGN_IN, { passkey: authenticator.answer(question) })
    const remove = (body: object) => browser.delete(`${PASSKEYS}/${id}`, body)
    expect((await remove({ password: PASSWORD })).status).toBe(422)
    expect((await remove({ password: 'wrong', ...(await proofBy(browser, authenticator)) })).status).toBe(403)
    expect((await remove({ password: PASSWORD, ...(await proofBy(browser, authenticator)) })).status).toBe(200)
    expect((await other.get('/api/web/account')).status).toBe(401)
    expect((await browser.get('/api/web/account')).body.data.secondFactor).toMatchObject({
      enabled: false,
      recoveryCodesLeft: 0,
    })
    expect((await withPassword(user)).answer.body.data.secondFactorRequired).toBe(false)
    expect((await app.nextMail(user.email)).text).toContain('no longer has a second factor')
  })

  test('M13: an organization that requires a second factor accepts a passkey, and is closed at once when it is removed', async () => {
    const organization = await app.createOrganization()
    const { browser } = await withPassword(organization.owner)
    const inside = () => {
      const named = new TestBrowser(app.origin, { 'x-organization': organization.id })
      for (const [name, value] of browser.cookies) named.cookies.set(name, value)
      return named
    }
    expect((await inside().patch('/api/web/organizations/current/settings', { requireTwoFactor: true })).status).toBe(
      409,
    )
    const { id, authenticator } = await enrol(browser)
    expect((await inside().patch('/api/web/organizations/current/settings', { requireTwoFactor: true })).status).toBe(
      200,
    )
    expect((await inside().get('/api/web/organizations/current')).status).toBe(200)
    await browser.delete(`${PASSKEYS}/${id}`, { password: PASSWORD, ...(await proofBy(browser, authenticator)) })
    expect((await inside().get('/api/web/organizations/current')).status).toBe(403)
  })
})
