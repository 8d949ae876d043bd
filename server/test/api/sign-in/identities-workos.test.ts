import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type TestApp, testApp } from '../../support/app/test-app.ts'
import { TestBrowser } from '../../support/app/test-browser.ts'
import { finish, START } from '../../support/providers/provider-visit.ts'
import { nextId } from '../../support/providers/workos-events.ts'
import { CLIENT_ID, WorkosCounterpart } from '../../support/providers/workos.ts'

const FRONTEND = 'http://localhost:3001'
const ACCOUNT = '/api/web/account'
const workos = new WorkosCounterpart()
let app: TestApp
beforeAll(async () => {
  await workos.up()
  app = await testApp({ env: { ...workos.settings, FRONTEND_URL: FRONTEND } })
})
afterAll(async () => {
  await app.close()
  await workos.down()
})
afterEach(() => {
  expect(workos.problems.splice(0)).toEqual([])
})

const signInThere = async (userId: string, browser = new TestBrowser(app.origin)) => {
  const started = await browser.post(START, {})
  const answer = await finish(browser, await workos.signIn(started.body.data.url, userId))
  return { browser, answer }
}

describe('signing in through WorkOS', () => {
  test('uses the authorization code flow with state and PKCE; the id there is the identity, an address is not', async () => {
    const user = workos.addUser({ id: nextId('user') })
    const url = new URL((await new TestBrowser(app.origin).post(START, {})).body.data.url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: CLIENT_ID,
      provider: 'authkit',
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${FRONTEND}/sign-in/callback`,
    })
    const first = await signInThere(user.id)
    expect(first.answer.body.data).toMatchObject({ outcome: 'signed-in', user: { email: user.email } })
    user.email = `renamed.${user.email}`
    const second = await signInThere(user.id)
    expect(second.answer.body.data.user.id).toBe(first.answer.body.data.user.id)
    const other = workos.addUser({ id: nextId('user'), email: (await app.createUser()).email })
    expect((await signInThere(other.id)).answer.status).toBe(409)
  })

  test('S10: an address that WorkOS has not verified signs no one in', async () => {
    const user = workos.addUser({ id: nextId('user'), email_verified: false })
    const { browser, answer } = await signInThere(user.id)
    expect(answer.status).toBe(403)
    expect((await browser.get(ACCOUNT)).status).toBe(401)
  })

  test('S11: an unknown state, another browser, a replayed code or one of another flow: 400, and no one is signed in', async () => {
    const user = workos.addUser({ id: nextId('user') })
    const start = async () => {
      const browser = new TestBrowser(app.origin)
      return { browser, back: await workos.signIn((await browser.post(START, {})).body.data.url, user.id) }
    }
    const refused = async (browser: TestBrowser, back: URL) => {
      expect((await finish(browser, back)).status).toBe(400)
      expect((await browser.get(ACCOUNT)).status).toBe(401)
    }
    const [first, second, third] = [await start(), await start(), await start()]
    await refused(first.browser, second.back)
    await refused(new TestBrowser(app.origin), first.back)
    second.back.searchParams.set('code', third.back.searchParams.get('code') as string)
    await refused(second.browser, second.back)
    expect((await finish(first.browser.copy(), first.back)).status).toBe(200)
    await refused(first.browser, first.back)
  })

  test('an impersonated sign-in is refused', async () => {
    const user = workos.addUser({ id: nextId('user') })
    workos.impersonator = { email: 'operator@example.com', reason: null }
    const { answer } = await signInThere(user.id)
    workos.impersonator = undefined
    expect(answer.status).toBe(403)
  })

  test('signing out ends the session here, and returns the page that ends it at WorkOS', async () => {
    const { browser } = await signInThere(workos.addUser({ id: nextId('user') }).id)
    const stolen = browser.copy()
    const { continueAt } = (await browser.post('/api/auth/sign-out')).body.data
    expect((await stolen.get(ACCOUNT)).status).toBe(401)
    const response = await fetch(continueAt, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe(`${FRONTEND}/sign-in`)
    expect(workos.endedSessions.at(-1)).toMatch(/^session_/)
  })

  test('S16: while WorkOS is down sign-in reports it, sessions continue, no password works, and it recovers by itself', async () => {
    const user = workos.addUser({ id: nextId('user') })
    const { browser } = await signInThere(user.id)
    const administrator = await app.createUser(undefined, { isInstanceAdmin: true })
    await workos.down()
    try {
      const refused = await new TestBrowser(app.origin).post(START, {})
      expect([refused.status, refused.body.error.message]).toEqual([
        503,
        expect.stringMatching(/^WorkOS does not respond/),
      ])
      expect((await browser.get(ACCOUNT)).status).toBe(200)
      const tried = await app.anonymous.post('/api/auth/sign-in/email', {
        email: administrator.email,
        password: PASSWORD,
      })
      expect(tried.status).toBe(403)
    } finally {
      await workos.up()
    }
    expect((await signInThere(user.id)).answer.status).toBe(200)
  })
})
