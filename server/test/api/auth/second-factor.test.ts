import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type TestApp, type TestUser, testApp, tokenOf } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'

const STEP_MS = 30_000
const SECOND_FACTOR = '/api/auth/sign-in/second-factor'
const ACCOUNT_FACTOR = '/api/web/account/second-factor'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const codeAt = (secret: string, offsetMs = 0) =>
  generateSync({ secret, epoch: Math.floor((app.clock.now() + offsetMs) / 1000) })
const password = async (user: TestUser, browser = new TestBrowser(app.origin)) => {
  const answer = await browser.post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD })
  return { browser, answer }
}

/** A person with a second factor, in a signed-in browser; the next code is fresh. */
const enrolled = async (user?: TestUser) => {
  const person = user ?? (await app.createUser())
  const { browser } = await password(person)
  const { body } = await browser.post(ACCOUNT_FACTOR, { password: PASSWORD })
  const confirmed = await browser.post(`${ACCOUNT_FACTOR}/confirm`, { code: codeAt(body.data.secret) })
  if (confirmed.status !== 201) throw new Error(confirmed.text)
  app.clock.advance(2 * STEP_MS)
  return {
    user: person,
    browser,
    secret: body.data.secret as string,
    recoveryCodes: confirmed.body.data.recoveryCodes as string[],
  }
}

