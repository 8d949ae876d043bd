import { generateSync } from 'otplib'
import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('S8: a second factor is enrolled, requested, and each recovery code works once', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner } = await people.organization()
  await people.signIn(page, owner, '/account/second-factor')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByLabel('Your password').fill(owner.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const secret = (await page.getByRole('status', { name: 'Secret' }).textContent()) as string
  await page.getByLabel('Code from the app').fill('000000')
  await page.getByRole('button', { name: 'Switch on' }).click()
  await expect(page.getByLabel('Code from the app')).toHaveAccessibleDescription(/not right|wrong/i)
  await page.getByLabel('Code from the app').fill(generateSync({ secret }))
  await page.getByRole('button', { name: 'Switch on' }).click()
  const shown = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(shown).toHaveCount(10)
  const codes = await shown.allTextContents()
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByText('10 of 10')).toBeVisible()

  await page.getByRole('button', { name: 'Create new recovery codes' }).click()
  await page.getByLabel('Your password').fill(owner.password)
  await expect(page.getByRole('button', { name: 'Create new codes' })).toBeDisabled()
  await page.getByRole('textbox', { name: 'Code' }).fill(codes.pop() as string)
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await expect(shown).toHaveCount(10)
  codes.splice(0, codes.length, ...(await shown.allTextContents()))
  await page.getByRole('button', { name: 'I have stored them' }).click()

  const enterPassword = async () => {
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
  }
  await enterPassword()
  await page.getByLabel('Recovery code').fill(codes[0] as string)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  await enterPassword()
  await page.getByLabel('Recovery code').fill(codes[0] as string)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Use the authenticator app' }).click()
  await page
    .getByLabel('Code', { exact: true })
    .fill(generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 }))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
})

nightly(
  'S8: recovery codes stay on the page until the user confirms that they are stored',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { owner } = await people.organization()
    const enrolled = await people.enrol(owner)
    await people.signInWithCode(page, owner, enrolled)
    await page.goto('/account/profile')
    await page.getByRole('link', { name: 'Two-factor authentication' }).click()
    await page.getByRole('button', { name: 'Create new recovery codes' }).click()
    await page.getByLabel('Your password').fill(owner.password)
    await page.getByRole('textbox', { name: 'Code' }).fill(enrolled.recoveryCodes[0] as string)
    await page.getByRole('button', { name: 'Create new codes' }).click()
    const shown = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect(shown).toHaveCount(10)
    const codes = await shown.allTextContents()
    await page.keyboard.press('Escape')
    await page.evaluate(() => window.history.back())
    await expect(page.getByRole('alert').filter({ hasText: 'Store them, then confirm below.' })).toBeVisible()
    expect(await shown.allTextContents()).toEqual(codes)
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.evaluate(() => window.history.back())
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  },
)

test('S8: a passkey is added with a touch, requested at the next sign-in, renamed and removed', async ({
  page,
  context,
  sortie,
}) => {
  const { people } = sortie
  const { owner } = await people.organization()
  await people.signIn(page, owner, '/account/second-factor')
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'usb',
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password').fill(owner.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Name').fill('Blue key')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByRole('cell', { name: 'Blue key', exact: true })).toBeVisible()
  await expectAccessible(page)

  const signIn = async () => {
    await context.clearCookies()
    await page.goto('/sign-in?next=%2Faccount%2Fsecond-factor')
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await signIn()
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await expect(page.getByRole('cell', { name: 'Blue key', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Rename Blue key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Desk key')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Remove Desk key' }).click()
  await page.getByLabel('Your password').fill(owner.password)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Two-factor authentication is off' })).toBeVisible()

  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await signIn()
  await expect(page.getByRole('heading', { name: 'Two-factor authentication is off' })).toBeVisible()
})

test('S4: a forgotten password is replaced through the mailed link, which works once and ends every session', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const { owner } = await people.organization()
  await people.signIn(otherPage, owner)
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
  await page.getByLabel('Email').fill(owner.email)
  const before = await people.mailedLink(owner.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect.poll(() => people.mailedLink(owner.email), { timeout: 40_000 }).not.toBe(before)
  const link = await people.mailedLink(owner.email)
  expect(link).toContain(`${sortie.origin}/password-reset#token=`)
  await page.goto(link)
  await expect(page).not.toHaveURL(/token/)
  await page.getByLabel('Password', { exact: true }).fill('another few words')
  await page.getByLabel('Password again').fill('another few word')
  await expect(page.getByRole('button', { name: 'Set password' })).toBeDisabled()
  await page.getByLabel('Password again').fill('another few words')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill('another few words')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  await otherPage.goto('/account/profile')
  await expect(otherPage.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
  await otherPage.goto(link)
  await expect(otherPage.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
})

test('S2: another session is listed and ended, and its browser has to sign in again', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const { owner } = await people.organization()
  await people.signIn(otherPage, owner, '/account/profile')
  await people.signIn(page, owner, '/account/sessions')
  await expect(page.getByText('this one')).toBeVisible()
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(page.getByRole('row')).toHaveCount(2)
  await otherPage.reload()
  await expect(otherPage.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
})

test('name, password and notifications are changed', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner } = await people.organization()
  await people.signIn(page, owner, '/account/profile')
  await page.getByLabel('Name').fill('Olga Renamed')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Account: Olga Renamed' })).toBeVisible()
  await visit(page, '/account/notifications')
  const switches = [/^API keys/, /^Mentions/, /^Assignments/].map((name) => page.getByRole('switch', { name }))
  for (const each of switches) {
    // The page shows it at once; leaving it before the response would cancel the request.
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await each.press('Space')
    await expect(each).not.toBeChecked()
    expect((await answered).status()).toBe(200)
  }
  await visit(page, '/account/password')
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password', { exact: true }).fill('yet another few words')
  await page.getByLabel('New password again').fill('yet another few words')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription(/not right/)
  await page.getByLabel('Current password').fill(owner.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText(/Password changed/)).toBeVisible()
  await visit(page, '/account/notifications')
  for (const each of switches) await expect(each).not.toBeChecked()
  await expect(page.getByRole('switch', { name: /^Your membership/ })).toBeChecked()
})
