import { type BrowserContext, test as base, type Page } from '@playwright/test'
import type { Stage } from '../../../server/test/support/app/server-process.ts'
import { MailFolder } from '../../../server/test/support/providers/mail-folder.ts'
import { People } from './people.ts'
import { type StartedServer, sharedServer, startServer } from './shared-server.ts'

/** A real server, and the people of a test on it. */
export interface Sortie {
  origin: string
  people: People
  mails: MailFolder
}

interface WorkerFixtures {
  sortie: Sortie
}

interface TestFixtures {
  /** Another browser: nothing is shared with the test's own. */
  otherPage: Page
  /**
   * Records violations on any page: of its policy, requests to another host, exceptions. Checked when the test ends.
   */
  watched: void
}

/** The people of a running server. */
export const openSortie = ({ origin, dataDir }: StartedServer): Sortie => {
  const mails = new MailFolder(dataDir)
  return { origin, people: new People(origin, mails), mails }
}

/** A separate server that ends with the stage, for settings that other tests must not have. */
export const startSortie = async (stage: Stage, env: Record<string, string>): Promise<Sortie> =>
  openSortie(await startServer(stage, env))

/**
 * A test in a browser against the shared server: it creates its own organizations and people, and changes nothing
 * shared. The rules for every page are checked after each test.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  sortie: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => use(openSortie(sharedServer())),
    { scope: 'worker' },
  ],
  baseURL: async ({ sortie }, use) => use(sortie.origin),
  watched: [
    async ({ context, sortie }, use) => {
      const offences = watch(context, sortie.origin)
      await use()
      if (offences.length > 0) throw new Error(`a page did what no page may:\n${offences.join('\n')}`)
    },
    { auto: true },
  ],
  otherPage: async ({ browser, sortie }, use) => {
    const context = await browser.newContext({ baseURL: sortie.origin })
    const offences = watch(context, sortie.origin)
    await use(await context.newPage())
    await context.close()
    if (offences.length > 0) throw new Error(`a page did what no page may:\n${offences.join('\n')}`)
  },
})

export { expect } from '@playwright/test'

/** @param origins that pages may call: the server's, and that of an identity provider */
export const watch = (context: BrowserContext, ...origins: string[]): string[] => {
  const offences: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!origins.some((origin) => url.startsWith(origin)) && !url.startsWith('data:') && !url.startsWith('blob:'))
      offences.push(`asked ${url}`)
  })
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) offences.push(message.text())
  })
  context.on('weberror', (error) => offences.push(error.error().stack ?? error.error().message))
  return offences
}
