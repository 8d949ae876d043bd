import { nightly } from '../support/server/nightly.ts'
import { ADMINISTRATOR } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

// Instance administrators are shared by all tests here: they run one after another.
test.describe.configure({ mode: 'default' })

test('an instance administrator creates an organization whose owner sets a password, and cannot open it', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const email = `${people.unique('founder')}@example.com`
  const name = `Contoso ${people.unique('org')}`
  await people.signIn(page, ADMINISTRATOR, '/instance/organizations')
  await page.getByRole('button', { name: 'New organization' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Owner’s email').fill(email)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByRole('row', { name })).toContainText(email)
  await otherPage.goto(await people.mailedLink(email))
  await expect(otherPage.getByRole('heading', { name: 'Welcome to Sortie' })).toBeVisible()
  await otherPage.getByLabel('Your name').fill('Flora Founder')
  await otherPage.getByLabel('Password', { exact: true }).fill('words of the founder')
  await otherPage.getByLabel('Password again').fill('words of the founder')
  await otherPage.getByRole('button', { name: 'Set password' }).click()
  await otherPage.getByRole('link', { name: 'Sign in' }).click()
  await otherPage.getByLabel('Email').fill(email)
  await otherPage.getByLabel('Password', { exact: true }).fill('words of the founder')
  await otherPage.getByRole('button', { name: 'Sign in' }).click()
  await expect(otherPage.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  const slug = /\/o\/([^/]+)\//.exec(otherPage.url())?.[1]
  await page.goto(`/o/${slug}/engagements`)
  await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
})

test('health, accounts, mails and jobs are shown; the last administrator cannot be removed', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  await people.organization()
  await people.signIn(page, ADMINISTRATOR, '/instance/overview')
  await expect(page.getByRole('row', { name: /^Database/ })).toContainText('Working')
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(ADMINISTRATOR.email)
  await expect(page.getByRole('row')).toHaveCount(2)
  const isAdministrator = page.getByRole('switch', { name: 'Administrator is an instance administrator' })
  await isAdministrator.press('Space')
  const dialog = page.getByRole('dialog', { name: 'Stop being an instance administrator?' })
  await dialog.getByRole('textbox').fill(ADMINISTRATOR.email)
  await dialog.getByRole('button', { name: 'Remove as administrator' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(isAdministrator).toBeChecked()
  await page.getByRole('link', { name: 'Mail outbox' }).click()
  await expect(page.getByRole('table', { name: 'Mails' })).toContainText('Sent')
  await page.getByRole('link', { name: 'Jobs' }).click()
  await expect(page.getByRole('table', { name: 'Job queues' })).toBeVisible()
})

nightly(
  'making a user an instance administrator explains the rights, and no one gives them up by one click',
  async ({ page, otherPage, sortie }) => {
    const { people } = sortie
    const { owner } = await people.organization()
    await people.signIn(page, ADMINISTRATOR, `/instance/accounts?search=${encodeURIComponent(owner.email)}`)
    const isAdministrator = page.getByRole('switch', { name: `${owner.name} is an instance administrator` })
    await isAdministrator.press('Space')
    const dialog = page.getByRole('dialog', { name: `Make ${owner.name} an instance administrator?` })
    await expect(dialog).toContainText(
      'make other accounts instance administrators, and remove any of them, including you',
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(isAdministrator).not.toBeChecked()
    await isAdministrator.press('Space')
    await dialog.getByRole('button', { name: 'Make administrator' }).click()
    await expect(page.getByText(`${owner.name} is an instance administrator now.`)).toBeVisible()
    await expect(isAdministrator).toBeChecked()

    await people.signIn(otherPage, owner, `/instance/accounts?search=${encodeURIComponent(owner.email)}`)
    const own = otherPage.getByRole('switch', { name: `${owner.name} is an instance administrator` })
    await own.press('Space')
    const question = otherPage.getByRole('dialog', { name: 'Stop being an instance administrator?' })
    await expect(question.getByRole('button', { name: 'Remove as administrator' })).toBeDisabled()
    await otherPage.keyboard.press('Enter')
    await expect(question).toBeVisible()
    await otherPage.reload()
    await expect(own).toBeChecked()
    await own.press('Space')
    await question.getByRole('textbox').fill(owner.email)
    await question.getByRole('button', { name: 'Remove as administrator' }).click()
    await expect(otherPage.getByRole('heading', { name: 'You have no access' })).toBeVisible()
  },
)

test('an account is disabled, moved and deleted, and an organization gets another owner and is removed, each after what it asks for', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { owner, name, slug } = organization
  const member = await people.member(organization, 'member', 'Mona')
  await people.signIn(otherPage, member, `/o/${slug}/engagements`)
  await people.signIn(page, ADMINISTRATOR, `/instance/accounts?search=${encodeURIComponent(member.email)}`)
  const row = page.getByRole('row', { name: member.email })
  await expect(row).toContainText(name)
  await expect(row).toContainText('Active')
  const choose = async (item: string, of = member.name) => {
    await page.getByRole('button', { name: `Actions for ${of}` }).press('Enter')
    await page.getByRole('menuitem', { name: item }).press('Enter')
  }

  const states = page.getByRole('radiogroup', { name: 'State' })
  await choose('Disable')
  await page
    .getByRole('dialog', { name: `Disable ${member.name}?` })
    .getByRole('button', { name: 'Disable' })
    .click()
  await expect(row).toContainText('Disabled')
  await otherPage.reload()
  await expect(otherPage.getByLabel('Password', { exact: true })).toBeVisible()
  await states.getByText('Active', { exact: true }).click()
  await expect(page.getByText('No account matches')).toBeVisible()
  await states.getByText('Disabled', { exact: true }).click()
  await choose('Enable')
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
  await expect(page.getByText('No account matches')).toBeVisible()
  await states.getByText('All', { exact: true }).click()

  await page.goto(`/instance/organizations?search=${slug}`)
  await choose('Transfer ownership', name)
  const transfer = page.getByRole('dialog', { name: `Transfer the ownership of ${name}` })
  await expect(transfer.getByLabel('Address of the new owner')).toBeFocused()
  await page.keyboard.type(member.email)
  await transfer.getByLabel('Your password').fill('not the password')
  await page.keyboard.press('Enter')
  await expect(transfer.getByText('is not right')).toBeVisible()
  await transfer.getByLabel('Your password').fill(ADMINISTRATOR.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name })).toContainText(member.email)

  await page.goto(`/instance/accounts?search=${encodeURIComponent(owner.email)}`)
  await choose('Change address', owner.name)
  const change = page.getByRole('dialog', { name: `Change the address of ${owner.name}` })
  const moved = `moved.${owner.email}`
  await change.getByLabel('New address').fill(moved)
  await change.getByLabel('Your password').fill(ADMINISTRATOR.password)
  await change.getByRole('button', { name: 'Change address' }).click()
  await expect(page.getByRole('row', { name: moved })).toBeVisible()
  await choose('Delete', owner.name)
  const deletion = page.getByRole('dialog', { name: `Delete the account of ${owner.name}?` })
  await deletion.getByLabel('Your password').fill(ADMINISTRATOR.password)
  const button = deletion.getByRole('button', { name: 'Delete account' })
  await expect(button).toBeDisabled()
  await deletion.getByLabel(`Type ${moved} to confirm`).fill(moved)
  await button.click()
  await expect(page.getByText('No account matches')).toBeVisible()

  await page.goto(`/instance/organizations?search=${slug}`)
  await choose('Remove', name)
  const removal = page.getByRole('dialog', { name: `Remove ${name}?` })
  await removal.getByLabel(`Type ${slug} to confirm`).fill(slug)
  await removal.getByLabel('Your password').fill(ADMINISTRATOR.password)
  await removal.getByRole('button', { name: 'Remove organization' }).click()
  await expect(removal).toBeHidden()
  await expect(page.getByText('No organization matches')).toBeVisible({ timeout: 60_000 })
})
