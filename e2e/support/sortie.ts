import { type BrowserContext, test as base, type Page } from '@playwright/test'
import { MailFolder } from '../../server/test/support/mail-folder.ts'
import type { Stage } from '../../server/test/support/server-process.ts'
import { People } from './people.ts'
import { type StartedServer, sharedServer, startServer } from './shared-server.ts'

/** A real server, and those whom a test works with on it. */
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
  /** Notes what no page may do: break its policy, ask another host, throw. Checked when the test ends. */
  watched: void
}

/** The people of a server that runs. */
export const openSortie = ({ origin, dataDir }: StartedServer): Sortie => {
  const mails = new MailFolder(dataDir)
  return { origin, people: new People(origin, mails), mails }
}

/** A server of the test's own that ends with the stage, for settings that others do not want. */
export const startSortie = async (stage: Stage, env: Record<string, string>): Promise<Sortie> => openSortie(await startServer(stage, env))

/**
 * A test in a browser against the server that all share: it makes its own organizations and people, and changes nothing
 * that belongs to nobody. What every page must refrain from is checked after each.
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

/** @param origins that pages may ask: the server's, and of an identity provider that a person is sent to */
export const watch = (context: BrowserContext, ...origins: string[]): string[] => {
  const offences: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!origins.some((origin) => url.startsWith(origin)) && !url.startsWith('data:') && !url.startsWith('blob:')) offences.push(`asked ${url}`)
  })
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) offences.push(message.text())
  })
  context.on('weberror', (error) => offences.push(error.error().stack ?? error.error().message))
  return offences
}
