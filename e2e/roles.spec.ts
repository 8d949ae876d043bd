import { expect, test } from './support/sortie.ts'

test('a member sees no button that the server would refuse', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.signIn(page, member, `/o/${organization.slug}/engagements`)
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New engagement' })).toHaveCount(0)
  await page.goto(`/o/${organization.slug}/settings/members`)
  await expect(page.getByRole('row', { name: member.email })).toBeVisible()
  await expect(page.getByRole('button', { name: /Invite|Actions for/ })).toHaveCount(0)
  await expect(page.getByRole('combobox')).toHaveCount(0)
  for (const name of ['Security', 'Domains', 'Invitations', 'API keys', 'Billing', 'Code hosting', 'Audit log', 'Ownership', 'Jobs'])
    await expect(page.getByRole('link', { name })).toHaveCount(0)
  await page.goto(`/o/${organization.slug}/settings/general`)
  await expect(page.getByLabel('Name')).toHaveAttribute('readonly')
  for (const part of ['security', 'domains', 'api-keys', 'billing', 'code-hosting']) {
    await page.goto(`/o/${organization.slug}/settings/${part}`)
    await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
  }
  await page.goto('/instance/overview')
  await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
})

test('A1: an organization that one is no member of looks like one that does not exist', async ({ page, sortie }) => {
  const { people } = sortie
  const [mine, foreign] = [await people.organization(), await people.organization('Foreign')]
  await people.signIn(page, mine.owner, `/o/${foreign.slug}/engagements`)
  await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
  const text = await page.locator('body').innerText()
  expect(text).not.toContain(foreign.name)
  await page.goto('/o/there-is-no-such-organization/engagements')
  await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
  expect(await page.locator('body').innerText()).toBe(text)
})

test('a role changes at once in the list, and removing says what happens and ends access', async ({ page, otherPage, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.signIn(otherPage, member, `/o/${organization.slug}/engagements`)
  await expect(otherPage.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
  await page.getByRole('combobox', { name: `Role of ${member.name}` }).selectOption('admin')
  await expect(page.getByText(`${member.name} is an admin now.`)).toBeVisible()
  await otherPage.reload()
  await expect(otherPage.getByRole('button', { name: 'New engagement' }).first()).toBeVisible()
  await page.getByRole('button', { name: `Actions for ${member.name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove from the organization' }).click()
  await expect(page.getByRole('dialog')).toContainText('The account is kept')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('row', { name: member.email })).toHaveCount(0)
  await otherPage.reload()
  await expect(otherPage.getByRole('heading', { name: 'You have no access' })).toBeVisible()
})

test('the owner hands the organization over with the password, and is an admin afterwards', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const successor = await people.member(organization, 'member')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/ownership`)
  await page.getByRole('combobox', { name: 'New owner' }).click()
  await page.getByRole('option', { name: successor.email }).click()
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByRole('button', { name: 'Make them the owner' }).click()
  await expect(page.getByText('Is not right.')).toBeVisible()
  await page.getByLabel('Your password').fill(organization.owner.password)
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByRole('button', { name: 'Make them the owner' }).click()
  await expect(page.getByRole('row', { name: successor.email })).toContainText('Owner')
  await expect(page.getByRole('combobox', { name: `Role of ${organization.owner.name}` })).toHaveValue('admin')
  await expect(page.getByRole('link', { name: 'Ownership' })).toHaveCount(0)
})
