import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { eventually } from '../../server/src/testing/server-process.ts'
import type { SmtpSink } from '../../server/src/testing/smtp-sink.ts'
import { TestBrowser } from '../../server/src/testing/test-browser.ts'

export interface Person {
  name: string
  email: string
  password: string
}

export interface TestOrganization {
  id: string
  name: string
  slug: string
  owner: Person
}

export const ADMINISTRATOR: Person = { name: 'Administrator', email: 'admin@example.com', password: 'sortie-change-me' }
const PASSWORD = 'four words for a test'

/** Makes organizations and people over HTTP, so that each test has its own and starts where it gets interesting. */
export class People {
  readonly origin: string
  readonly #mails: SmtpSink
  #administrator: Promise<TestBrowser> | undefined
  #count = 0

  constructor(origin: string, mails: SmtpSink) {
    this.origin = origin
    this.#mails = mails
  }

  /** A name that nothing else has. */
  unique(word: string): string {
    this.#count += 1
    return `${word}-${process.pid}-${this.#count}`
  }

  /** An organization whose owner has set a password. */
  async organization(label = 'Northwind'): Promise<TestOrganization> {
    const administrator = await this.#signedInAdministrator()
    const word = this.unique('owner')
    const owner: Person = { name: `Olga ${word}`, email: `${word}@example.com`, password: PASSWORD }
    const name = `${label} ${this.unique('org')}`
    const created = await administrator.post('/api/web/instance/organizations', { name, ownerEmail: owner.email, ownerName: owner.name })
    const { id, slug } = created.body.data.organization
    const link = await this.mailedLink(owner.email)
    await new TestBrowser(this.origin).post('/api/auth/password-reset/confirm', { token: tokenOf(link), password: owner.password, name: owner.name })
    return { id, name, slug, owner }
  }

  /** Somebody who accepted an invitation of the organization. */
  async member(organization: TestOrganization, role: 'admin' | 'member', label = 'Mia'): Promise<Person> {
    const word = this.unique(role)
    const person: Person = { name: `${label} ${word}`, email: `${word}@example.com`, password: PASSWORD }
    await this.call(organization.owner, 'POST', '/api/web/organizations/current/members/invite', { email: person.email, role }, organization.id)
    const link = await this.mailedLink(person.email)
    await new TestBrowser(this.origin).post('/api/web/invitations/accept', { token: tokenOf(link), name: person.name, password: person.password })
    return person
  }

  /** One call as a person, in a session of its own. */
  async call(person: Person, method: string, path: string, body?: unknown, organizationId?: string) {
    const browser = new TestBrowser(this.origin, organizationId ? { 'x-organization': organizationId } : {})
    await browser.post('/api/auth/sign-in/email', { email: person.email, password: person.password })
    return browser.request(method, path, body)
  }

  /** The newest link mailed to an address. */
  async mailedLink(email: string, part = 'token='): Promise<string> {
    return eventually(() => {
      const mail = this.#mails.mails.findLast(({ to, text }) => to?.some(({ address }) => address === email) && text?.includes(part))
      const link = /https?:\/\/\S+token=\S+/.exec(mail?.text ?? '')?.[0]
      if (!link) throw new Error(`no mail with ${part} came to ${email}`)
      return link
    }, 15_000)
  }

  /** Signs a page in without its form. */
  async signIn(page: Page, person: Person, to = '/'): Promise<void> {
    await page.request.post(`${this.origin}/api/auth/sign-in/email`, { data: { email: person.email, password: person.password } })
    await page.goto(to)
  }

  /** Gives a person a second factor. @returns its secret */
  async enrol(person: Person): Promise<string> {
    const browser = new TestBrowser(this.origin)
    await browser.post('/api/auth/sign-in/email', { email: person.email, password: person.password })
    const started = await browser.post('/api/web/account/second-factor', { password: person.password })
    const { secret } = started.body.data
    await browser.post('/api/web/account/second-factor/confirm', { code: generateSync({ secret }) })
    return secret
  }

  /** The second step of signing in, with the code that comes next. */
  async signInWithCode(page: Page, person: Person, secret: string): Promise<void> {
    await page.request.post(`${this.origin}/api/auth/sign-in/email`, { data: { email: person.email, password: person.password } })
    const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 })
    await page.request.post(`${this.origin}/api/auth/sign-in/second-factor`, { data: { code } })
  }

  #signedInAdministrator(): Promise<TestBrowser> {
    this.#administrator ??= (async () => {
      const browser = new TestBrowser(this.origin)
      await browser.post('/api/auth/sign-in/email', { email: ADMINISTRATOR.email, password: ADMINISTRATOR.password })
      return browser
    })()
    return this.#administrator
  }
}

export const tokenOf = (link: string): string => new URL(link).searchParams.get('token') as string
