import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INVITATION_LIFETIME_MS } from '../../../src/features/organizations/invitations/invitations.service.ts'
import { PASSWORD, type TestApp, type TestUser, testApp, tokenOf } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let key: TestClient
let owner: TestClient
const INVITE = '/api/v1/organizations/current/members/invite'
const MEMBERS = '/api/v1/organizations/current/members'
const INVITATIONS = '/api/web/invitations'
const ACCEPT = `${INVITATIONS}/accept`

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['organizations:read', 'organizations:write'])
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const newAddress = () => `guest.${randomBytes(6).toString('hex')}@example.com`
const account = { name: 'A Guest', password: 'a password for a test' }

const invite = async (email = newAddress(), role = 'member') => {
  const response = await key.post(INVITE, { email, role })
  expect(response.status, response.text).toBe(201)
  return { email, invitation: response.body.data, token: await nextToken(email) }
}
/** The token of the next mail with a link: notices about a membership have none. */
const nextToken = async (email: string): Promise<string> => {
  const mail = await app.nextMail(email)
  return /token=/.test(mail.text ?? '') ? tokenOf(mail) : nextToken(email)
}
const statusOf = async (id: string): Promise<string> =>
  (await owner.get(`${INVITATIONS}?perPage=100`)).body.data.find((row: { id: string }) => row.id === id).status

/** Sessions expire over days: the owner signs in again. */
const freezeAt = async (moment: number) => {
  app.clock.freeze(moment)
  owner = await app.signIn(app.organization.owner, app.organization.id)
}

