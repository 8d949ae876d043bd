import type { Page } from '@playwright/test'
import { type Receiver, startReceiver } from '../../server/test/support/races/receiver.ts'
import { reachablePort } from './server/shared-server.ts'
import { expect, test as base } from './server/sortie.ts'

/** The tested application: it repairs itself when `repair` is called. */
export const test = base.extend<{ shop: Receiver & { repair: () => void } }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  shop: async ({}, use, { parallelIndex }) => {
    let isFixed = false
    const receiver = await startReceiver(
      (_request, response) => {
        response.setHeader('content-type', 'application/json')
        response.statusCode = isFixed ? 403 : 200
        response.end(isFixed ? '{"error":"forbidden"}' : '{"role":"admin","users":["ada","bob"]}')
      },
      '127.0.0.1',
      reachablePort(2 * parallelIndex + 1),
    )
    await use(Object.assign(receiver, { repair: () => (isFixed = true) }))
    await receiver.close()
  },
})

/** @param offset days from today */
export const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
export const itemsOf = (page: Page) => page.getByRole('list', { name: 'Items' }).getByRole('button')

/**
 * Chooses a saved request as the proof of the finding whose page is open.
 *
 * @param check runs while the dialog is open
 */
export const addProof = async (page: Page, name: string, check?: () => Promise<void>): Promise<void> => {
  const proofs = page.getByRole('region', { name: 'Proofs' })
  await proofs.getByRole('button', { name: 'Add a proof' }).click()
  await page.getByRole('radio', { name }).check()
  await check?.()
  await page.getByRole('button', { name: 'Add proof' }).click()
  await expect(proofs.getByRole('link', { name })).toBeVisible()
}

/** Takes the finding whose page is open through review to publication. */
export const publishReviewed = async (page: Page): Promise<void> => {
  for (const step of ['Send to review', 'Approve', 'Publish'])
    await page.getByRole('button', { name: step, exact: true }).click()
  await expect(page.getByRole('group', { name: 'Review' })).toContainText('Published')
}

/**
 * Plans a retest of the finding whose page is open, for yesterday to tomorrow, and opens it.
 *
 * @param check runs while the dialog is open
 */
export const planRetest = async (
  page: Page,
  findingNumber: number,
  name: string,
  check?: () => Promise<void>,
): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Plan a retest' }).click()
  const dialog = page.getByRole('dialog', { name: `Plan a retest of finding ${findingNumber}` })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('First day').fill(day(-1))
  await dialog.getByLabel('Last day').fill(day(1))
  await expect(dialog).toContainText('its dates count as testing dates')
  await check?.()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

/** Writes the note of the item that is open. */
export const noteItem = async (page: Page, note: string): Promise<void> => {
  await page.keyboard.press('m')
  await page.keyboard.type(note)
  await page.keyboard.press('Escape')
}
