import { expectAccessible } from '../support/pages/accessible.ts'
import { openRequests, test } from '../support/requests.ts'
import { expect } from '../support/server/sortie.ts'

const REASON = 'Check of the way out before Monday'

test('T8: the owner sends from the library with a reason, which the response and the operation log show', async ({
  page,
  sortie,
  side,
}) => {
  const { call, organization, engagementId, home } = await openRequests(page, sortie, side)
  const shared = await call('POST', '/api-requests', {
    engagementId: null,
    name: 'Version of the server',
    url: `${side.origin}/version`,
  })
  await page.goto(`/o/${organization.slug}/requests/${shared.id}`)
  const received = side.received.length
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Send without an engagement' })
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(side.received).toHaveLength(received)

  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByLabel('Reason').fill(REASON)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: '200 OK' })).toBeVisible()
  await expect(page.getByText(`Sent without an engagement: ${REASON}`)).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/o/${organization.slug}/engagements/${engagementId}/operations?address=127.0.0.1`)
  await page.getByRole('link', { name: /^Show (?:it|them)$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Operation log' })).toBeVisible()
  await page
    .getByText(`127.0.0.1:${new URL(side.origin).port}/http`)
    .first()
    .click()
  await expect(page.getByText(`without an engagement: ${REASON}`)).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/o/${organization.slug}/requests/${shared.id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Or send it from an engagement' }).click()
  await page.getByRole('option', { name: 'Contoso' }).click()
  await expect(page).toHaveURL(`${home}/${shared.id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Sent without an engagement')).toBeHidden()
  const runs = await call('GET', `/request-runs?requestId=${shared.id}`)
  expect(runs.map((run: { engagementId: string | null }) => run.engagementId)).toContain(null)
  await expect
    .poll(async () => (await call('GET', `/request-runs?engagementId=${engagementId}&requestId=${shared.id}`)).length)
    .toBe(1)
})

test('T8: a member sends nothing from the library, and is directed to an engagement', async ({
  page,
  sortie,
  side,
}) => {
  const { call, organization, home } = await openRequests(page, sortie, side)
  const folder = await call('POST', '/request-folders', { engagementId: null, name: 'Checks' })
  const shared = await call('POST', '/api-requests', {
    engagementId: null,
    folderId: folder.id,
    name: 'Version of the server',
    url: `${side.origin}/version`,
  })
  const member = await sortie.people.member(organization, 'member', 'Mia')
  await page.context().clearCookies()
  await sortie.people.signIn(page, member, `/o/${organization.slug}/requests/${shared.id}`)
  await expect(page.getByText('Requests are sent from an engagement')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  const received = side.received.length
  await page.keyboard.press('Control+Enter')
  await expectAccessible(page)
  expect(side.received).toHaveLength(received)
  await page.goto(`/o/${organization.slug}/requests/${folder.id}`)
  await expect(page.getByRole('button', { name: 'Run the folder' })).toBeDisabled()
  await page.goto(`/o/${organization.slug}/requests/${shared.id}`)
  await page.getByRole('combobox', { name: 'Send it from' }).click()
  await page.getByRole('option', { name: 'Contoso' }).click()
  await expect(page).toHaveURL(`${home}/${shared.id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: '200 OK' })).toBeVisible()
})
