import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { PASSWORD, type TestApp, type TestUser, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { processorMs } from '../../support/inputs/processor-time.ts'

const SIGN_IN = '/api/auth/sign-in/email'
const MINUTE_MS = 60_000

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => app.close())

/** Every call comes from another network (an IPv4 /24), unless the test names one. */
let network = 0
const somewhere = () => `10.${Math.floor(++network / 250)}.${network % 250}.7`
const browser = (
  address = somewhere(),
  userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
) => new TestBrowser(app.origin, { 'x-forwarded-for': address, 'user-agent': userAgent })
/** Failures of one network, whichever accounts it tries. */
const NETWORK_LIMIT = 50
/** Simulates this number of failed guesses, each of which would cost a password hash. */
const failedBefore = async ({ db }: TestApp, buckets: string, failures: number) => {
  const { numUpdatedRows } = await db
    .updateTable('throttle_buckets')
    .set({ failures })
    .where('bucket', 'like', buckets)
    .executeTakeFirstOrThrow()
  expect(numUpdatedRows).toBe(1n)
}
const signIn = (user: TestUser, from = browser(), password = PASSWORD) =>
  from.post(SIGN_IN, { email: user.email, password })

describe('signing in', () => {
  test('sets a cookie that opens the account, and reports that no second factor is required', async () => {
    const user = await app.createUser('Ada Byron')
    const ada = browser()
    const answer = await signIn(user, ada)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: {
        user: { id: user.id, name: 'Ada Byron', email: user.email },
        secondFactorRequired: false,
        secondFactors: [],
      },
    })
    expect(answer.headers.getSetCookie().join()).toMatch(/sid=.+; Path=\/; HttpOnly; SameSite=Lax/)
    expect((await ada.get('/api/web/account')).body.data.id).toBe(user.id)
  })

  test('S1: signing in over a session makes a new one, and the old one is invalid', async () => {
    const user = await app.createUser()
    const own = browser()
    await signIn(user, own)
    const before = own.copy()
    await signIn(user, own)
    expect(own.cookies.get('sid')).not.toBe(before.cookies.get('sid'))
    expect((await before.get('/api/web/account')).status).toBe(401)
    expect((await own.get('/api/web/account')).status).toBe(200)
  })

  test('S1: a session cookie that an attacker planted is not adopted', async () => {
    const user = await app.createUser()
    const planted = browser()
    planted.cookies.set('sid', 'planted')
    await signIn(user, planted)
    expect(planted.cookies.get('sid')).not.toBe('planted')
    const attacker = browser()
    attacker.cookies.set('sid', 'planted')
    expect((await attacker.get('/api/web/account')).status).toBe(401)
  })

  test('S2: signing out ends the session in the database: its cookie opens nothing any more', async () => {
    const user = await app.createUser()
    const own = browser()
    await signIn(user, own)
    const stolen = own.copy()
    expect((await own.post('/api/auth/sign-out')).body).toEqual({ data: { signedOut: true, continueAt: null } })
    expect(own.cookies.has('sid')).toBe(false)
    expect((await stolen.get('/api/web/account')).status).toBe(401)
  })

  test('S12: the rights of a session come from the database, not from the cookie', async () => {
    const member = await app.signedIn('member')
    const invite = { email: 'new.person@example.com', role: 'member' }
    expect((await member.post('/api/web/organizations/current/members/invite', invite)).status).toBe(403)
    const token = (member.headers.cookie as string).split('sid=')[1]?.split(';')[0] as string
    const [secret = ''] = token.split('.')
    const forged = browser()
    forged.cookies.set('sid', `${secret}.${Buffer.from('{"role":"owner"}').toString('base64url')}`)
    expect((await forged.get('/api/web/account')).status).toBe(401)
  })
})