describe('POST invite', () => {
  test('answers 201 with exactly the six fields, expiring 7 days after creation to the millisecond', async () => {
    const email = newAddress()
    const { status, body } = await key.post(INVITE, { email, role: 'admin' })
    expect(status).toBe(201)
    expect(Object.keys(body.data)).toEqual(['id', 'email', 'role', 'status', 'expiresAt', 'createdAt'])
    expect(body.data).toMatchObject({ email, role: 'admin', status: 'pending' })
    expect(Date.parse(body.data.expiresAt) - Date.parse(body.data.createdAt)).toBe(604_800_000)
  })

  test('mails a link below FRONTEND_URL with the token, as text and HTML', async () => {
    const email = newAddress()
    await key.post(INVITE, { email, role: 'member' })
    const mail = await app.nextMail(email)
    const link = /https?:\/\/\S+token=[\w-]+/.exec(mail.text ?? '')?.[0] ?? ''
    expect(link.startsWith(`${app.platform.config.FRONTEND_URL}/`)).toBe(true)
    expect(new URL(link).pathname).toMatch(/invit/)
    expect(mail.html).toContain(link)
  })

  test('M9: a member and a pending address answer 409 whatever the letter case or spelling of the domain', async () => {
    const { email } = await invite('Case.Test@Example.com')
    for (const other of [
      email,
      'case.test@example.com',
      'CASE.TEST@EXAMPLE.COM',
      ' case.test@example.com ',
      'case.test@ｅxample.com',
      'case.test@example。com',
    ]) {
      expect((await key.post(INVITE, { email: other, role: 'member' })).status, other).toBe(409)
    }
    expect((await key.post(INVITE, { email: app.organization.owner.email.toUpperCase(), role: 'member' })).status).toBe(
      409,
    )
  })

  const BAD = [
    '',
    'a',
    '@example.com',
    'a@',
    'a@b@example.com',
    'a b@example.com',
    '"a b"@example.com',
    'a(c)@example.com',
    'a@example.com.',
    'a@.example.com',
    'a@example',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a@0x7f.1',
  ]
    .concat([
      'a@example.com\r\nBcc: b@example.com',
      'a\r\n@example.com',
      'a@exam\nple.com',
      'a@exam\tple.com',
      'a@example.com/path',
      'a@example.com?x',
      'a@example.com#x',
      'a@ex%61mple.com',
      'a@example.com\\x',
      'a@example.com:25',
    ])
    .concat([
      'ı@example.com',
      'ſ@example.com',
      'ü@example.com',
      '=?utf-8?q?a?=@example.com>',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b'.repeat(64)}.com`,
      `a@${'b.'.repeat(130)}com`,
      'a..b@example.com',
      '.a@example.com',
      'a@-b.com',
      'a@b-.com',
      'a@b_c.com',
      'a,b@example.com',
      'a;b@example.com',
      'A <a@example.com>',
    ])
  test.each(BAD)('M8, M9: the address %j answers 422', async (email) => {
    const { status, body } = await key.post(INVITE, { email, role: 'member' })
    expect(status).toBe(422)
    expect(body.error.message).toMatch(/^email: /)
  })

  test.each([
    [['a@example.com']],
    [{ address: 'a@example.com' }],
    [null],
    [1],
    [true],
    [['a@example.com', 'b@example.com']],
  ])('M10: email %j answers 422', async (email) => {
    expect((await key.post(INVITE, { email, role: 'member' })).status).toBe(422)
  })

  test.each(['owner', 'Admin', '', null, ['admin']])('M2: role %j answers 422', async (role) => {
    expect((await key.post(INVITE, { email: newAddress(), role })).status).toBe(422)
  })

  test('M3: owner, admin and a key may invite admins; a member may invite no one', async () => {
    const invitePath = INVITE.replace('/v1/', '/web/')
    for (const role of ['owner', 'admin'] as const)
      expect((await (await app.signedIn(role)).post(invitePath, { email: newAddress(), role: 'admin' })).status).toBe(
        201,
      )
    for (const role of ['admin', 'member'])
      expect((await (await app.signedIn('member')).post(invitePath, { email: newAddress(), role })).status).toBe(403)
  })

  test('M8: one organization sends at most its limit of mails within an hour', async () => {
    const strict = await testApp({ workers: false, env: { INVITATION_LIMIT_PER_HOUR: '3' } })
    try {
      const client = await strict.withKey(['organizations:write'])
      const answers = []
      for (let i = 0; i < 5; i++)
        answers.push((await client.post(INVITE, { email: newAddress(), role: 'member' })).status)
      expect(answers).toEqual([201, 201, 201, 429, 429])
      expect(
        (
          await strict.db
            .selectFrom('invitations')
            .select((s) => s.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      ).toBe(3)
    } finally {
      await strict.close()
    }
  })

  test('M8: names are escaped in the mail and never reach its headers', async () => {
    await owner.patch('/api/web/organizations/current', { name: '<img src=x onerror=alert(1)> & "Co"' })
    const email = newAddress()
    await key.post(INVITE, { email, role: 'member' })
    const mail = await app.nextMail(email)
    expect(mail.html).not.toContain('<img')
    expect(mail.html).toContain('&#60;img')
    expect(mail.subject).not.toMatch(/[\r\n]/)
    await owner.patch('/api/web/organizations/current', { name: 'First organization' })
  })
})

describe('accepting', () => {
  test('without an account: creates one with the invited address, and signs it in', async () => {
    const { email, token } = await invite()
    const { status, body, headers } = await app.anonymous.post(ACCEPT, { token, ...account })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      organization: { id: app.organization.id, name: expect.any(String), slug: app.organization.slug, role: 'member' },
      user: { id: expect.stringMatching(/^usr_/), name: 'A Guest', email },
    })
    const cookie = headers.getSetCookie()[0] as string
    expect(cookie).toMatch(/^sid=[^;]+; .*HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    const session = app.anonymous.with({
      cookie: cookie.split(';')[0] as string,
      'x-organization': app.organization.id,
    })
    expect((await session.get('/api/web/organizations/current')).status).toBe(200)
    expect((await app.anonymous.post('/api/auth/sign-in/email', { email, password: account.password })).status).toBe(
      200,
    )
  })

  test('signed in as the invited person: joins with that account, whose name and password stay', async () => {
    const person = await app.createUser()
    const { token, invitation } = await invite(person.email.toUpperCase(), 'admin')
    const { status, body } = await (await app.signIn(person)).post(ACCEPT, { token, ...account })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ organization: { role: 'admin' }, user: person })
    expect((await app.signIn(person)).user.name).toBe(person.name)
    expect(await statusOf(invitation.id)).toBe('accepted')
  })

  test('M4: signed in with another address answers 403 and the invitation stays valid', async () => {
    const { token, invitation, email } = await invite()
    const { status, body } = await (await app.signIn(await app.createUser())).post(ACCEPT, { token, ...account })
    expect(status).toBe(403)
    expect(body.error.message).toContain(email)
    expect(await statusOf(invitation.id)).toBe('pending')
    expect((await app.anonymous.post(ACCEPT, { token, ...account })).status).toBe(200)
  })

  test('M4, M5: the address has an account and no one is signed in: 409, and its password is not replaced', async () => {
    const person = await app.createUser()
    const { token } = await invite(person.email)
    expect((await app.anonymous.post(ACCEPT, { token, ...account })).status).toBe(409)
    expect((await app.signIn(person)).user.id).toBe(person.id)
    expect(
      (await app.anonymous.post('/api/auth/sign-in/email', { email: person.email, password: account.password })).status,
    ).toBe(401)
  })

  test('a new account needs name and password, and no password that guessers try first', async () => {
    const { token } = await invite()
    for (const body of [
      {},
      { name: 'x' },
      { password: account.password },
      { name: '', password: account.password },
      { name: 'x', password: 'short' },
      { name: 'x', password: 'password1234' },
      { name: 'x', password: 'x'.repeat(129) },
    ]) {
      expect((await app.anonymous.post(ACCEPT, { token, ...body })).status, JSON.stringify(body)).toBe(422)
    }
    expect((await app.anonymous.post(ACCEPT, { token, ...account })).status).toBe(200)
  })

  test('M7: works only once; a used, unknown or malformed token answers 404 with the same bytes', async () => {
    const { token, invitation } = await invite()
    expect((await app.anonymous.post(ACCEPT, { token, ...account })).status).toBe(200)
    const dead = (await app.anonymous.post(ACCEPT, { token, ...account })).text
    for (const other of [
      invitation.id,
      'x',
      `${token}x`,
      token.slice(0, -1),
      randomBytes(32).toString('base64url'),
      "' or 1=1 --",
    ]) {
      const { status, text } = await app.anonymous.post(ACCEPT, { token: other, ...account })
      expect(status).toBe(404)
      expect(text).toBe(dead)
    }
  })

  test('M7: twenty at once make one account, one membership and one accepted invitation', async () => {
    const { token, email } = await invite()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.anonymous.post(ACCEPT, { token, ...account })),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect(
      answers.every(({ status }) => [200, 404, 409, 503].includes(status)),
      answers.map(({ status }) => status).join(),
    ).toBe(true)
    expect((await app.db.selectFrom('users').select('id').where('email', '=', email).execute()).length).toBe(1)
  })

  test('M7: works 1 ms before its end, is invalid at its end, and stays invalid', async () => {
    app.clock.freeze()
    const [last, late] = [await invite(), await invite()]
    await freezeAt(Date.parse(last.invitation.expiresAt) - 1)
    expect(await statusOf(last.invitation.id)).toBe('pending')
    expect((await app.anonymous.post(ACCEPT, { token: last.token, ...account })).status).toBe(200)
    await freezeAt(Date.parse(late.invitation.expiresAt))
    expect(await statusOf(late.invitation.id)).toBe('expired')
    expect((await app.anonymous.post(ACCEPT, { token: late.token, ...account })).status).toBe(404)
    expect((await owner.post(`${INVITATIONS}/${late.invitation.id}/resend`)).status).toBe(409)
    expect((await owner.delete(`${INVITATIONS}/${late.invitation.id}`)).status).toBe(409)
    const again = await key.post(INVITE, { email: late.email, role: 'member' })
    expect(again.status).toBe(201)
    expect((await app.anonymous.post(ACCEPT, { token: late.token, ...account })).status).toBe(404)
    await freezeAt(Date.parse(late.invitation.expiresAt) - 1)
    expect((await app.anonymous.post(ACCEPT, { token: late.token, ...account })).status).toBe(404)
    expect(Date.parse(late.invitation.expiresAt) - Date.parse(late.invitation.createdAt)).toBe(INVITATION_LIFETIME_MS)
  })
})

