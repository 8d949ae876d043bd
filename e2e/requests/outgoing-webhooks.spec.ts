import { createStage } from '../../server/test/support/app/server-process.ts'
import { openReceiver } from '../../server/test/support/webhooks/receiver.ts'
import { expect, type Sortie, startSortie, test as base } from '../support/server/sortie.ts'

/** A server that may reach receivers on this machine. */
const test = base.extend<object, { sortie: Sortie }>({
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

test('a webhook is created with a secret that is shown once, tested, and its deliveries are shown and sent again', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const receiver = await openReceiver()
  try {
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/webhooks`)
    await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Ticket system')
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByRole('checkbox', { name: 'finding.created' }).check()
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    const secret = (await page.getByRole('status', { name: 'Secret of the webhook' }).textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: 'Actions for Ticket system' }).click()
    await page.getByRole('menuitem', { name: 'Send a test' }).click()
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await expect(deliveries.getByRole('row', { name: /ping/ })).toContainText('Delivered')
    await expect(deliveries.getByRole('row', { name: /ping/ })).toContainText('answered 204')
    expect(receiver.received.map(({ message }) => message.type)).toEqual(['ping'])
    receiver.answer = () => ({ status: 410 })
    await deliveries.getByRole('button', { name: 'Send ping again' }).click()
    await expect(page.getByRole('row', { name: /Ticket system/ })).toContainText('It answered 410')
    await page.getByRole('button', { name: 'Actions for Ticket system' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
    await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
  } finally {
    await receiver.close()
  }
})

test('a webhook is edited: its name, address, events, lowest severity and engagements; its failures are shown', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const receiver = await openReceiver()
  receiver.answer = () => ({ status: 503 })
  try {
    const organization = await people.organization()
    const call = async (method: string, path: string, body?: unknown) =>
      (await people.call(organization.owner, method, `/api/web/${path}`, body, organization.id)).body.data
    const engagement = await call('POST', 'engagements', { name: 'Contoso perimeter' })
    const wanted = { name: 'Ticket system', url: receiver.url, events: ['finding.created'], engagementIds: 'open' }
    const { id } = await call('POST', 'webhook-endpoints', wanted)
    await call('POST', `webhook-endpoints/${id}/test`)
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/webhooks?endpoint=${id}`)
    const row = page.getByRole('row', { name: /Ticket system/ })
    await expect(row).toContainText('Failing')
    await expect(row).toContainText('No success since')
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await expect(deliveries.getByRole('row', { name: /ping/ })).toContainText('answered 503')
    await expect(deliveries.getByRole('row', { name: /ping/ })).toContainText('Next attempt')
    await page
      .getByRole('radiogroup', { name: 'State of the deliveries' })
      .getByText('Delivered', { exact: true })
      .click()
    await expect(page.getByText('Nothing was delivered in the last 30 days.')).toBeVisible()

    const moved = await openReceiver()
    await page.getByRole('button', { name: 'Actions for Ticket system' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Issue tracker')
    await dialog.getByLabel('Address').fill(moved.url)
    await dialog.getByRole('checkbox', { name: 'finding.created' }).uncheck()
    await dialog.getByRole('checkbox', { name: 'result.created' }).check()
    await dialog.getByRole('combobox', { name: 'Lowest severity' }).click()
    await page.getByRole('option', { name: 'High' }).click()
    await dialog.getByRole('radio', { name: 'Only these' }).check()
    await dialog.getByRole('checkbox', { name: 'Contoso perimeter' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    // What waited goes to the new address.
    await expect(page.getByRole('row', { name: /Issue tracker/ })).toContainText('Enabled')
    await expect(deliveries.getByRole('row', { name: /ping/ })).toContainText('answered 204')
    expect(await call('GET', `webhook-endpoints/${id}`)).toMatchObject({
      name: 'Issue tracker',
      url: moved.url,
      events: ['result.created'],
      minSeverity: 'high',
      engagementIds: [engagement.id],
    })
    await moved.close()
  } finally {
    await receiver.close()
  }
})
