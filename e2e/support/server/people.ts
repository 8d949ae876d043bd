import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { ADMIN_PASSWORD, eventually } from '../../../server/test/support/app/server-process.ts'
import { TestBrowser } from '../../../server/test/support/app/test-browser.ts'
import type { TestResponse } from '../../../server/test/support/app/test-client.ts'
import type { MailFolder } from '../../../server/test/support/providers/mail-folder.ts'

export interface Person {
  name: string
  email: string
  password: string
}

/** The data of a second factor. */
interface Enrolled {
  secret: string
  recoveryCodes: readonly string[]
}

export interface TestOrganization {
  id: string
  name: string
  slug: string
  owner: Person
}

export const ADMINISTRATOR: Person = { name: 'Administrator', email: 'admin@example.com', password: ADMIN_PASSWORD }
const PASSWORD = 'four words for a test'
/**
 * A new connection for each call. The server may close a persistent one just when a busy machine reuses it, and the
 * call fails.
 */
const EACH_ITS_CONNECTION = { connection: 'close' }
/** How long requests to a server that answers 503 are retried. */
const PATIENCE_MS = 60_000

/** Creates organizations and people over HTTP, so that each test has its own and starts at the relevant step. */
export class People {
  readonly origin: string
  readonly #mails: MailFolder
  readonly #sessions = new Map<string, TestBrowser>()
  #count = 0

  constructor(origin: string, mails: MailFolder) {
    this.origin = origin
    this.#mails = mails
  }

  /** A unique name. */
  unique(word: string): string {
    this.#count += 1
    return `${word}-${process.pid}-${this.#count}`
  }