describe('revoking and resending', () => {
  test('M7: a revoked one is invalid at once and for good; the address can be invited again', async () => {
    const { token, invitation, email } = await invite()
    const { status, body } = await owner.delete(`${INVITATIONS}/${invitation.id}`)
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...invitation, status: 'revoked' })
    expect((await app.anonymous.post(ACCEPT, { token, ...account })).status).toBe(404)
    expect((await owner.delete(`${INVITATIONS}/${invitation.id}`)).status).toBe(409)
    expect((await owner.post(`${INVITATIONS}/${invitation.id}/resend`)).status).toBe(409)
    expect((await key.post(INVITE, { email, role: 'member' })).status).toBe(201)
  })

  test('a resend mails another link for another 7 days and invalidates the old one', async () => {
    const { token, invitation, email } = await invite()
    app.clock.advance(3_600_000 / 2)
    const { status, body } = await owner.post(`${INVITATIONS}/${invitation.id}/resend`)
    expect(status).toBe(200)
    expect(Object.keys(body.data)).toEqual(['id', 'email', 'role', 'status', 'expiresAt', 'createdAt'])
    expect(Date.parse(body.data.expiresAt)).toBeGreaterThan(Date.parse(invitation.expiresAt))
    const next = tokenOf(await app.nextMail(email))
    expect(next).not.toBe(token)
    expect((await app.anonymous.post(ACCEPT, { token, ...account })).status).toBe(404)
    expect((await app.anonymous.post(ACCEPT, { token: next, ...account })).status).toBe(200)
    expect((await owner.post(`${INVITATIONS}/${invitation.id}/resend`)).status).toBe(409)
  })

  test('the list shows each with its mail, filtered by the displayed status', async () => {
    const organization = await app.createOrganization()
    const client = await app.signedIn('owner', organization)
    const email = newAddress()
    await client.post('/api/web/organizations/current/members/invite', { email, role: 'member' })
    await app.nextMail(email)
    const sent = await until(
      async () => (await client.get(`${INVITATIONS}?status=pending`)).body.data,
      ([row]) => row.mail.status === 'sent',
    )
    expect(sent[0]).toEqual({
      id: expect.any(String),
      email,
      role: 'member',
      status: 'pending',
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
      invitedBy: organization.owner.name,
      mail: { status: 'sent', sentAt: expect.any(String), error: null },
    })
    for (const status of ['accepted', 'revoked', 'expired'])
      expect((await client.get(`${INVITATIONS}?status=${status}`)).body.data).toEqual([])
    expect((await client.get(`${INVITATIONS}?status=gone`)).status).toBe(400)
  })

  test.each(['cursor=x', 'cursor=eng_00000000000000000000000000', 'perPage=101', 'perPage=0', 'page=1'])(
    'I7: the list answers 400 to ?%s',
    async (query) => {
      expect((await owner.get(`${INVITATIONS}?${query}`)).status).toBe(400)
    },
  )
})

