import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { cookiesOf, PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import { statementsDuring } from '../../support/inputs/count-queries.ts'
import { processorMs } from '../../support/inputs/processor-time.ts'

let app: TestApp
const SIGN_IN = '/api/auth/sign-in/email'
const MINUTE = 60_000

beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

describe('signing in', () => {
  test('answers who signed in and sets an HttpOnly cookie only for this host and the whole site', async () => {
    const user = await app.createUser()
    const { status, body, headers } = await app.anonymous.post(SIGN_IN, {
      email: user.email.toUpperCase(),
      password: PASSWORD,
    })
    expect(status).toBe(200)
    expect(body.data.user).toEqual(user)
    const [cookie] = headers.getSetCookie() as [string]
    expect(cookie.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
    expect(cookie).toMatch(/^sid=[\w-]{43}\.[\w-]{43};/)
  })

  test('S1: every sign-in makes another session, and ends the one it was made with', async () => {
    const user = await app.createUser()
    const first = await app.signIn(user)
    const response = await first.post(SIGN_IN, { email: user.email, password: PASSWORD })
    const second = app.anonymous.with({ cookie: cookiesOf(response.headers) })
    expect(second.headers.cookie).not.toBe(first.headers.cookie)
    expect((await first.get('/api/web/organizations')).status).toBe(401)
    expect((await second.get('/api/web/organizations')).status).toBe(200)
  })

  test('S5: an unknown address, a wrong password and a malformed address answer with the same bytes', async () => {
    const { email } = await app.createUser()
    const answers = []
    for (const address of [email, 'nobody@example.com', 'no address', 'x'.repeat(300)]) {
      const { status, text } = await app.anonymous.post(SIGN_IN, { email: address, password: 'wrong password here' })
      answers.push(`${status} ${text}`)
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^401 /)
  })

  test('S7: a password of a megabyte is refused before anything is computed from it', async () => {
    const attempt = async (length: number) =>
      (await app.anonymous.post(SIGN_IN, { email: 'a@example.com', password: 'x'.repeat(length) })).status
    const computedMs = await processorMs(async () => {
      expect(await attempt(1_000_000)).toBe(400)
      expect(await attempt(10_000)).toBe(422)
      expect(await attempt(1_024)).toBe(401)
    })
    expect(computedMs).toBeLessThan(hereMs(1_000))
  })

  test('S6: after ten failures the account has to wait, in any spelling; the right password is refused as well, and works later', async () => {
    const user = await app.createUser()
    const attempt = (email: string, password: string) => app.anonymous.post(SIGN_IN, { email, password })
    for (let i = 0; i < 10; i++)
      expect((await attempt(i % 2 ? user.email.toUpperCase() : user.email, 'wrong password here')).status).toBe(401)
    const { status, headers } = await attempt(user.email, PASSWORD)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    app.clock.advance(16 * MINUTE)
    expect((await attempt(user.email, PASSWORD)).status).toBe(200)
  })
})

describe('a session', () => {
  test('S2: is deleted on the server after signing out; the cookie is cleared', async () => {
    const client = await app.signedIn('member')
    const { status, headers } = await client.post('/api/auth/sign-out')
    expect(status).toBe(200)
    expect(headers.getSetCookie().some((cookie) => cookie.startsWith('sid=;'))).toBe(true)
    expect((await client.get('/api/web/organizations')).status).toBe(401)
    expect((await client.post('/api/auth/sign-out')).status).toBe(200)
  })

  test('ends after an hour without use and after twelve hours of use, to the millisecond', async () => {
    const user = await app.createUser()
    const ask = async (client: Awaited<ReturnType<typeof app.signIn>>) => {
      const { status } = await client.get('/api/web/organizations')
      await app.flush()
      return status
    }
    app.clock.freeze()
    const start = app.clock.now()
    const idle = await app.signIn(user)
    const used = await app.signIn(user)
    app.clock.freeze(start + 60 * MINUTE - 1)
    expect(await ask(used)).toBe(200)
    app.clock.freeze(start + 60 * MINUTE)
    expect(await ask(idle)).toBe(401)
    for (let minutes = 100; minutes < 12 * 60; minutes += 50) {
      app.clock.freeze(start + minutes * MINUTE)
      expect(await ask(used)).toBe(200)
    }
    app.clock.freeze(start + 12 * 60 * MINUTE - 1)
    expect(await ask(used)).toBe(200)
    app.clock.freeze(start + 12 * 60 * MINUTE)
    expect(await ask(used)).toBe(401)
  })

  test('a person has at most ten: the oldest ends', async () => {
    const user = await app.createUser()
    const clients = []
    for (let i = 0; i < 11; i++) {
      app.clock.advance(1)
      clients.push(await app.signIn(user))
    }
    expect((await (clients[0] as (typeof clients)[0]).get('/api/web/organizations')).status).toBe(401)
    expect((await (clients[1] as (typeof clients)[0]).get('/api/web/organizations')).status).toBe(200)
  })

  test('S12: a cookie that was not made here answers 401 and costs no query', async () => {
    const { headers } = await app.signedIn('member')
    const token = /sid=([^;]+)/.exec(headers.cookie as string)?.[1] as string
    const [secret = '', signature = ''] = token.split('.')
    const forged = [
      secret,
      `${secret}.`,
      `.${signature}`,
      `${secret}.${'A'.repeat(43)}`,
      `${secret.slice(0, -1)}_.${signature}`,
      `${token}.x`,
      `x${token}`,
      'a.b',
      `${'a'.repeat(9_000)}.b`,
      '%00',
      '"',
      `${signature}.${secret}`,
    ]
    const statements = await statementsDuring(async () => {
      for (const value of forged)
        expect(
          (await app.anonymous.with({ cookie: `sid=${value}` }).get('/api/web/organizations')).status,
          value.slice(0, 50),
        ).toBe(401)
    })
    expect(statements.filter((text) => !text.includes('last_seen_at'))).toEqual([])
  })
})

describe('C1: writes from other origins', () => {
  test('C1: signing in and out from another origin answers 403 and sets no cookie', async () => {
    const { email } = await app.createUser()
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      const foreign = app.anonymous.with(headers)
      for (const response of [
        await foreign.post(SIGN_IN, { email, password: PASSWORD }),
        await foreign.post('/api/auth/sign-out'),
      ]) {
        expect(response.status).toBe(403)
        expect(response.headers.getSetCookie()).toEqual([])
      }
    }
  })

  test('C1: a request that a form can send without a preflight is not JSON: 400', async () => {
    const client = await app.signedIn('owner')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const { status } = await client.request('POST', '/api/web/engagements', {
        rawBody: '{"name":"x"}',
        headers: { 'content-type': type },
      })
      expect(status).toBe(400)
    }
  })

  test('this origin, FRONTEND_URL, and a program without either header may write', async () => {
    const client = await app.signedIn('owner')
    for (const headers of [
      {},
      { origin: app.origin },
      { origin: app.platform.config.FRONTEND_URL },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: app.platform.config.FRONTEND_URL, 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      expect(
        (await client.with(headers).post('/api/web/engagements', { name: 'x' })).status,
        JSON.stringify(headers),
      ).toBe(201)
    }
  })

  test('C3: no answer allows another origin to read', async () => {
    const client = (await app.signedIn('owner')).with({ origin: 'https://evil.example' })
    for (const path of ['/api/web/engagements', '/api/v1/engagements', '/api/health']) {
      const { headers } = await client.get(path)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('over https the cookie is __Host- and Secure, and answers carry HSTS', async () => {
    const secure = await testApp({ workers: false, env: { FRONTEND_URL: 'https://sortie.example.com' } })
    try {
      const { email } = await secure.createUser()
      const { headers } = await secure.anonymous.post(SIGN_IN, { email, password: PASSWORD })
      expect(headers.getSetCookie()[0]).toMatch(/^__Host-sid=.*Secure/)
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    } finally {
      await secure.close()
    }
  })
})
