import { expect, type Page } from '@playwright/test'
import { ADMINISTRATOR, type People } from '../server/people.ts'
import { chooseFrom } from './choice.ts'

/**
 * Brings pages into the states with refusals or dangers, one after another, and yields the name of each: forms and
 * fields, dialogs that delete something, values shown once.
 */
export async function* everyRefusal(page: Page, people: People): AsyncGenerator<string> {
  const organization = await people.organization()
  const { owner, id, slug } = organization
  const member = await people.member(organization, 'member')
  await people.call(owner, 'POST', '/api/web/api-keys', { name: 'ci', environment: 'live', scopes: ['tasks:read'] }, id)
  const dialog = page.getByRole('dialog')
  const alert = page.getByRole('alert').first()

  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(alert).toBeVisible()
  yield 'sign-in-refused'

  await people.signIn(page, owner, `/o/${slug}/settings/domains?claim=true`)
  await page.getByRole('textbox', { name: 'Domain' }).fill('no domain')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Domain' })).toHaveAttribute('aria-invalid', 'true')
  yield 'field-refused'

  await page.goto(`/o/${slug}/settings/members?invite=true`)
  await page.getByLabel('Email addresses').fill(`${owner.email}, no one`)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(alert).toBeVisible()
  yield 'invitations-refused'

  await page.goto(`/o/${slug}/settings/members`)
  await page.getByRole('button', { name: `Actions for ${member.name}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Remove from the organization' })).toBeVisible()
  yield 'danger-in-menu'
  await page.getByRole('menuitem', { name: 'Remove from the organization' }).hover()
  yield 'danger-in-menu-hovered'
  await page.getByRole('menuitem', { name: 'Remove from the organization' }).click()
  await expect(dialog).toBeVisible()
  yield 'danger-dialog'
  await dialog.getByRole('button', { name: 'Remove' }).hover()
  yield 'danger-button-hovered'
  await page.route('**/members/usr_*', (route) => route.abort('connectionrefused'))
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  yield 'danger-dialog-refused'
  await page.unroute('**/members/usr_*')

  await page.goto(`/o/${slug}/settings/api-keys`)
  await page.getByRole('button', { name: 'Actions for ci' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByRole('textbox').fill('ci')
  await expect(dialog.getByRole('button', { name: 'Delete key' })).toBeEnabled()
  yield 'typed-to-delete'

  await page.goto(`/o/${slug}/settings/general`)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByLabel('Name').fill('shown once')
  await page.getByRole('button', { name: 'Everything' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('status', { name: 'Value of the key' })).toBeVisible()
  yield 'secret-shown'
  await page.evaluate(() => window.history.back())
  await expect(page.getByRole('alert').filter({ hasText: 'confirm below' })).toBeVisible()
  yield 'secret-held'
  await page.getByRole('button', { name: 'I have stored it' }).click()

  await page.goto(`/o/${slug}/settings/ownership`)
  await page.getByRole('combobox', { name: 'New owner' }).click()
  await page.getByRole('option', { name: member.email }).click()
  await page.getByLabel('Your password').fill('not the password')
  await expect(page.getByRole('button', { name: 'Transfer ownership' })).toBeEnabled()
  yield 'danger-button'
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  await dialog.getByRole('button', { name: 'Make them the owner' }).click()
  await expect(page.getByText('Is not right.')).toBeVisible()
  yield 'password-refused'

  await people.signIn(page, ADMINISTRATOR, '/instance/accounts')
  await page.getByRole('switch', { name: 'Administrator is an instance administrator' }).press('Space')
  await dialog.getByRole('textbox').fill(ADMINISTRATOR.email)
  await dialog.getByRole('button', { name: 'Remove as administrator' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  yield 'last-administrator'
}

/**
 * Brings pages into states with conflicts, failed requests, and missing rights, and yields the name of each.
 *
 * @param otherPage another browser, for concurrent changes of another user
 */
export async function* everyFailure(page: Page, otherPage: Page, people: People): AsyncGenerator<string> {
  const organization = await people.organization()
  const { owner, id, slug } = organization
  const member = await people.member(organization, 'member')
  const as = (method: string, path: string, body?: unknown) => people.call(owner, method, `/api/web${path}`, body, id)
  const alert = page.getByRole('alert').first()
  const engagement = (await as('POST', '/engagements', { name: 'Contested', description: 'first' })).body.data

  await people.signIn(page, owner, `/o/${slug}/engagements/${engagement.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await as('PATCH', `/engagements/${engagement.id}`, { description: 'theirs' })
  await page.getByLabel('Description').fill('mine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(alert.filter({ hasText: 'Someone else has saved this' })).toBeVisible()
  yield 'conflict'

  await page.goto(`/o/${slug}/settings/members`)
  await page.route('**/members/usr_*', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'CONFLICT', message: 'Not today.', statusCode: 409 } } }),
  )
  await chooseFrom(page.getByRole('combobox', { name: `Role of ${member.name}` }), 'admin')
  await expect(page.getByText('Not today.')).toBeVisible()
  yield 'toast-of-an-error'
  await page.unroute('**/members/usr_*')

  await page.route('**/api/web/organizations/current/members?*', (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: 'INTERNAL_ERROR', message: 'Something went wrong.', statusCode: 500 } },
    }),
  )
  await page.goto(`/o/${slug}/settings/members`)
  await expect(page.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible()
  yield 'load-failed'
  await page.unroute('**/api/web/organizations/current/members?*')

  await page.goto(`/o/${slug}/settings/general`)
  await expect(page.getByRole('heading', { name: 'General', exact: true })).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText('The server cannot be reached. What you typed is kept')).toBeVisible()
  yield 'offline'
  await page.context().setOffline(false)

  await page.goto('/account/password')
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByLabel('New password again').fill('other')
  yield 'passwords-differ'

  await people.signIn(page, member, `/o/${slug}/settings/audit`)
  await expect(page.getByRole('heading', { name: 'You have no access' })).toBeVisible()
  yield 'no-access'

  await people.signInWithCode(otherPage, owner, await people.enrol(owner))
  await otherPage.request.patch(`${people.origin}/api/web/organizations/current/settings`, {
    headers: { 'x-organization': id, origin: people.origin },
    data: { requireTwoFactor: true },
  })
  await page.goto('/account/second-factor')
  await expect(page.getByText('requires two-factor authentication')).toBeVisible()
  yield 'two-factor-required'
}