const until = async <T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> => {
  for (const deadline = performance.now() + 60_000; ;) {
    const value = await read()
    if (holds(value) || performance.now() > deadline) return value
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

describe('M12: a removed member', () => {
  const open = async (person: TestUser) => (await app.signIn(person)).with({ 'x-organization': app.organization.id })

  test('rejoins neither by the used invitation nor by a session, only by a new invitation', async () => {
    const person = await app.createUser()
    const first = await invite(person.email)
    const session = await open(person)
    expect((await session.post(ACCEPT, { token: first.token })).status).toBe(200)
    expect((await key.delete(`${MEMBERS}/${person.id}`)).status).toBe(200)
    expect((await session.get('/api/web/organizations/current')).status).toBe(404)
    expect((await session.post(ACCEPT, { token: first.token })).status).toBe(404)
    const again = await invite(person.email)
    expect((await session.post(ACCEPT, { token: again.token })).status).toBe(200)
    expect((await session.get('/api/web/organizations/current')).status).toBe(200)
  })

  test('loses with the membership any invitation that was still open when it started in another way', async () => {
    const { token, email } = await invite()
    const address = email.replace('guest.', 'guest ').split('@')[0] as string
    const person = await app.createUser(address)
    expect(person.email).toBe(email)
    await app.db
      .insertInto('memberships')
      .values({
        organization_id: app.organization.id,
        user_id: person.id,
        name: person.name,
        email,
        role: 'member',
        joined_at: new Date().toISOString(),
        updated_at: new Date().toISOString(),
      })
      .execute()
    expect((await key.delete(`${MEMBERS}/${person.id}`)).status).toBe(200)
    expect((await (await open(person)).post(ACCEPT, { token })).status).toBe(404)
    expect((await app.anonymous.post('/api/auth/sign-in/email', { email, password: PASSWORD })).status).toBe(200)
  })
})
