import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { settleRestored } from '../../../src/features/instance/restored.service.ts'
import { PASSWORD, type TestApp, type TestUser, testApp, tokenOf } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { statementsDuring } from '../../support/inputs/count-queries.ts'
import { giveSecondFactor } from '../../support/providers/second-factors.ts'

const SIGN_IN = '/api/auth/sign-in/email'
const REQUEST = '/api/auth/browser-confirmation'
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOME = '203.0.113.20'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } })
  // Waits are counted in the seconds of the test, however long its requests take.
  app.clock.freeze()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.db.deleteFrom('throttle_buckets').execute()
})

const browserAt = (address: string, { origin } = app) => new TestBrowser(origin, { 'x-forwarded-for': address })
const signIn = ({ email }: { email: string }, browser: TestBrowser, password = PASSWORD) =>
  browser.post(SIGN_IN, { email, password })
const guess = (user: { email: string }, address: string, of = app) =>
  signIn(user, browserAt(address, of), 'not the password')

/** Unlimited addresses, each in another IPv4 /24. */
let networks = 0
const anotherNetwork = () => `10.${Math.floor(++networks / 250) % 250}.${networks % 250}.9`

/** Simulates an attacker with many networks: afterwards no password from an unknown browser is checked. */
const useUpGuesses = async (user: { email: string }, of = app) => {
  let status = 401
  for (let i = 0; i < 60 && status === 401; i++) ({ status } = await guess(user, anotherNetwork(), of))
  expect(status).toBe(429)
}

const mailedToken = async (user: TestUser): Promise<string> => {
  expect((await browserAt(HOME).post(REQUEST, { email: user.email })).status).toBe(200)
  for (;;) {
    const mail = await app.nextMail(user.email)
    if (mail.subject?.startsWith('Confirm your browser')) return tokenOf(mail)
  }
}
const confirm = (token: string, browser = browserAt(HOME)) => browser.post(`${REQUEST}/confirm`, { token })

describe('S36: a stranger who guesses for 60 seconds', () => {
  const spellings: Record<string, (second: number) => string> = {
    'from one address': () => '198.51.100.66',
    'from the addresses of an IPv4 /24': (second) => `198.51.100.${second}`,
    'S37: from distinct /64s of one IPv6 /48': (second) => `2001:db8:77:${second.toString(16)}::1`,
  }
  for (const [from, addressAt] of Object.entries(spellings)) {
    test(`${from}: the person signs in from a new browser each second, with the password only`, async () => {
      const user = await app.createUser()
      for (let i = 0; i < 10; i++) expect((await guess(user, addressAt(i))).status).toBe(401)
      const guesses: number[] = []
      const signIns: number[] = []
      for (let second = 0; second < 60; second++) {
        guesses.push((await guess(user, addressAt(second))).status)
        signIns.push((await signIn(user, browserAt(HOME))).status)
        app.clock.advance(SECOND_MS)
      }
      expect(guesses.filter((status) => status === 401)).toHaveLength(1)
      expect(signIns).toEqual(Array(60).fill(200))
    })
  }

  test('from many networks: each new browser of the person gets in once it is confirmed by mail', async () => {
    const user = await app.createUser()
    await useUpGuesses(user)
    for (let i = 0; i < 4; i++) {
      for (let second = 0; second < 15; second++) {
        expect((await guess(user, anotherNetwork())).status).toBe(429)
        app.clock.advance(SECOND_MS)
      }
      const browser = browserAt(anotherNetwork())
      const refused = await signIn(user, browser)
      expect([refused.status, refused.body.error.message]).toEqual([
        429,
        expect.stringMatching(/Confirm this browser with a link/),
      ])
      expect((await confirm(await mailedToken(user), browser)).body).toEqual({
        data: { confirmed: true, email: user.email },
      })
      expect((await browser.get('/api/web/account')).status).toBe(401)
      expect((await signIn(user, browser)).status).toBe(200)
      expect((await browser.get('/api/web/account')).body.data.id).toBe(user.id)
    }
  })

  test('from the same address as the person: a browser that the account knows is always let in', async () => {
    const user = await app.createUser()
    const known = browserAt(HOME)
    await signIn(user, known)
    await useUpGuesses(user)
    const others = Array.from({ length: 51 }, (_, i) => ({ email: `nobody.${i}@example.com` }))
    for (const other of others) await guess(other, HOME)
    expect((await guess({ email: 'nobody.else@example.com' }, HOME)).status).toBe(429)
    expect((await signIn(user, browserAt(HOME))).status).toBe(429)
    expect((await signIn(user, known)).status).toBe(200)
    const added = browserAt(HOME)
    await confirm(await mailedToken(user), added)
    expect((await signIn(user, added)).status).toBe(200)
  })
})

