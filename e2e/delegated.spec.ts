import { expect, newSubject, signInThere, test } from './support/delegated.ts'
import { ADMINISTRATOR } from './support/people.ts'

const BUTTON = { name: 'Sign in with Test Directory' }

test('the first sign-in at the provider makes the account; signing out ends it at both ends', async ({ page, delegated }) => {
  const { sub, email, name } = delegated.provider.add({ sub: newSubject() })
  await page.goto('/account/profile')
  await expect(page.getByLabel('Password')).toHaveCount(0)
  await page.getByRole('button', BUTTON).click()
  await signInThere(page, sub)
  await expect(page).toHaveURL(`${delegated.origin}/account/profile`)
  await expect(page.getByLabel('Name')).toHaveValue(name)
  await expect(page.getByRole('heading', { name: 'Sign-in with Test Directory' })).toBeVisible()
  await expect(page.getByText(email).last()).toBeVisible()
  await page.getByRole('button', { name: `Account: ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(page).toHaveURL(`${delegated.origin}/sign-in`)
  await page.goto('/account/profile')
  await page.getByRole('button', BUTTON).click()
  await expect(page.getByRole('heading', { name: 'Test Directory' })).toBeVisible()
})

test('S11: going back to the address of a finished sign-in signs nobody in', async ({ page, context, delegated }) => {
  const { sub } = delegated.provider.add({ sub: newSubject() })
  await page.goto('/sign-in')
  await page.getByRole('button', BUTTON).click()
  const back = page.waitForRequest((request) => request.url().includes('/sign-in/callback?'))
  await signInThere(page, sub)
  const address = (await back).url()
  await expect(page).toHaveURL(`${delegated.origin}/`)
  await context.clearCookies()
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'This sign-in cannot be finished' })).toBeVisible()
  await expect(page).toHaveURL(`${delegated.origin}/sign-in/callback`)
})

test('S10: an address that the provider has not verified is refused on a page that says what to do', async ({ page, delegated }) => {
  const { sub } = delegated.provider.add({ sub: newSubject(), email_verified: false })
  await page.goto('/sign-in')
  await page.getByRole('button', BUTTON).click()
  await signInThere(page, sub)
  await expect(page.getByRole('heading', { name: 'You were not let in' })).toBeVisible()
  await expect(page.getByText('Test Directory does not say that it has verified your e-mail address.')).toBeVisible()
  await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
  await expect(page.getByRole('button', BUTTON)).toBeVisible()
})

test('S10, S13: an account is linked from its own session and with its password, never by its address', async ({ page, delegated }) => {
  const { sub } = delegated.provider.add({ sub: newSubject(), email: ADMINISTRATOR.email })
  await page.goto('/sign-in')
  await page.getByRole('button', BUTTON).click()
  await signInThere(page, sub)
  await expect(page.getByRole('heading', { name: 'This account has to be linked first' })).toBeVisible()

  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in as an instance administrator' }).click()
  await page.getByLabel('Email').fill(ADMINISTRATOR.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Engagements', exact: true })).toBeVisible()
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Link this account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link this account to Test Directory' })
  await dialog.getByLabel('Your password').fill('not the password of anybody')
  await dialog.getByRole('button', { name: 'Go on to Test Directory' }).click()
  await expect(dialog.getByText('Is not right.')).toBeVisible()
  await dialog.getByLabel('Your password').fill(ADMINISTRATOR.password)
  await dialog.getByRole('button', { name: 'Go on to Test Directory' }).click()
  // Signed in there still, from before: the provider comes straight back.
  await expect(page.getByText('Id there')).toBeVisible()
  await expect(page.getByText(sub)).toBeVisible()
})

test('S16: while the provider is down the sign-in page says so, and offers no other way in', async ({ page, delegated }) => {
  const { sub, name } = delegated.provider.add({ sub: newSubject() })
  await page.goto('/sign-in')
  await page.getByRole('button', BUTTON).click()
  await signInThere(page, sub)
  await expect(page).toHaveURL(`${delegated.origin}/`)
  await delegated.provider.down()
  try {
    await page.goto('/account/profile')
    await expect(page.getByLabel('Name')).toHaveValue(name)
    await page.goto('/sign-in')
    await page.getByRole('button', BUTTON).click()
    await expect(page.getByRole('alert')).toContainText('Test Directory does not answer. Whoever is signed in stays so')
    await expect(page.getByLabel('Password')).toHaveCount(0)
  } finally {
    await delegated.provider.up()
  }
  await page.getByRole('button', BUTTON).click()
  await expect(page).toHaveURL(`${delegated.origin}/`)
})
