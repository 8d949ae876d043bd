import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const signedIn = async () => {
  const user = await app.createUser()
  const browser = new TestBrowser(app.origin)
  await browser.post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD })
  return { user, browser }
}

describe("the user's own account", () => {
  test('shows name, address, second factor and mail preferences', async () => {
    const { user, browser } = await signedIn()
    const { body } = await browser.get('/api/web/account')
    expect(body.data).toEqual({
      ...user,
      isInstanceAdmin: false,
      safeMode: null,
      createdAt: expect.any(String),
      secondFactor: {
        enabled: false,
        enabledAt: null,
        appEnabledAt: null,
        passkeys: 0,
        recoveryCodesLeft: 0,
        requiredBy: [],
      },
      dateFormat: 'day_month_year',
      timeFormat: '24h',
      notifications: { membership: true, mentions: true, assignments: true, apiKeys: true, invitations: true },
    })
  })

  test('accepts a new name, which every member list shows at once, and single preferences', async () => {
    const member = await app.signedIn('member')
    const changed = await member.patch('/api/web/account', {
      name: '  Augusta  Ada ',
      notifications: { apiKeys: false },
    })
    expect(changed.body.data).toMatchObject({
      name: 'Augusta  Ada',
      notifications: { membership: true, apiKeys: false, invitations: true },
    })
    const { body } = await member.get('/api/web/organizations/current/members?role=member')
    expect(body.data.map(({ name }: { name: string }) => name)).toContain('Augusta  Ada')
  })

  test('accepts a format of dates and of times, and refuses others', async () => {
    const { browser } = await signedIn()
    const changed = await browser.patch('/api/web/account', { dateFormat: 'iso', timeFormat: '12h' })
    expect(changed.body.data).toMatchObject({ dateFormat: 'iso', timeFormat: '12h' })
    for (const body of [{ dateFormat: 'month/day/year' }, { timeFormat: '25h' }, { dateFormat: null }]) {
      expect((await browser.patch('/api/web/account', body)).status).toBe(422)
    }
    expect((await browser.get('/api/web/account')).body.data).toMatchObject({ dateFormat: 'iso', timeFormat: '12h' })
  })

  test('I4: address, id and rights cannot be set', async () => {
    const { browser } = await signedIn()
    for (const body of [
      { email: 'other@example.com' },
      { isInstanceAdmin: true },
      { id: 'usr_x' },
      { notifications: { security: false } },
      { name: '' },
      { name: 7 },
    ]) {
      expect((await browser.patch('/api/web/account', body)).status).toBe(422)
    }
  })

  test('an empty change leaves no audit entry', async () => {
    const { user, browser } = await signedIn()
    await browser.patch('/api/web/account', {})
    await browser.patch('/api/web/account', { name: user.name, notifications: { membership: true } })
    const entries = await app.db.selectFrom('audit_entries').select('action').where('object_id', '=', user.id).execute()
    expect(entries.map(({ action }) => action)).toEqual(['session.started'])
  })
})

describe('changing the password', () => {
  const CHANGE = '/api/web/account/password'

  test('S1, S2: ends the other sessions, gives this one a new cookie and sends a mail', async () => {
    const { user, browser } = await signedIn()
    const other = await app.signIn(user)
    const stolen = browser.copy()
    const answer = await browser.post(CHANGE, { currentPassword: PASSWORD, newPassword: 'a new and better password' })
    expect(answer.body.data).toEqual({ changed: true, endedSessions: 1 })
    expect((await browser.get('/api/web/account')).status).toBe(200)
    expect((await stolen.get('/api/web/account')).status).toBe(401)
    expect((await other.get('/api/web/account')).status).toBe(401)
    const mail = await app.nextMail(user.email)
    expect(mail.subject).toBe('Your password was changed')
    expect(
      (await app.anonymous.post('/api/auth/sign-in/email', { email: user.email, password: PASSWORD })).status,
    ).toBe(401)
  })

  test('needs the current password and an acceptable new one', async () => {
    const { user, browser } = await signedIn()
    expect(
      (await browser.post(CHANGE, { currentPassword: 'wrong', newPassword: 'a new and better password' })).status,
    ).toBe(403)
    for (const newPassword of ['eleven char', 'x'.repeat(129), 'password12345', user.email, PASSWORD]) {
      const refused = await browser.post(CHANGE, { currentPassword: PASSWORD, newPassword })
      expect(refused.status).toBe(422)
      expect(refused.body.error.message).toMatch(/^newPassword: /)
    }
    expect((await browser.post(CHANGE, { currentPassword: PASSWORD, newPassword: 'z9'.repeat(64) })).status).toBe(200)
  })

  test('S6: guesses of the current password share one counter with the other places that ask for it', async () => {
    const { browser } = await signedIn()
    for (let i = 0; i < 5; i++)
      await browser.post(CHANGE, { currentPassword: `wrong ${i}`, newPassword: 'a new and better password' })
    for (let i = 0; i < 5; i++) await browser.post('/api/web/account/second-factor', { password: `wrong ${i}` })
    expect(
      (await browser.post(CHANGE, { currentPassword: PASSWORD, newPassword: 'a new and better password' })).status,
    ).toBe(429)
    expect((await browser.post('/api/web/account/second-factor', { password: PASSWORD })).status).toBe(429)
  })

  test('of two simultaneous changes one succeeds', async () => {
    const { browser } = await signedIn()
    const change = (newPassword: string) => browser.copy().post(CHANGE, { currentPassword: PASSWORD, newPassword })
    const statuses = (await Promise.all([change('the first new password'), change('the second new password')])).map(
      ({ status }) => status,
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('leaving an organization', () => {
  test('ends the membership at once and keeps the account; the owner cannot', async () => {
    const member = await app.signedIn('member')
    const answer = await member.post('/api/web/organizations/current/leave')
    expect(answer.body.data).toEqual({ left: true, organizationId: app.organization.id })
    expect((await member.get('/api/web/organizations/current')).status).toBe(404)
    expect((await member.get('/api/web/account')).status).toBe(200)
    const owner = await app.signedIn('owner')
    expect((await owner.post('/api/web/organizations/current/leave')).status).toBe(409)
  })
})
