import type { Locator, Page, Request } from '@playwright/test'
import { paths } from '../../../web/src/paths.ts'
import { expect } from '../server/sortie.ts'
import { visit } from './visit.ts'

/** Pages that need no session, or redirect; paths that are plain texts are not pages of the web interface. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'home',
  'signIn',
  'signInCallback',
  'confirmBrowser',
  'passwordReset',
  'acceptInvitation',
])

/** Every page that a signed-in user can open by its address, future ones included. */
export const everyAddress = (slug: string, engagementId: string): string[] =>
  Object.entries(paths)
    .filter(([name]) => !OUTSIDE.has(name))
    .flatMap(([, path]) => (typeof path === 'string' ? [] : [path(slug, engagementId, 'none')]))

const CONTROLS =
  'button, [role="switch"], [role="combobox"], [role="menuitem"], input:not([type="hidden"]):not([readonly]), select, textarea'
const TYPED = 'textarea, input:not([type]), input[type="text"], input[type="password"], input[type="search"]'
/** Controls that would end something that the walk itself needs. */
const ENDS = /^(?:Leave$|Sign out|End|Cancel|Close)/

/** Everything that closes has closed by then. */
const CLOSING_MS = 500

/** A stream of events stays open. */
const ends = (request: Request): boolean => !new URL(request.url()).pathname.endsWith('/events')

/** Uses pages as a user does, and records refusals for a missing right. */
export class Walk {
  readonly #page: Page
  readonly #text: string
  #refused: string[] = []
  #asked = 0

  /** @param text typed into fields: the person's password, so that nothing is refused for a wrong one */
  constructor(page: Page, text: string) {
    this.#page = page
    this.#text = text
    page.on('request', (request) => {
      if (ends(request)) this.#asked++
    })
    page.on('requestfailed', (request) => {
      if (ends(request)) this.#asked--
    })
    page.on('requestfinished', (request) => {
      if (ends(request)) this.#asked--
    })
    // What this event brings is known already: asking a request for its response fails once the page is closed.
    page.on('response', (response) => {
      if (response.status() === 403)
        this.#refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`)
    })
  }

  /** Refusals since the last call. */
  drainRefusals(): string[] {
    const taken = this.#refused
    this.#refused = []
    return taken
  }

  /** Loads the page at this address and discards the previous page's text. */
  async open(path: string): Promise<void> {
    await this.#page.goto(path)
    await this.settled()
  }

  /** Follows a link to this address. */
  async follow(path: string): Promise<void> {
    await visit(this.#page, path)
    await this.settled()
  }

  /** Waits until the page, or a dialog over it, is visible and all its requests are answered. */
  async settled(): Promise<void> {
    await expect(this.#page.getByRole('heading', { level: 1 }).or(this.#page.getByRole('dialog')).first()).toBeVisible()
    await expect(this.#page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await this.#answered()
    // The next frames show the last response.
    await this.#page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
  }

  /**
   * Uses every control of the page at `path`, which is open, and of everything that opens from it: types into fields,
   * clicks buttons, answers dialogs. Only leaving the organization and ending sessions are left out.
   *
   * @returns how many were used
   */
  async useEveryControl(path: string): Promise<number> {
    let used = 0
    // Some addresses redirect to another one.
    const { pathname: arrived } = new URL(this.#page.url())
    for (let index = 0; ; index++) {
      const controls = this.#page.getByRole('main').locator(CONTROLS)
      if (index >= (await controls.count())) return used
      used += await this.#use(controls.nth(index))
      const overlay = this.#page.getByRole('dialog').or(this.#page.getByRole('menu'))
      for (
        let inner = 0;
        (await overlay.count()) > 0 && inner < (await overlay.first().locator(CONTROLS).count());
        inner++
      ) {
        used += await this.#use(overlay.first().locator(CONTROLS).nth(inner))
      }
      if ((await overlay.count()) > 0) await this.#close(overlay)
      if ((await overlay.count()) > 0 || new URL(this.#page.url()).pathname !== arrived) await this.open(path)
    }
  }

  /** The question whether to discard text stays: it ends with the page. */
  async #close(overlay: Locator): Promise<void> {
    await this.#page.keyboard.press('Escape')
    await overlay
      .first()
      .waitFor({ state: 'hidden', timeout: CLOSING_MS })
      .catch(() => undefined)
  }

  async #use(control: Locator): Promise<number> {
    if (!(await control.isVisible()) || !(await control.isEnabled())) return 0
    if (ENDS.test(((await control.getAttribute('aria-label')) ?? (await control.textContent()) ?? '').trim())) return 0
    const isTyped = await control.evaluate((element, typed) => element.matches(typed), TYPED)
    if (isTyped && (await control.isEditable())) await control.fill(this.#text)
    else await control.click({ force: true })
    await this.#answered()
    return 1
  }

  async #answered(): Promise<void> {
    await this.#page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)))
    await expect.poll(() => this.#asked, { intervals: [10, 20, 50, 100] }).toBe(0)
  }
}
