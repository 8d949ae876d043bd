import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import { ADMINISTRATOR } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'
import { sendIssue, sendSubscription } from '../support/server/webhooks.ts'

test('a customer is linked to an organization, and its subscription becomes the plan', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  const customer = `cus_${people.unique('browser').replaceAll('-', '')}`
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/billing`)
  await expect(page.getByText('An instance administrator links it.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing received yet' })).toBeVisible()

  await sendSubscription(origin, customer, 'Team of ten')
  await people.signIn(otherPage, ADMINISTRATOR, '/instance/billing')
  await otherPage.getByRole('button', { name: `Link ${customer}` }).click()
  const dialog = otherPage.getByRole('dialog', { name: 'Link a customer' })
  await expect(dialog.getByLabel('Customer')).toHaveValue(customer)
  await dialog.getByRole('combobox', { name: 'Organization' }).fill(organization.name)
  await otherPage.getByRole('option', { name: organization.name }).click()
  await dialog.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(
    otherPage.getByRole('table', { name: 'Customers', exact: true }).getByRole('row', { name: organization.name }),
  ).toContainText(customer)

  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Team of ten, active')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(
    page.getByRole('table', { name: 'Events' }).getByRole('row', { name: 'customer.subscription.created' }),
  ).toContainText('Applied')

  await otherPage.getByRole('button', { name: `Unlink ${organization.name}` }).click()
  await otherPage.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await expect(otherPage.getByRole('button', { name: `Unlink ${organization.name}` })).toHaveCount(0)
})

test('a repository is requested, confirmed, and its notifications are listed', async ({ page, otherPage, sortie }) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  const repository = `northwind/${people.unique('portal')}`
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/code-hosting`)
  await page.getByRole('button', { name: 'Connect a repository' }).click()
  await page.getByRole('textbox', { name: 'Repository' }).fill(`https://github.com/${repository}.git`)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const row = page.getByRole('table', { name: 'Repositories' }).getByRole('row', { name: repository })
  await expect(row).toContainText('Waiting for confirmation')

  await sendIssue(origin, `${repository}-of-nobody`)
  await people.signIn(otherPage, ADMINISTRATOR, '/instance/code-hosting')
  await expect(otherPage.getByRole('table', { name: 'Unassigned notifications' })).toContainText(
    `${repository}-of-nobody`,
  )
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

nightly(
  'issues of a repository become tasks of the engagement that is chosen when it is connected, and of another one that is chosen later',
  async ({ page, otherPage, sortie }) => {
    const { people, origin } = sortie
    const organization = await people.organization()
    const created = async (name: string) =>
      (await people.call(organization.owner, 'POST', '/api/web/engagements', { name }, organization.id)).body.data.id
    const [first, second] = [await created('Portal'), await created('Mobile app')]
    const repository = `northwind/${people.unique('portal')}`
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/code-hosting`)
    await page.getByRole('button', { name: 'Connect a repository' }).click()
    await page.getByRole('textbox', { name: 'Repository' }).fill(repository)
    const dialog = page.getByRole('dialog', { name: 'Connect a repository' })
    await dialog.getByRole('combobox', { name: 'Issues become tasks of' }).fill('port')
    await page.getByRole('option', { name: 'Portal' }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    const chosen = page
      .getByRole('table', { name: 'Repositories' })
      .getByRole('combobox', { name: `Issues of ${repository} become tasks of` })
    await expect(chosen).toHaveValue('Portal')
    await people.signIn(otherPage, ADMINISTRATOR, '/instance/code-hosting')
    await otherPage.getByRole('button', { name: `Confirm ${repository} for ${organization.name}` }).click()
    await expect(otherPage.getByRole('button', { name: `Confirm ${repository} for ${organization.name}` })).toHaveCount(
      0,
    )

    await sendIssue(origin, repository, { number: 1, title: 'Login without a password' })
    await chosen.click()
    await page.getByRole('option', { name: 'Mobile app' }).click()
    await expect(chosen).toHaveValue('Mobile app')
    await page.reload()
    await expect(chosen).toHaveValue('Mobile app')
    await expectAccessible(page)
    await sendIssue(origin, repository, { number: 2, title: 'Tokens in the log' })

    const boardHas = async (engagementId: string, title: string) => {
      await page.goto(`/o/${organization.slug}/engagements/${engagementId}/tasks`)
      await expect(page.getByRole('region', { name: 'Open' }).locator('[data-task]')).toContainText([title])
    }
    await boardHas(first, 'Login without a password')
    await boardHas(second, 'Tokens in the log')
  },
)
