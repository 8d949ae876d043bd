import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganizationWithOwner } from '../../../src/features/instance/instance.service.ts'
import { operatorOf } from '../../support/app/operator-platform.ts'
import { PASSWORD, type TestApp, type TestUser, testApp, tokenOf } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'

const REQUEST = '/api/auth/password-reset'
const MINUTE_MS = 60_000
const FRONTEND_URL = 'https://sortie.example.com'
const NEW_PASSWORD = 'a password from the mail'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { FRONTEND_URL, TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => app.close())

let network = 0
const anonymous = () => new TestBrowser(app.origin, { 'x-forwarded-for': `198.51.100.${++network}` })
const request = (email: string) => anonymous().post(REQUEST, { email })
const confirm = (token: string, password = NEW_PASSWORD) => anonymous().post(`${REQUEST}/confirm`, { token, password })
const mailedToken = async (user: TestUser) => {
  expect((await request(user.email)).status).toBe(200)
  return tokenOf(await app.nextMail(user.email))
}
const signIn = (user: TestUser, password: string) =>
  anonymous().post('/api/auth/sign-in/email', { email: user.email, password })

describe('a forgotten password', () => {
  test('is replaced through a mailed link, which ends every session and notifies the person', async () => {
    const user = await app.createUser('Grace Hopper')
    const before = await app.signIn(user)
    await request(user.email.toUpperCase())
    const mail = await app.nextMail(user.email)
    expect(mail.text).toMatch(new RegExp(`^${FRONTEND_URL}/password-reset#token=[\\w-]+$`, 'm'))
    const token = tokenOf(mail)
    const inspected = await anonymous().post(`${REQUEST}/inspect`, { token })
    expect(inspected.body.data).toMatchObject({ email: user.email, purpose: 'reset', name: 'Grace Hopper' })
    const answer = await confirm(token)
    expect(answer.body).toEqual({ data: { reset: true, email: user.email } })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect((await before.get('/api/web/account')).status).toBe(401)
    expect((await app.nextMail(user.email)).subject).toBe('Your password was changed')
    expect((await signIn(user, PASSWORD)).status).toBe(401)
    expect((await signIn(user, NEW_PASSWORD)).status).toBe(200)
  })

  test('keeps the link valid when the new password is unacceptable', async () => {
    const token = await mailedToken(await app.createUser())
    const refused = await confirm(token, 'short')
    expect(refused.status).toBe(422)
    expect(refused.body.error.message).toBe('password: must have at least 12 characters')
    expect((await confirm(token)).status).toBe(200)
  })

  test('opens an account again that was locked after too many wrong guesses', async () => {
    const user = await app.createUser()
    for (let i = 0; i < 10; i++) await signIn(user, 'wrong')
    expect((await signIn(user, PASSWORD)).status).toBe(429)
    await confirm(await mailedToken(user))
    expect((await signIn(user, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('S4: the link', () => {
  test('S4: works once, also when it is used twenty times at once', async () => {
    const token = await mailedToken(await app.createUser())
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => confirm(token, `${NEW_PASSWORD} ${i}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await confirm(token)).status).toBe(404)
  })

  test('S4: expires to the millisecond after an hour', async () => {
    const user = await app.createUser()
    const token = await mailedToken(user)
    const { expires_at } = await app.db
      .selectFrom('password_resets')
      .select('expires_at')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    app.clock.freeze(Date.parse(expires_at) - 1)
    expect((await anonymous().post(`${REQUEST}/inspect`, { token })).status).toBe(200)
    app.clock.advance(1)
    expect((await anonymous().post(`${REQUEST}/inspect`, { token })).status).toBe(404)
    expect((await confirm(token)).status).toBe(404)
  })

  test('S36: is mailed again on another request within the hour; once it was used or expired, there is a new one', async () => {
    const user = await app.createUser()
    const first = await mailedToken(user)
    expect(await mailedToken(user)).toBe(first)
    expect((await confirm(first)).status).toBe(200)
    expect((await app.nextMail(user.email)).subject).toBe('Your password was changed')
    const second = await mailedToken(user)
    expect(second).not.toBe(first)
    app.clock.advance(60 * MINUTE_MS)
    const third = await mailedToken(user)
    expect(third).not.toBe(second)
    expect((await confirm(second)).status).toBe(404)
    expect((await confirm(third)).status).toBe(200)
  })

  test('S22: requested by a stranger does not invalidate the welcome link of a new account; a password set by either invalidates both', async () => {
    const welcome = async (email: string) => {
      await createOrganizationWithOwner(operatorOf(app), { system: 'test' }, { name: 'Welcomed', ownerEmail: email })
      return tokenOf(await app.nextMail(email))
    }
    const inspect = async (token: string) => (await anonymous().post(`${REQUEST}/inspect`, { token })).status
    const email = 'welcomed@example.com'
    const first = await welcome(email)
    await request(email)
    const strangers = tokenOf(await app.nextMail(email))
    expect(strangers).not.toBe(first)
    expect([await inspect(first), await inspect(strangers)]).toEqual([200, 200])
    app.clock.advance(61 * MINUTE_MS)
    expect([await inspect(first), await inspect(strangers)]).toEqual([200, 404])
    app.clock.advance(6 * 24 * 60 * MINUTE_MS)
    await request(email)
    const late = tokenOf(await app.nextMail(email))
    expect((await confirm(first)).status).toBe(200)
    expect(await inspect(late)).toBe(404)

    const other = 'welcomed.too@example.com'
    const [unused] = [await welcome(other), await request(other)]
    expect((await confirm(tokenOf(await app.nextMail(other)))).status).toBe(200)
    expect(await inspect(unused)).toBe(404)
  })

  test('S13 (trojan identifier): removes what someone else linked to the account, which the audit log records', async () => {
    const user = await app.createUser()
    const now = new Date().toISOString()
    const trojan = { issuer: 'https://login.example', subject: 'attacker', email: 'attacker@example.com' }
    await app.db
      .insertInto('linked_accounts')
      .values({ id: 'idn_trojan', user_id: user.id, linked_at: now, last_used_at: now, ...trojan })
      .execute()
    expect((await confirm(await mailedToken(user))).status).toBe(200)
    expect(await app.db.selectFrom('linked_accounts').select('id').where('user_id', '=', user.id).execute()).toEqual([])
    const audited = app.db
      .selectFrom('audit_entries')
      .select('before')
      .where('action', '=', 'identity.unlinked')
      .where('object_id', '=', user.id)
    expect(await audited.execute()).toEqual([{ before: { issuer: trojan.issuer, subject: trojan.subject } }])
  })

  test('S4: is invalid once the password was changed in another way', async () => {
    const user = await app.createUser()
    const token = await mailedToken(user)
    const own = await app.signIn(user)
    await own.post('/api/web/account/password', { currentPassword: PASSWORD, newPassword: 'quite another password' })
    expect((await confirm(token)).status).toBe(404)
  })

  test('S4: is not changed by a GET, as a mail scanner sends it, or by opening it', async () => {
    const token = await mailedToken(await app.createUser())
    for (const path of [`/password-reset?token=${token}`, `${REQUEST}/confirm?token=${token}`])
      await anonymous().get(path)
    await anonymous().post(`${REQUEST}/inspect`, { token })
    expect((await confirm(token)).status).toBe(200)
  })

  test('S4, K8: has a token that is not in the database, the jobs or the log', async () => {
    const token = await mailedToken(await app.createUser())
    const resets = await app.db.selectFrom('password_resets').selectAll().execute()
    const mails = await app.db.selectFrom('mails').selectAll().execute()
    expect(
      JSON.stringify([mails, resets.map((row) => ({ ...row, token_hash: row.token_hash.toString('latin1') }))]),
    ).not.toContain(token)
    expect(app.logLines.join('')).not.toContain(token)
  })
})

test('S3: starts with FRONTEND_URL whatever the Host of the request is', async () => {
  const forged: [string, Record<string, string>][] = [
    [REQUEST, { Host: 'sortie.example.com', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' }],
    [
      REQUEST,
      {
        Host: 'sortie.example.com',
        Forwarded: 'host=evil.example;proto=http',
        'X-Original-Host': 'evil.example',
        'X-Host': 'evil.example',
      },
    ],
    [REQUEST, { Host: 'localhost:4444' }],
    [`http://localhost:4444${REQUEST}`, { Host: 'sortie.example.com' }],
  ]
  for (const [target, headers] of forged) {
    const user = await app.createUser()
    await raw(target, { ...headers, 'X-Forwarded-For': `203.0.113.${++network}` }, { email: user.email })
    const mail = await app.nextMail(user.email)
    expect(mail.text + (mail.html ?? '')).not.toMatch(/evil\.example|localhost/)
    expect(mail.text).toContain(`${FRONTEND_URL}/password-reset#token=`)
  }
})

describe('S5: requesting a link', () => {
  test('S5: answers the same with and without an account, and mails only accounts', async () => {
    const user = await app.createUser()
    const known = await request(user.email)
    const unknown = await request('nobody.at.all@example.com')
    expect(known.status).toBe(200)
    expect(unknown.text).toBe(known.text)
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
    await app.nextMail(user.email)
    const mails = await app.db
      .selectFrom('mails')
      .select('id')
      .where('recipient', '=', 'nobody.at.all@example.com')
      .execute()
    expect(mails).toEqual([])
  })

  test('S5: does the same work for both within the request: a job looks the account up', async () => {
    const quiet = await testApp({ workers: false })
    const user = await quiet.createUser()
    const ask = async (email: string) => {
      await quiet.anonymous.post(REQUEST, { email })
      const resets = await quiet.db.selectFrom('password_resets').select('id').execute()
      const mails = await quiet.db.selectFrom('mails').select('id').execute()
      return [resets.length, mails.length]
    }
    const effects = [await ask(user.email), await ask('nobody@example.com')]
    await quiet.close()
    expect(effects).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  test('S6, S36: an address is mailed three times an hour, and the person has a working link whenever a stranger requested the mails', async () => {
    const user = await app.createUser()
    const strangers = [await mailedToken(user), await mailedToken(user), await mailedToken(user)]
    for (let i = 0; i < 5; i++) expect((await request(user.email)).status).toBe(200)
    // Jobs run in the order of the requests: the mail to the other account comes after those that are not sent.
    await mailedToken(await app.createUser())
    expect(new Set(strangers).size).toBe(1)
    const { length } = await app.db.selectFrom('mails').select('id').where('recipient', '=', user.email).execute()
    expect(length).toBe(3)
    app.clock.advance(59 * MINUTE_MS)
    expect((await confirm(strangers[0] as string)).status).toBe(200)
  })

  test('S36: a link made with another SESSION_SECRET is replaced at once', async () => {
    const user = await app.createUser()
    const first = await mailedToken(user)
    await app.db
      .updateTable('password_resets')
      .set({ token_hash: Buffer.alloc(32) })
      .where('user_id', '=', user.id)
      .execute()
    const second = await mailedToken(user)
    expect(second).not.toBe(first)
    expect((await confirm(second)).status).toBe(200)
  })

  test('S6: one network that asks for many addresses has to wait', async () => {
    const one = new TestBrowser(app.origin, { 'x-forwarded-for': '192.0.2.77' })
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) statuses.push((await one.post(REQUEST, { email: `person${i}@example.org` })).status)
    expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true)
    expect(statuses[30]).toBe(429)
  })
})

/** A request with exactly these headers. */
const raw = (target: string, headers: Record<string, string>, body: object) =>
  new Promise<string>((resolve, reject) => {
    const text = JSON.stringify(body)
    const { hostname, port } = new URL(app.origin)
    const socket = connect(Number(port), hostname)
    const lines = Object.entries({
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': String(text.length),
      Connection: 'close',
    })
    let answer = ''
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('end', () => resolve(answer))
    socket.write(
      `POST ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`,
    )
  })