describe('S36: the limit of guesses', () => {
  test('of one account, from any number of networks: 30 in a window of an hour, fewer than 60 within any hour', async () => {
    const user = await app.createUser()
    const checkedAt: number[] = []
    for (let minute = 0; minute < 180; minute += 3) {
      for (let i = 0; i < 6; i++) if ((await guess(user, anotherNetwork())).status === 401) checkedAt.push(minute)
      // The person's own sign-ins, from anywhere, give a guesser nothing.
      if (minute % 60 === 0) await signIn(user, browserAt(HOME))
      app.clock.advance(3 * MINUTE_MS)
    }
    expect(checkedAt.length).toBeGreaterThan(30)
    expect(checkedAt.length).toBeLessThanOrEqual(90)
    for (const start of checkedAt)
      expect(checkedAt.filter((minute) => minute >= start && minute < start + 60).length).toBeLessThan(60)
  })

  test('of one account from one network: 16 within an hour', async () => {
    const user = await app.createUser()
    let checked = 0
    for (let i = 0; i < 9; i++) if ((await guess(user, `192.0.2.${i}`)).status === 401) checked += 1
    for (let halfMinute = 0; halfMinute < 119; halfMinute++) {
      for (let i = 0; i < 2; i++) if ((await guess(user, `192.0.2.${i}`)).status === 401) checked += 1
      app.clock.advance(30 * SECOND_MS)
    }
    expect(checked).toBeGreaterThan(10)
    expect(checked).toBeLessThanOrEqual(16)
  })

  test('beyond it the right password, a wrong one and an unknown address have the same answer and the same statements', async () => {
    const quiet = await testApp({ workers: false, env: { TRUST_PROXY: '127.0.0.1' } })
    try {
      const [user, unknown] = [await quiet.createUser(), { email: 'nobody.at.all@example.com' }]
      await useUpGuesses(user, quiet)
      await useUpGuesses(unknown, quiet)
      const ask = async (who: { email: string }, password: string) => {
        let answer: unknown
        const statements = await statementsDuring(async () => {
          const { status, text, headers } = await signIn(who, browserAt(anotherNetwork(), quiet), password)
          answer = [status, text, [...headers.keys()], headers.getSetCookie()]
        })
        return { answer, statements }
      }
      const rows = () => quiet.db.selectFrom('throttle_buckets').selectAll().orderBy('bucket').execute()
      const before = await rows()
      const right = await ask(user, PASSWORD)
      expect(right.answer).toEqual([
        429,
        expect.stringContaining('Confirm this browser'),
        expect.arrayContaining(['retry-after']),
        [],
      ])
      expect(right.statements.length).toBeGreaterThan(0)
      expect(await ask(user, 'not the password')).toEqual(right)
      expect(await ask(unknown, 'not the password')).toEqual(right)
      expect(await rows()).toEqual(before)
      // A request for the link does not distinguish them either.
      const request = (email: string) =>
        statementsDuring(async () => void (await browserAt(anotherNetwork(), quiet).post(REQUEST, { email })))
      expect(await request(unknown.email)).toEqual(await request(user.email))
    } finally {
      await quiet.close()
    }
  })
})