describe('guessing passwords', () => {
  test('S5: an address without an account is answered like one with an account, in status and body', async () => {
    const user = await app.createUser()
    const wrong = await signIn(user, browser(), 'not the password at all')
    const unknown = await browser().post(SIGN_IN, { email: 'nobody@example.com', password: 'not the password at all' })
    expect(unknown.status).toBe(401)
    expect(unknown.text).toBe(wrong.text)
    expect(unknown.headers.getSetCookie()).toEqual(wrong.headers.getSetCookie())
  })

  test('S5: an address without an account costs one password hash, as one with an account does', async () => {
    const { email: known } = await app.createUser('Fully Hashed', { isFullyHashed: true })
    // Another one each time: ten wrong passwords also lock an address without an account.
    const unknown = `nobody.${randomUUID()}@example.com`
    const costs = { known: [] as number[], unknown: [] as number[] }
    for (let i = 0; i < 9; i++) {
      for (const [kind, email] of Object.entries({ known, unknown })) {
        const attempt = async () =>
          expect((await browser().post(SIGN_IN, { email, password: 'not the password at all' })).status).toBe(401)
        costs[kind as 'known'].push(await processorMs(attempt))
      }
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[4] as number
    const ratio = median(costs.unknown) / median(costs.known)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  test('S6: ten wrong passwords from one network make it wait for this account, in any spelling of the address', async () => {
    const user = await app.createUser()
    const spellings = [user.email, user.email.toUpperCase(), ` ${user.email}`, user.email.replace('person', 'PERSON')]
    for (let i = 0; i < 10; i++) {
      const answer = await browser(`192.0.2.${i}`).post(SIGN_IN, {
        email: spellings[i % spellings.length],
        password: `wrong password ${i}`,
      })
      expect(answer.status).toBe(401)
    }
    const blocked = await signIn(user, browser('192.0.2.99'))
    expect(blocked.status).toBe(429)
    expect(blocked.body.error.message).toMatch(/Confirm this browser/)
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    app.clock.advance(31_000)
    expect((await signIn(user, browser('192.0.2.99'))).status).toBe(200)
  })

  test('S6: of a hundred simultaneous guesses at most ten of a network are checked, and at most thirty in total', async () => {
    for (const [from, most] of [
      [() => browser('192.0.2.100'), 10],
      [browser, 30],
    ] as const) {
      const user = await app.createUser()
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => signIn(user, from(), `wrong password ${i}`)),
      )
      const counts = Object.groupBy(answers, ({ status }) => String(status))
      expect(counts['401']?.length).toBeLessThanOrEqual(most)
      expect(Object.keys(counts).every((status) => ['401', '429', '503'].includes(status))).toBe(true)
    }
  })

  test('S6: the wait of a network grows with every further failure, and ends within the hour', async () => {
    const user = await app.createUser()
    const from = () => browser('192.0.2.101')
    for (let i = 0; i < 10; i++) await signIn(user, from(), 'wrong')
    const waits: number[] = []
    for (let i = 0; i < 4; i++) {
      const blocked = await signIn(user, from())
      waits.push(Number(blocked.headers.get('retry-after')))
      app.clock.advance((waits[i] as number) * 1000)
      expect((await signIn(user, from(), 'wrong')).status).toBe(401)
    }
    // The clock runs during the requests: the answer has the remaining wait.
    for (const [i, wait] of [30, 60, 120, 240].entries()) {
      expect(waits[i]).toBeLessThanOrEqual(wait)
      expect(waits[i]).toBeGreaterThan(wait - 15)
    }
    app.clock.advance(60 * MINUTE_MS)
    expect((await signIn(user, from())).status).toBe(200)
  })

  test('S6: one network that tries many accounts has to wait, an IPv6 subscriber as a whole', async () => {
    const guess = async (i: number) =>
      (
        await browser(`2001:db8:77:1::${i.toString(16)}`).post(SIGN_IN, {
          email: `person${i}@example.com`,
          password: 'wrong',
        })
      ).status
    const statuses = [await guess(1)]
    await failedBefore(app, 'sign-in-from:2001:db8:77:1%', NETWORK_LIMIT - 2)
    for (const i of [2, 3, 4, 5]) statuses.push(await guess(i))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
  })

  test('S7: a password of a megabyte is refused before anything is computed from it', async () => {
    const user = await app.createUser()
    const attempt = async () => expect((await signIn(user, browser(), 'x'.repeat(900_000))).status).toBe(400)
    expect(await processorMs(attempt)).toBeLessThan(hereMs(500))
    expect((await signIn(user, browser(), 'x'.repeat(129))).status).toBe(401)
  })

  test('S7: a flood of sign-ins is answered 503 beyond a short queue, other requests are served, and no one is locked out by it', async () => {
    const users: TestUser[] = []
    for (let i = 0; i < 60; i++) users.push(await app.createUser())
    const flood = Promise.all(users.map((user) => signIn(user)))
    const startedAt = performance.now()
    expect((await browser().get('/api/health')).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(hereMs(3_000))
    const statuses = (await flood).map(({ status }) => status)
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true)
    expect(statuses).toContain(503)
    const refused = users[statuses.indexOf(503)] as TestUser
    expect((await signIn(refused)).status).toBe(200)
  })
})

test('S6: X-Forwarded-For of an untrusted proxy changes nothing', async () => {
  const plain = await testApp({ workers: false })
  const guess = async (i: number) =>
    (
      await new TestBrowser(plain.origin, { 'x-forwarded-for': `203.0.113.${i}` }).post(SIGN_IN, {
        email: `person${i}@example.com`,
        password: 'wrong',
      })
    ).status
  const statuses = [await guess(1)]
  await failedBefore(plain, 'sign-in-from:127.0.0.1%', NETWORK_LIMIT - 1)
  for (const i of [2, 3, 4]) statuses.push(await guess(i))
  await plain.close()
  expect(statuses).toEqual([401, 401, 429, 429])
})

describe("the user's own sessions", () => {
  test('are listed in words, this one first, and can be ended one by one or all others at once', async () => {
    const user = await app.createUser()
    const home = browser('192.0.2.1')
    const phone = browser(
      '192.0.2.2',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/604.1',
    )
    const work = browser('192.0.2.3')
    for (const each of [home, phone, work]) await signIn(user, each)
    await app.flush()
    const { body } = await home.get('/api/web/account/sessions')
    expect(body.data).toHaveLength(3)
    expect(body.data[0]).toMatchObject({ device: 'Firefox on Linux', address: '192.0.2.1', current: true })
    const ofPhone = body.data.find((session: { address: string }) => session.address === '192.0.2.2')
    expect(ofPhone).toMatchObject({ device: 'Safari on iPhone', current: false })
    expect((await home.delete(`/api/web/account/sessions/${ofPhone.id}`)).body.data).toEqual({
      ended: true,
      id: ofPhone.id,
    })
    expect((await phone.get('/api/web/account')).status).toBe(401)
    expect((await home.delete('/api/web/account/sessions')).body.data).toEqual({ endedSessions: 1 })
    expect((await work.get('/api/web/account')).status).toBe(401)
    expect((await home.get('/api/web/account')).status).toBe(200)
  })

  test('A1: the session of another user answers 404 and stays valid', async () => {
    const [mine, theirs] = [browser(), browser()]
    await signIn(await app.createUser(), mine)
    await signIn(await app.createUser(), theirs)
    const { body } = await theirs.get('/api/web/account/sessions')
    expect((await mine.delete(`/api/web/account/sessions/${body.data[0].id}`)).status).toBe(404)
    expect((await theirs.get('/api/web/account')).status).toBe(200)
  })
})

describe('a new device', () => {
  test('sends the person a mail, once', async () => {
    const user = await app.createUser()
    await signIn(user, browser('192.0.2.10'))
    const cafe = browser(
      '203.0.113.50',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    )
    await signIn(user, cafe)
    const mail = await app.nextMail(user.email)
    expect(mail.subject).toBe('New sign-in: Chrome on Windows')
    expect(mail.text).toContain('203.0.113.50')
    await signIn(user, cafe)
    const mails = (await app.mails()).filter(({ to }) => to?.[0]?.address === user.email)
    expect(mails).toHaveLength(1)
  })

  test('is neither a browser with the device cookie, in any network, nor the same browser in the same network', async () => {
    const user = await app.createUser()
    const laptop = browser('192.0.2.20')
    await signIn(user, laptop)
    const travelling = browser('203.0.113.60')
    travelling.cookies.set('device', laptop.cookies.get('device') as string)
    await signIn(user, travelling)
    await signIn(user, browser('203.0.113.60'))
    const queued = await app.db.selectFrom('mails').select('kind').where('recipient', '=', user.email).execute()
    expect(queued).toEqual([])
  })
})
