import { lockAccount } from '../../../src/features/auth/accounts/accounts.queries.ts'
import { startSession } from '../../../src/features/auth/sessions/sessions.service.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { cookieName } from '../../../src/platform/http/answers/cookies.ts'
import type { TestApp, TestUser } from '../app/test-app.ts'
import { TestBrowser } from '../app/test-browser.ts'
import type { TestResponse } from '../app/test-client.ts'

const MAX_REDIRECTS = 10

/** A person at the provider: follows its redirects with its cookies, and signs in as a subject when asked. */
export class ProviderVisit {
  readonly #cookies = new Map<string, string>()

  /** @returns the address of the web interface that the provider redirects the browser to */
  async signIn(url: string, subject: string, choice: 'sign in' | 'refuse' = 'sign in'): Promise<URL> {
    const provider = new URL(url).origin
    let next = new URL(url)
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
      if (next.origin !== provider) return next
      const asksWho = next.pathname.startsWith('/interaction/')
      const form = new URLSearchParams({ subject, ...(choice === 'refuse' && { refuse: 'true' }) })
      const response = await this.#request(next, asksWho ? form : undefined)
      const location = response.headers.get('location')
      if (!location) throw new Error(`the provider stays at ${next.href}: ${response.status} ${await response.text()}`)
      next = new URL(location, next)
    }
    throw new Error('the provider redirects forever')
  }

  async #request(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
    return response
  }
}

export const START = '/api/auth/sso/start'
export const FINISH = '/api/auth/sso/callback'

/** Calls the server as the web interface does with its callback address. */
export const finish = (browser: TestBrowser, back: URL): Promise<TestResponse> =>
  browser.post(FINISH, { query: back.search.slice(1) })

/** From the button of the sign-in page to the session, or to the refusal. */
export const signInThere = async (
  app: TestApp,
  subject: string,
  next?: string,
  browser = new TestBrowser(app.origin),
) => {
  const started = await browser.post(START, { ...(next !== undefined && { next }) })
  const answer = await finish(browser, await new ProviderVisit().signIn(started.body.data.url, subject))
  return { browser, answer }
}

/** A password session from before the server was switched to the provider. */
export const passwordSession = async (app: TestApp, user: TestUser, organizationId?: string): Promise<TestBrowser> => {
  const { db, keys, clock, config } = app.platform
  const token = await transaction(db, async (tx) =>
    startSession(tx, keys, clock, await lockAccount(tx, user.id), { userAgent: 'test', address: '127.0.0.1' }),
  )
  const browser = new TestBrowser(app.origin, organizationId ? { 'x-organization': organizationId } : {})
  browser.cookies.set(cookieName('sid', config), token)
  return browser
}