describe('S36: the link that confirms a browser', () => {
  test('works once, also when two browsers use it simultaneously; the other one stays unknown', async () => {
    const user = await app.createUser()
    const token = await mailedToken(user)
    const browsers = [browserAt(HOME), browserAt(HOME), browserAt(HOME)]
    const answers = await Promise.all(browsers.map((browser) => confirm(token, browser)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    expect((await confirm(token)).status).toBe(404)
    await useUpGuesses(user)
    const signedIn = await Promise.all(browsers.map(async (browser) => (await signIn(user, browser)).status))
    expect(signedIn).toEqual(answers.map(({ status }) => (status === 200 ? 200 : 429)))
  })

  test('expires to the millisecond after an hour', async () => {
    const user = await app.createUser()
    const token = await mailedToken(user)
    const { expires_at } = await app.db
      .selectFrom('browser_confirmations')
      .select('expires_at')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    app.clock.freeze(Date.parse(expires_at))
    expect((await confirm(token)).status).toBe(404)
    app.clock.freeze(Date.parse(expires_at) - 1)
    expect((await confirm(token)).status).toBe(200)
  })

  test('confirms a browser only for its own account', async () => {
    const [user, other] = [await app.createUser(), await app.createUser()]
    const browser = browserAt(HOME)
    await confirm(await mailedToken(other), browser)
    await useUpGuesses(user)
    expect((await signIn(user, browser)).status).toBe(429)
    expect((await signIn(other, browser)).status).toBe(200)
  })

  test('is useless without the password: wrong ones count in the confirmed browser as well', async () => {
    const user = await app.createUser()
    const browser = browserAt(HOME)
    await confirm(await mailedToken(user), browser)
    for (let i = 0; i < 10; i++) expect((await signIn(user, browser, 'not the password')).status).toBe(401)
    expect((await signIn(user, browser)).status).toBe(429)
    await confirm(await mailedToken(user), browser)
    expect((await signIn(user, browser)).status).toBe(200)
  })

  test('leads to the second factor if the account has one', async () => {
    const user = await app.createUser()
    const [code] = await giveSecondFactor(app, user.id)
    await useUpGuesses(user)
    const browser = browserAt(HOME)
    await confirm(await mailedToken(user), browser)
    expect((await signIn(user, browser)).body.data).toMatchObject({ user: null, secondFactorRequired: true })
    expect((await browser.post('/api/auth/sign-in/second-factor', { code })).status).toBe(200)
    expect((await browser.get('/api/web/account')).status).toBe(200)
  })

  test('is mailed at most three times an hour, regardless of who asks, and stays the same during that time', async () => {
    const user = await app.createUser()
    const tokens = [await mailedToken(user), await mailedToken(user), await mailedToken(user)]
    expect(new Set(tokens).size).toBe(1)
    for (let i = 0; i < 4; i++) await browserAt(anotherNetwork()).post(REQUEST, { email: user.email })
    await mailedToken(await app.createUser())
    const mails = await app.db.selectFrom('mails').select('id').where('recipient', '=', user.email).execute()
    expect(mails).toHaveLength(3)
    app.clock.advance(59 * MINUTE_MS)
    expect((await confirm(tokens[0] as string)).status).toBe(200)
    expect(await mailedToken(user)).not.toBe(tokens[0])
  })

  test('has the same answer with and without an account, and is mailed only to accounts with a password', async () => {
    const [user, passwordless] = [await app.createUser(), await app.createUser()]
    await app.db.updateTable('users').set({ password_hash: null }).where('id', '=', passwordless.id).execute()
    const unknown = { email: 'nobody.to.mail@example.com' }
    const ask = async ({ email }: { email: string }) => {
      const { status, text, headers } = await browserAt(anotherNetwork()).post(REQUEST, { email })
      return [status, text, [...headers.keys()]]
    }
    const [known, ...others] = [await ask(user), await ask(unknown), await ask(passwordless)]
    for (const other of others) expect(other).toEqual(known)
    await mailedToken(user)
    const mails = await app.db
      .selectFrom('mails')
      .select('recipient')
      .where('recipient', 'in', [unknown.email, passwordless.email])
      .execute()
    expect(mails).toEqual([])
  })

  test('is not in the database, the jobs or the log; opening its page changes nothing', async () => {
    const token = await mailedToken(await app.createUser())
    await browserAt(HOME).get('/sign-in/confirm')
    await browserAt(HOME).get(`${REQUEST}/confirm?token=${token}`)
    const rows = await app.db.selectFrom('browser_confirmations').selectAll().execute()
    const mails = await app.db.selectFrom('mails').selectAll().execute()
    expect(
      JSON.stringify([mails, rows.map((row) => ({ ...row, token_hash: row.token_hash.toString('latin1') }))]),
    ).not.toContain(token)
    expect((await confirm(token)).status).toBe(200)
    expect(app.logLines.filter((line) => line.includes(token) && !line.includes('?token='))).toEqual([])
  })

  test('is refused where no password signs in; with AUTH_LOCAL_FALLBACK it is mailed only to instance administrators', async () => {
    const oidc = {
      AUTH_PROVIDER: 'oidc',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'y',
    }
    for (const fallback of ['false', 'true']) {
      const delegated = await testApp({ env: { ...oidc, AUTH_LOCAL_FALLBACK: fallback } })
      try {
        const [admin, user] = [
          await delegated.createUser(undefined, { isInstanceAdmin: true }),
          await delegated.createUser(),
        ]
        for (const { email } of [user, admin]) {
          expect((await delegated.anonymous.post(REQUEST, { email })).status).toBe(fallback === 'true' ? 200 : 403)
        }
        if (fallback === 'true') expect(tokenOf(await delegated.nextMail(admin.email))).toBeTruthy()
        expect(
          await delegated.db.selectFrom('mails').select('id').where('recipient', '=', user.email).execute(),
        ).toEqual([])
      } finally {
        await delegated.close()
      }
    }
  })
})

test('S36: after a restore that invalidates mailed links, an earlier link confirms no browser', async () => {
  const restored = await testApp()
  try {
    const user = await restored.createUser()
    await restored.anonymous.post(REQUEST, { email: user.email })
    const token = tokenOf(await restored.nextMail(user.email))
    await settleRestored(restored.platform, { system: 'test' }, { rekey: true })
    expect((await restored.anonymous.post(`${REQUEST}/confirm`, { token })).status).toBe(404)
  } finally {
    await restored.close()
  }
})

test('S36: a new password through the mailed link opens the account again, wherever the guesses came from', async () => {
  const user = await app.createUser()
  await useUpGuesses(user)
  for (let i = 0; i < 16; i++) await guess(user, HOME)
  await app.anonymous.post('/api/auth/password-reset', { email: user.email })
  const token = tokenOf(await app.nextMail(user.email))
  expect(
    (await app.anonymous.post('/api/auth/password-reset/confirm', { token, password: 'a password from the mail' }))
      .status,
  ).toBe(200)
  expect((await signIn(user, browserAt(HOME), 'a password from the mail')).status).toBe(200)
})

test('S37: 60 simultaneous guesses from distinct /64s of one IPv6 /48 leave capacity for everyone else', async () => {
  const people = await Promise.all(Array.from({ length: 19 }, () => app.createUser(undefined, { isFullyHashed: true })))
  const flood = Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      guess({ email: `flooded.${i}@example.com` }, `2001:db8:48:${i.toString(16)}::1`),
    ),
  )
  const statuses: number[] = []
  // A batch is as large as the capacity, and each sign-in has its own network.
  for (const part of [people.slice(0, 10), people.slice(10)]) {
    statuses.push(
      ...(await Promise.all(part.map(async (person) => (await signIn(person, browserAt(anotherNetwork()))).status))),
    )
  }
  expect(statuses).toEqual(Array(19).fill(200))
  const flooded = (await flood).map(({ status }) => status)
  expect(flooded).toContain(503)
  expect(flooded.every((status) => status === 401 || status === 503)).toBe(true)
})

test('S37: a flood from many networks leaves capacity for browsers that the account knows', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => app.createUser(undefined, { isFullyHashed: true })))
  const known: TestBrowser[] = []
  for (const person of people) {
    known.push(browserAt(anotherNetwork()))
    await signIn(person, known.at(-1) as TestBrowser)
  }
  const flood = Promise.all(
    Array.from({ length: 120 }, (_, i) => guess({ email: `many.${i}@example.com` }, anotherNetwork())),
  )
  const statuses = await Promise.all(
    people.map(async (person, i) => (await signIn(person, known[i] as TestBrowser)).status),
  )
  expect(statuses).toEqual(Array(6).fill(200))
  expect((await flood).map(({ status }) => status)).toContain(503)
})