describe('setting a second factor up', () => {
  test('needs the password and a first code, and gives ten recovery codes', async () => {
    const user = await app.createUser()
    const { browser } = await password(user)
    expect((await browser.post(ACCOUNT_FACTOR, { password: 'not the password' })).status).toBe(403)
    const started = await browser.post(ACCOUNT_FACTOR, { password: PASSWORD })
    expect(started.status).toBe(201)
    const { secret, uri } = started.body.data
    expect(uri).toBe(`otpauth://totp/Sortie:${encodeURIComponent(user.email)}?secret=${secret}&issuer=Sortie`)
    expect((await browser.get('/api/web/account')).body.data.secondFactor.enabled).toBe(false)
    expect((await browser.post(`${ACCOUNT_FACTOR}/confirm`, { code: '000000' })).status).toBe(422)
    const confirmed = await browser.post(`${ACCOUNT_FACTOR}/confirm`, { code: codeAt(secret) })
    expect(confirmed.status).toBe(201)
    expect(new Set(confirmed.body.data.recoveryCodes).size).toBe(10)
    const { body } = await browser.get('/api/web/account')
    expect(body.data.secondFactor).toMatchObject({ enabled: true, recoveryCodesLeft: 10 })
    expect((await browser.post(ACCOUNT_FACTOR, { password: PASSWORD })).status).toBe(409)
  })

  test('S1, S2: it gives this session a new cookie and ends every other', async () => {
    const user = await app.createUser()
    const { browser: other } = await password(user)
    const { browser } = await password(user)
    const { body } = await browser.post(ACCOUNT_FACTOR, { password: PASSWORD })
    const stolen = browser.copy()
    await browser.post(`${ACCOUNT_FACTOR}/confirm`, { code: codeAt(body.data.secret) })
    expect((await browser.get('/api/web/account')).status).toBe(200)
    expect((await stolen.get('/api/web/account')).status).toBe(401)
    expect((await other.get('/api/web/account')).status).toBe(401)
  })

  test('sends the person a mail, and so does its removal', async () => {
    const { user, browser, secret } = await enrolled()
    expect((await app.nextMail(user.email)).text).toContain('needs a code from your authenticator app')
    expect((await browser.delete(ACCOUNT_FACTOR, { password: PASSWORD, code: '123456' })).status).toBe(422)
    expect((await browser.delete(ACCOUNT_FACTOR, { password: 'wrong', code: codeAt(secret) })).status).toBe(403)
    expect((await browser.delete(ACCOUNT_FACTOR, { password: PASSWORD, code: codeAt(secret) })).body).toEqual({
      data: { removed: true },
    })
    expect((await app.nextMail(user.email)).text).toContain('no longer has a second factor')
    expect((await password(user)).answer.body.data.secondFactorRequired).toBe(false)
  })

  test('K8: neither the secret nor a recovery code is in the database, the log or the audit log', async () => {
    const { secret, recoveryCodes } = await enrolled()
    const tables = ['second_factors', 'recovery_codes', 'audit_entries', 'mails'] as const
    const dump = (await Promise.all(tables.map((table) => app.db.selectFrom(table).selectAll().execute()))).flat()
    const text =
      JSON.stringify(dump, (_key, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
      ) + app.logLines.join('')
    for (const canary of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(text).not.toContain(canary)
  })
})

describe('signing in with a second factor', () => {
  test('S8: the password without the code opens nothing: it gives a ticket and reveals nothing about the person', async () => {
    const { user } = await enrolled()
    const { browser, answer } = await password(user)
    expect(answer.body).toEqual({ data: { user: null, secondFactorRequired: true, secondFactors: ['app'] } })
    expect(browser.cookies.has('sid')).toBe(false)
    expect(answer.headers.getSetCookie().join()).toMatch(/ticket=.+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax/)
    expect((await browser.get('/api/web/account')).status).toBe(401)
  })

  test('S8: the code without the password opens nothing', async () => {
    const { secret } = await enrolled()
    const stranger = new TestBrowser(app.origin)
    expect((await stranger.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(401)
    stranger.cookies.set('ticket', 'a guessed ticket')
    expect((await stranger.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(401)
  })

  test('password, then code, sign in', async () => {
    const { user, secret } = await enrolled()
    const { browser } = await password(user)
    const answer = await browser.post(SECOND_FACTOR, { code: codeAt(secret) })
    expect(answer.body).toEqual({ data: { user, recoveryCodesLeft: 10 } })
    expect(browser.cookies.has('ticket')).toBe(false)
    expect((await browser.get('/api/web/account')).body.data.id).toBe(user.id)
  })

  test('S8: a used code is refused for as long as it would be valid, also after the next one', async () => {
    const { user, secret } = await enrolled()
    const earlier = codeAt(secret, -STEP_MS)
    const code = codeAt(secret)
    const first = await password(user)
    expect((await first.browser.post(SECOND_FACTOR, { code })).status).toBe(200)
    const second = await password(user)
    expect((await second.browser.post(SECOND_FACTOR, { code })).status).toBe(401)
    expect((await second.browser.post(SECOND_FACTOR, { code: earlier })).status).toBe(401)
    app.clock.advance(STEP_MS)
    expect((await second.browser.post(SECOND_FACTOR, { code })).status).toBe(401)
    expect((await second.browser.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(200)
  })

  test('S8: the code that confirmed the second factor does not sign in', async () => {
    const user = await app.createUser()
    const { browser } = await password(user)
    const { body } = await browser.post(ACCOUNT_FACTOR, { password: PASSWORD })
    const code = codeAt(body.data.secret)
    await browser.post(`${ACCOUNT_FACTOR}/confirm`, { code })
    const next = await password(user)
    expect((await next.browser.post(SECOND_FACTOR, { code })).status).toBe(401)
  })

  test('S8: one code sent twenty times at once signs in once', async () => {
    const { user, secret } = await enrolled()
    const tickets = await Promise.all([password(user), password(user), password(user)])
    const code = codeAt(secret)
    const attempts = Array.from({ length: 20 }, (_, i) =>
      (tickets[i % 3] as (typeof tickets)[0]).browser.copy().post(SECOND_FACTOR, { code }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  test('S8: a ticket allows five wrong codes, also simultaneous ones; then the right one is refused too', async () => {
    const { user, secret } = await enrolled()
    const { browser } = await password(user)
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => browser.copy().post(SECOND_FACTOR, { code: String(100_000 + i) })),
    )
    expect((await browser.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(401)
    const { failures } = await app.db
      .selectFrom('throttle_buckets')
      .select('failures')
      .where('bucket', '=', `second-factor:${user.id}`)
      .executeTakeFirstOrThrow()
    expect(failures).toBe(5)
  })

  test('S6, S8: new tickets do not give new guesses: the account has to wait after ten', async () => {
    const { user, secret } = await enrolled()
    for (let round = 0; round < 2; round++) {
      const { browser } = await password(user)
      for (let i = 0; i < 5; i++) await browser.post(SECOND_FACTOR, { code: String(200_000 + i) })
    }
    const { browser } = await password(user)
    expect((await browser.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(429)
    app.clock.advance(60_000)
    expect((await browser.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(200)
  })

  test('S8: a ticket ends after five minutes, and with a change of the password', async () => {
    const { user, secret, browser: own } = await enrolled()
    const late = await password(user)
    app.clock.advance(5 * 60_000)
    expect((await late.browser.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(401)
    const open = await password(user)
    await own.post('/api/web/account/password', { currentPassword: PASSWORD, newPassword: 'quite another password' })
    expect((await open.browser.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(401)
  })

  test('S8: a recovery code works once, in any spelling, and its use is mailed', async () => {
    const { user, recoveryCodes } = await enrolled()
    await app.nextMail(user.email)
    const code = recoveryCodes[3] as string
    const first = await password(user)
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `
    expect((await first.browser.post(SECOND_FACTOR, { code: typed })).body.data.recoveryCodesLeft).toBe(9)
    expect((await app.nextMail(user.email)).subject).toBe('A recovery code was used to sign in')
    const second = await password(user)
    expect((await second.browser.post(SECOND_FACTOR, { code })).status).toBe(401)
  })

  test('new recovery codes invalidate the old ones', async () => {
    const { user, browser, recoveryCodes } = await enrolled()
    const renewed = await browser.post(`${ACCOUNT_FACTOR}/recovery-codes`, {
      password: PASSWORD,
      code: recoveryCodes[1],
    })
    expect(renewed.status).toBe(201)
    const next = await password(user)
    expect((await next.browser.post(SECOND_FACTOR, { code: recoveryCodes[0] })).status).toBe(401)
    expect((await next.browser.post(SECOND_FACTOR, { code: renewed.body.data.recoveryCodes[0] })).status).toBe(200)
  })
})

describe('S9: no other door bypasses the second factor', () => {
  test('S9: a new password by mail signs no one in, and the next sign-in asks for the code', async () => {
    const { user, secret } = await enrolled()
    await app.nextMail(user.email)
    await app.anonymous.post('/api/auth/password-reset', { email: user.email })
    const token = tokenOf(await app.nextMail(user.email))
    const stranger = new TestBrowser(app.origin)
    await stranger.post('/api/auth/password-reset/confirm', { token, password: 'a password from the mail' })
    expect(stranger.cookies.size).toBe(0)
    const signIn = await stranger.post('/api/auth/sign-in/email', {
      email: user.email,
      password: 'a password from the mail',
    })
    expect(signIn.body.data).toEqual({ user: null, secondFactorRequired: true, secondFactors: ['app'] })
    expect((await stranger.post(SECOND_FACTOR, { code: codeAt(secret) })).status).toBe(200)
  })

  test('S9: a known device does not skip it', async () => {
    const { user, browser } = await enrolled()
    await browser.post('/api/auth/sign-out')
    expect(browser.cookies.has('device')).toBe(true)
    expect((await password(user, browser)).answer.body.data.secondFactorRequired).toBe(true)
  })

  test('S9: the holder of an invitation to its address gets no session without it', async () => {
    const { user } = await enrolled()
    const admin = await app.signedIn('owner')
    await admin.post('/api/web/organizations/current/members/invite', { email: user.email, role: 'member' })
    await app.nextMail(user.email)
    const token = tokenOf(await app.nextMail(user.email))
    const stranger = new TestBrowser(app.origin)
    const answer = await stranger.post('/api/web/invitations/accept', {
      token,
      name: 'Mallory',
      password: 'a password of mallory',
    })
    expect(answer.status).toBe(409)
    expect(stranger.cookies.size).toBe(0)
  })
})

describe('an organization that requires a second factor', () => {
  test('M13: members without one can only set one up there, live sessions included; keys still work', async () => {
    const organization = await app.createOrganization()
    const key = await app.withKey(['organizations:read'], organization)
    const { browser: owner } = await enrolled(organization.owner)
    const member = await app.createMember('member', organization)
    const { browser } = await password(member)
    const asMember = (path: string) => browserIn(browser, organization.id).get(path)
    expect((await asMember('/api/web/organizations/current')).status).toBe(200)
    const changed = await browserIn(owner, organization.id).patch('/api/web/organizations/current/settings', {
      requireTwoFactor: true,
    })
    expect(changed.body.data.requireTwoFactor).toBe(true)
    const refused = await asMember('/api/web/organizations/current')
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toContain('requires two-factor authentication')
    expect((await key.get('/api/v1/organizations/current')).body.data.settings.requireTwoFactor).toBe(true)
    expect((await browser.get('/api/web/account')).body.data.secondFactor.requiredBy).toHaveLength(1)
    const { body } = await browser.post(ACCOUNT_FACTOR, { password: PASSWORD })
    await browser.post(`${ACCOUNT_FACTOR}/confirm`, { code: codeAt(body.data.secret) })
    expect((await asMember('/api/web/organizations/current')).status).toBe(200)
  })

  test('M13: a member without one cannot require one of the others', async () => {
    const admin = await app.signedIn('admin')
    expect((await admin.patch('/api/web/organizations/current/settings', { requireTwoFactor: true })).status).toBe(409)
    const member = await app.signedIn('member')
    expect((await member.patch('/api/web/organizations/current/settings', { requireTwoFactor: true })).status).toBe(403)
  })
})

const browserIn = (browser: TestBrowser, organizationId: string): TestBrowser => {
  const inside = new TestBrowser(app.origin, { 'x-organization': organizationId })
  for (const [name, value] of browser.cookies) inside.cookies.set(name, value)
  return inside
}
