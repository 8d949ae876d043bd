import type { Page } from '@playwright/test'
import { expect, newSubject, signInThere, test } from '../support/server/delegated.ts'
import { nightlyOf } from '../support/server/nightly.ts'
import { ADMINISTRATOR } from '../support/server/people.ts'

const nightly = nightlyOf(test)

// All share one server and one provider, which one of the tests stops.
test.describe.configure({ mode: 'default' })

const BUTTON = { name: 'Sign in with Test Directory' }

test('the first sign-in at the provider creates the account; signing out ends it at both ends', async ({
  page,
  delegated,
}) => {
  const { sub, email, name } = delegated.provider.add({ sub: newSubject() })
  await page.goto('/account/profile')
  await expect(page.getByLabel('Password')).toHaveCount(0)
  await page.getByRole('button', BUTTON).click()
  await signInThere(page, sub)
  await expect(page).toHaveURL(`${delegated.origin}/account/profile`)
  await expect(page.getByLabel('Name')).toHaveValue(name)
  await expect(page.getByRole('heading', { name: 'Sign-in with Test Directory' })).toBeVisible()
  await expect(page.getByText(email).last()).toBeVisible()
  await page.goto('/account/password')
  await expect(page.getByRole('heading', { name: 'There is no password to change' })).toBeVisible()
  await expect(page.getByLabel('Current password')).toHaveCount(0)
  await page.getByRole('button', { name: `Account: ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(page).toHaveURL(`${delegated.origin}/sign-in`)
  await page.goto('/account/profile')
  await page.getByRole('button', BUTTON).click()
  await expect(page.getByRole('heading', { name: 'Test Directory' })).toBeVisible()
})

nightly(
  'S11: going back to the address of a finished sign-in signs no one in',
  async ({ page, context, delegated }) => {
    const { sub } = delegated.provider.add({ sub: newSubject() })
    await page.goto('/sign-in')
    await page.getByRole('button', BUTTON).click()
    const back = page.waitForRequest((request) => request.url().includes('/sign-in/callback?'))
    await signInThere(page, sub)
    const address = (await back).url()
    await expect(page).toHaveURL(`${delegated.origin}/`)
    await context.clearCookies()
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible()
    await expect(page).toHaveURL(`${delegated.origin}/sign-in/callback`)
  },
)

test('S11: a response with another nonce, a used code or the name of another provider signs no one in', async ({
  page,
  context,
  delegated,
}) => {
  const { sub } = delegated.provider.add({ sub: newSubject() })
  const expectRefused = async () => {
    await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible()
    await page.goto('/account/profile')
    await expect(page.getByRole('button', BUTTON)).toBeVisible()
  }
  const goThere = async () => {
    await page.getByRole('button', BUTTON).click()
    await signInThere(page, sub)
  }

  await page.goto('/account/profile')
  await page.route(
    (url) => url.searchParams.has('nonce'),
    (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('nonce', 'of-somebody-else')
      return route.fulfill({ status: 302, headers: { location: url.href } })
    },
    { times: 1 },
  )
  await goThere()
  await expectRefused()

  let used = ''
  await context.clearCookies()
  await meddle(page, (answer) => {
    used = answer.get('code') ?? ''
  })
  await page.goto('/account/profile')
  await goThere()
  await expect(page.getByLabel('Name')).toBeVisible()
  await context.clearCookies()
  await page.goto('/account/profile')
  await meddle(page, (answer) => answer.set('code', used))
  await goThere()
  await expectRefused()
  expect(used).not.toBe('')

  await context.clearCookies()
  await page.goto('/account/profile')
  await meddle(page, (answer) => answer.set('iss', 'https://provider.example'))
  await goThere()
  await expectRefused()
})

nightly(
  'S10: two people at the provider with one address are not one account',
  async ({ page, context, delegated }) => {
    const { sub, email, name } = delegated.provider.add({ sub: newSubject() })
    const other = delegated.provider.add({ sub: newSubject(), email })
    await page.goto('/account/profile')
    await page.getByRole('button', BUTTON).click()
    await signInThere(page, sub)
    await expect(page.getByLabel('Name')).toHaveValue(name)
    await context.clearCookies()
    await page.goto('/account/profile')
    await page.getByRole('button', BUTTON).click()
    await signInThere(page, other.sub)
    await expect(page.getByRole('heading', { name: 'This account has to be linked first' })).toBeVisible()
  },
)

nightly(
  'S10: an address that the provider has not verified is refused on a page with instructions',
  async ({ page, delegated }) => {
    const { sub } = delegated.provider.add({ sub: newSubject(), email_verified: false })
    await page.goto('/sign-in')
    await page.getByRole('button', BUTTON).click()
    await signInThere(page, sub)
    await expect(page.getByRole('heading', { name: 'Access denied' })).toBeVisible()
    await expect(page.getByText('Test Directory has not verified your email address.')).toBeVisible()
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    await expect(page.getByRole('button', BUTTON)).toBeVisible()
  },
)

test('S10, S13: an account is linked from its own session and with its password, never by its address', async ({
  page,
  delegated,
}) => {
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
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Link this account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link this account to Test Directory' })
  await dialog.getByLabel('Your password').fill('not the password of anyone')
  await dialog.getByRole('button', { name: 'Continue to Test Directory' }).click()
  await expect(dialog.getByText('Is not right.')).toBeVisible()
  await dialog.getByLabel('Your password').fill(ADMINISTRATOR.password)
  await dialog.getByRole('button', { name: 'Continue to Test Directory' }).click()
  // Still signed in there: the provider redirects back at once.
  await expect(page.getByText('Id at the provider')).toBeVisible()
  await expect(page.getByText(sub)).toBeVisible()
})

nightly(
  'S9: a person without a password signs in there again, and then sets up a second factor',
  async ({ page, delegated }) => {
    const { sub } = delegated.provider.add({ sub: newSubject(), signedInSecondsAgo: 3_600 })
    await page.goto('/account/second-factor')
    await page.getByRole('button', BUTTON).click()
    await signInThere(page, sub)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await expect(page.getByLabel('Your password')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await page.getByRole('button', { name: 'Sign in with Test Directory again' }).click()
    await signInThere(page, sub)
    await expect(page).toHaveURL(`${delegated.origin}/account/second-factor`)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await expect(page.getByText('You signed in with Test Directory recently, so no password is needed.')).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  },
)

test('S16: while the provider is down the sign-in page reports it, and offers no other way in', async ({
  page,
  delegated,
}) => {
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
    await expect(page.getByRole('alert')).toContainText(
      'Test Directory does not respond. Existing sessions keep working',
    )
    await expect(page.getByLabel('Password')).toHaveCount(0)
  } finally {
    await delegated.provider.up()
  }
  await page.getByRole('button', BUTTON).click()
  await expect(page).toHaveURL(`${delegated.origin}/`)
})

/** Changes the provider's next response, between the page and the server. */
const meddle = async (page: Page, change: (answer: URLSearchParams) => void): Promise<void> => {
  await page.route(
    '**/api/auth/sso/callback',
    async (route) => {
      const answer = new URLSearchParams((route.request().postDataJSON() as { query: string }).query)
      change(answer)
      await route.continue({ postData: JSON.stringify({ query: answer.toString() }) })
    },
    { times: 1 },
  )
}
