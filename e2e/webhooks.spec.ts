import { ADMINISTRATOR } from './support/people.ts'
import { expect, test } from './support/sortie.ts'
import { sendIssue, sendSubscription } from './support/webhooks.ts'

test('a customer is linked to an organization, and its subscription becomes the plan', async ({ page, otherPage, sortie }) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  const customer = `cus_${people.unique('browser').replaceAll('-', '')}`
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/billing`)
  await expect(page.getByText('An instance administrator links it to its customer.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing came yet' })).toBeVisible()

  await sendSubscription(origin, customer, 'Team of ten')
  await people.signIn(otherPage, ADMINISTRATOR, '/instance/billing')
  await otherPage.getByRole('button', { name: `Link ${customer}` }).click()
  const dialog = otherPage.getByRole('dialog', { name: 'Link a customer' })
  await expect(dialog.getByLabel('Customer')).toHaveValue(customer)
  await dialog.getByRole('combobox', { name: 'Organization' }).fill(organization.name)
  await otherPage.getByRole('option', { name: organization.name }).click()
  await dialog.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(otherPage.getByRole('table', { name: 'Customers', exact: true }).getByRole('row', { name: organization.name })).toContainText(customer)

  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Team of ten, active')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByRole('table', { name: 'Events' }).getByRole('row', { name: 'customer.subscription.created' })).toContainText('Applied')

  await otherPage.getByRole('button', { name: `Unlink ${organization.name}` }).click()
  await otherPage.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await expect(otherPage.getByRole('button', { name: `Unlink ${organization.name}` })).toHaveCount(0)
})

test('a repository is asked for, confirmed, and its notifications are listed', async ({ page, otherPage, sortie }) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  const repository = `northwind/${people.unique('portal')}`
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/code-hosting`)
  await page.getByRole('button', { name: 'Connect a repository' }).click()
  await page.getByRole('textbox', { name: 'Repository' }).fill(`https://github.com/${repository}.git`)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const row = page.getByRole('table', { name: 'Repositories' }).getByRole('row', { name: repository })
  await expect(row).toContainText('Waits to be confirmed')

  await sendIssue(origin, `${repository}-of-nobody`)
  await people.signIn(otherPage, ADMINISTRATOR, '/instance/code-hosting')
  await expect(otherPage.getByRole('table', { name: 'Notifications of nobody' })).toContainText(`${repository}-of-nobody`)
  await otherPage.getByRole('button', { name: `Confirm ${repository} for ${organization.name}` }).click()
  await expect(otherPage.getByRole('button', { name: `Confirm ${repository} for ${organization.name}` })).toHaveCount(0)

  await sendIssue(origin, repository)
  await page.reload()
  await expect(row).toContainText('Connected')
  await expect(page.getByRole('table', { name: 'Notifications' })).toContainText('issues, opened')
  await page.getByRole('button', { name: `Disconnect ${repository}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('heading', { name: 'No repositories yet' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Notifications' })).toContainText('issues, opened')
})