  /** An organization whose owner has set a password. */
  async organization(label = 'Northwind'): Promise<TestOrganization> {
    const word = this.unique('owner')
    const owner: Person = { name: `Olga ${word}`, email: `${word}@example.com`, password: PASSWORD }
    const name = `${label} ${this.unique('org')}`
    const created = succeeded(
      await this.call(ADMINISTRATOR, 'POST', '/api/web/instance/organizations', {
        name,
        ownerEmail: owner.email,
        ownerName: owner.name,
      }),
    )
    const { id, slug } = created.body.data.organization
    const link = await this.mailedLink(owner.email)
    const confirmation = { token: tokenOf(link), password: owner.password, name: owner.name }
    succeeded(await patiently(() => this.#browser().post('/api/auth/password-reset/confirm', confirmation)))
    return { id, name, slug, owner }
  }

  /** A user who accepted an invitation of the organization. */
  async member(
    organization: TestOrganization,
    role: 'admin' | 'member',
    label = 'Mia',
    domain = 'example.com',
  ): Promise<Person> {
    const word = this.unique(role)
    const person: Person = { name: `${label} ${word}`, email: `${word}@${domain}`, password: PASSWORD }
    succeeded(
      await this.call(
        organization.owner,
        'POST',
        '/api/web/organizations/current/members/invite',
        { email: person.email, role },
        organization.id,
      ),
    )
    const link = await this.mailedLink(person.email)
    const acceptance = { token: tokenOf(link), name: person.name, password: person.password }
    succeeded(await patiently(() => this.#browser().post('/api/web/invitations/accept', acceptance)))
    return person
  }

  /** Links the customer of the payment provider who pays for an organization. */
  async linkCustomer({ id }: TestOrganization, customerId: string): Promise<void> {
    succeeded(
      await this.call(ADMINISTRATOR, 'PUT', `/api/web/instance/organizations/${id}/billing-customer`, { customerId }),
    )
  }

  /** One call as a person, in a session that no page has; it is kept for the next call. */
  async call(person: Person, method: string, path: string, body?: unknown, organizationId = '') {
    const key = `${person.email} ${organizationId}`
    const ask = async () => {
      const browser =
        this.#sessions.get(key) ??
        (await this.#signedIn(person, organizationId === '' ? {} : { 'x-organization': organizationId }))
      this.#sessions.set(key, browser)
      return patiently(() => browser.request(method, path, body))
    }
    const first = await ask()
    if (first.status !== 401) return first
    // It may have ended: only the newest ten sessions of a person live, and passwords change.
    this.#sessions.delete(key)
    return ask()
  }

  /** Calls as a person, all in one session: for a test that creates much data. */
  async session(person: Person, organizationId: string) {
    const browser = await this.#signedIn(person, { 'x-organization': organizationId })
    return async (method: string, path: string, body?: unknown) =>
      succeeded(await patiently(() => browser.request(method, path, body))).body
  }

  /** Sends wrong passwords for an account, each from a browser that the account does not know. */
  async guess({ email }: Person, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const answer = await patiently(() =>
        this.#browser().post('/api/auth/sign-in/email', { email, password: 'not the password' }),
      )
      if (answer.status !== 401) throw new Error(`a wrong password was answered ${answer.status}: ${answer.text}`)
    }
  }

  /** The newest link mailed to an address. */
  async mailedLink(email: string, part = 'token='): Promise<string> {
    const text = await this.mail(email, part)
    const link = /https?:\/\/\S+token=\S+/.exec(text)?.[0]
    if (!link) throw new Error(`the mail to ${email} has no link:\n${text}`)
    return link
  }

  /** The text of the newest mail to an address that contains `part`; waits until there is one. */
  async mail(email: string, part: string): Promise<string> {
    return eventually(async () => {
      const mail = await this.#mails.newest(email, ({ text }) => text?.includes(part) ?? false)
      if (!mail?.text) throw new Error(`no mail with ${part} came to ${email}`)
      return mail.text
    })
  }

  /** Signs a page in without its form. */
  async signIn(page: Page, person: Person, to = '/'): Promise<void> {
    await this.#firstStep(page, person)
    await page.goto(to)
  }

  /** Gives a person a second factor. @returns its secret and its recovery codes */
  async enrol(person: Person): Promise<Enrolled> {
    const browser = await this.#signedIn(person)
    const started = succeeded(
      await patiently(() => browser.post('/api/web/account/second-factor', { password: person.password })),
    )
    const { secret } = started.body.data
    const confirmed = succeeded(
      await browser.post('/api/web/account/second-factor/confirm', { code: generateSync({ secret }) }),
    )
    return { secret, recoveryCodes: confirmed.body.data.recoveryCodes }
  }

  /** The second step of signing in, with the next code. */
  async signInWithCode(page: Page, person: Person, { secret }: Enrolled): Promise<void> {
    await this.#firstStep(page, person)
    const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 })
    const answer = await page.request.post(`${this.origin}/api/auth/sign-in/second-factor`, { data: { code } })
    if (!answer.ok())
      throw new Error(`the code of ${person.email} was answered ${answer.status()}: ${await answer.text()}`)
  }

  async #firstStep(page: Page, person: Person): Promise<void> {
    const data = { email: person.email, password: person.password }
    const deadline = performance.now() + PATIENCE_MS
    for (;;) {
      const answer = await page.request.post(`${this.origin}/api/auth/sign-in/email`, { data })
      if (answer.ok()) return
      if (answer.status() !== 503 || performance.now() > deadline)
        throw new Error(`signing ${person.email} in was answered ${answer.status()}: ${await answer.text()}`)
      await sleep(Number(answer.headers()['retry-after'] ?? 1) * 1_000)
    }
  }

  #browser(headers: Record<string, string> = {}): TestBrowser {
    return new TestBrowser(this.origin, { ...EACH_ITS_CONNECTION, ...headers })
  }

  async #signedIn(person: Person, headers: Record<string, string> = {}): Promise<TestBrowser> {
    const browser = this.#browser(headers)
    succeeded(
      await patiently(() =>
        browser.post('/api/auth/sign-in/email', { email: person.email, password: person.password }),
      ),
    )
    return browser
  }
}

/** Retries, as every client should, while the server is overloaded. */
const patiently = async (ask: () => Promise<TestResponse>): Promise<TestResponse> => {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 || performance.now() > deadline) return answer
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1_000)
  }
}

/** @throws the server's message, unless the call succeeded */
const succeeded = (answer: TestResponse): TestResponse => {
  if (answer.status >= 300) throw new Error(`a call that prepares a test was answered ${answer.status}: ${answer.text}`)
  return answer
}

export const tokenOf = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('token') as string
