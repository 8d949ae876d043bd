import { type BrowserContext, test as base, type Page } from '@playwright/test'
import { createStage, type ServerProcess, type Stage } from '../../server/src/testing/server-process.ts'
import { SmtpSink } from '../../server/src/testing/smtp-sink.ts'
import { People } from './people.ts'
import { WEBHOOKS } from './webhooks.ts'

/** The real server on a fresh database, and a mail server that keeps what it is sent. */
export interface Sortie {
  origin: string
  server: ServerProcess
  mails: SmtpSink
  people: People
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

/** Starts a server that ends with the stage. */
export const startSortie = async (stage: Stage, env: Record<string, string>): Promise<Sortie> => {
  const mails = await SmtpSink.create()
  await mails.up()
  stage.add(() => mails.down())
  const server = await stage.server({ env: { SMTP_URL: mails.url, FRONTEND_URL: undefined, INVITATION_LIMIT_PER_HOUR: '1000', ...env } })
  await server.ready()
  const origin = `http://localhost:${server.port}`
  return { origin, server, mails, people: new People(origin, mails) }
}

/** A test in a browser against the real server. What every page must refrain from is checked after each. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  sortie: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const stage = createStage()
      await use(await startSortie(stage, WEBHOOKS))
      await stage.close()
    },
    { scope: 'worker', timeout: 60_000 },
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
