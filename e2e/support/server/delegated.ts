import { test as base, type Page } from '@playwright/test'
import { createStage, freePort, type ServerProcess } from '../../../server/test/support/app/server-process.ts'
import { OpenIdProvider } from '../../../server/test/support/providers/openid-provider.ts'
import { SmtpSink } from '../../../server/test/support/providers/smtp-sink.ts'
import { watch } from './sortie.ts'

interface WorkerFixtures {
  /** Tests with another name have another server: for tests that need an instance without linked accounts. */
  serverName: string
  /** The real server, which signs users in through a certified OpenID provider on loopback. */
  delegated: { origin: string; server: ServerProcess; provider: OpenIdProvider; mails: SmtpSink }
}

/** A test in a browser against a server with `AUTH_PROVIDER=oidc`. */
export const test = base.extend<{ watched: void }, WorkerFixtures>({
  serverName: ['shared', { option: true, scope: 'worker' }],
  delegated: [
    async ({ serverName: _ }, use) => {
      const stage = createStage()
      const port = await freePort()
      const origin = `http://localhost:${port}`
      const provider = new OpenIdProvider([origin])
      await provider.up()
      stage.add(() => provider.down())
      const mails = await SmtpSink.create()
      await mails.up()
      stage.add(() => mails.down())
      const server = await stage.server({
        port,
        env: { ...provider.settings, SMTP_URL: mails.url, FRONTEND_URL: undefined, AUTH_LOCAL_FALLBACK: 'true' },
      })
      await server.ready()
      await use({ origin, server, provider, mails })
      await stage.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ delegated }, use) => use(delegated.origin),
  watched: [
    async ({ context, delegated }, use) => {
      const offences = watch(context, delegated.origin, delegated.provider.issuer)
      await use()
      if (offences.length > 0) throw new Error(`a page did what no page may:\n${offences.join('\n')}`)
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'

let count = 0

/** An id at the provider that no other test has. */
export const newSubject = (): string => `subject.${process.pid}.${++count}`

/** On the provider's own page. */
export const signInThere = async (page: Page, subject: string): Promise<void> => {
  await page.getByLabel('Subject').fill(subject)
  await page.getByRole('button', { name: 'Sign in there' }).click()
}
