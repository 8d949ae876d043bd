import type { Locator, Page } from '@playwright/test'
import { createStage } from '../../server/test/support/app/server-process.ts'
import { type Receiver, startReceiver } from '../../server/test/support/races/receiver.ts'
import { test as base, expect, type Sortie, startSortie } from './server/sortie.ts'

/** Tests on a separate server that may reach loopback, where a web server listens (`side`). */
export const test = base.extend<object, { side: Receiver; sortie: Sortie }>({
  side: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const side = await startReceiver(
        (_, response) => void response.setHeader('content-type', 'text/html').end('<title>Portal of Contoso</title>'),
      )
      await use(side)
      await side.close()
    },
    { scope: 'worker' },
  ],
  sortie: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const stage = createStage()
      try {
        await use(await startSortie(stage, { EGRESS_ALLOW: '127.0.0.1/32' }))
      } finally {
        await stage.close()
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** An engagement with a scope on loopback, and calls in it. */
export const openScans = async ({ people }: Sortie) => {
  const organization = await people.organization()
  const { owner, id, slug } = organization
  const call = async (method: string, path: string, body?: unknown) =>
    (await people.call(owner, method, `/api/web${path}`, body, id)).body.data
  const engagementId: string = (await call('POST', '/engagements', { name: 'Contoso' })).id
  const create = (path: string, body: object) => call('POST', path, { engagementId, ...body })
  await create('/scope-rules/bulk', { effect: 'allow', text: '127.0.0.0/30' })
  return { organization, engagementId, home: `/o/${slug}/engagements/${engagementId}`, call, create }
}

const MOST_TABS = 60

/** Presses Tab until this has the focus, as a user without a pointer does. */
export const tabTo = async (page: Page, wanted: Locator): Promise<void> => {
  await expect(wanted).toBeVisible()
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(wanted).toBeFocused()
}
