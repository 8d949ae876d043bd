import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import { ADMINISTRATOR, type TestOrganization } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

const CONFIRMATION = '**/api/auth/browser-confirmation'

test('the first account signs in, and signing out ends it', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
  await page.getByLabel('Email').fill(ADMINISTRATOR.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/o\/my-organization\/home$/)
  await page.getByRole('button', { name: 'Account: Administrator' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
  await page.goto('/o/my-organization/engagements')
  await expect(page.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
})

test('S5: an unknown address and a wrong password show the same message', async ({ page, sortie }) => {
  const { owner } = await sortie.people.organization()
  const answers: string[] = []
  for (const email of [owner.email, 'nobody-at-all@example.com']) {
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not the password of anyone')
    await page.getByRole('button', { name: 'Sign in' }).click()
    answers.push((await page.getByRole('alert').textContent()) ?? '')
  }
  expect(answers[0]).toBe('Wrong email or password.')
  expect(answers[1]).toBe(answers[0])
})

test('S36: after too many failed sign-ins the page shows what to do, and the mailed link lets this browser in', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const { owner, slug } = await people.organization()
  await people.guess(owner, 10)
  await page.goto('/sign-in')
  const signIn = async () => {
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await signIn()
  const explanation = page.getByRole('status', { name: 'Confirm this browser' })
  await expect(explanation).toContainText(`We sent a link to ${owner.email}`)
  await expect(page.getByText(/Or try again without the link in \d+ seconds?\./)).toBeVisible()
  await expectAccessible(page)
  const link = await people.mailedLink(owner.email, 'Confirm this browser')
  const sendAgain = page.getByRole('button', { name: 'Send the link again' })
  const resent = page.waitForResponse(CONFIRMATION)
  await sendAgain.click()
  await resent
  await expect(sendAgain).toBeEnabled()
  expect(await people.mailedLink(owner.email, 'Confirm this browser')).toBe(link)
  // An answer that arrives after the user went back does not return them.
  const release = Promise.withResolvers<void>()
  await page.route(CONFIRMATION, async (route) => {
    await release.promise
    await route.continue()
  })
  await sendAgain.click()
  await page.getByRole('button', { name: 'Back to sign-in' }).click()
  const late = page.waitForResponse(CONFIRMATION)
  release.resolve()
  await late
  await page.unroute(CONFIRMATION)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled()
  await expect(page.getByLabel('Email')).toHaveValue(owner.email)

  await page.goto(link)
  await expect(page).toHaveURL(`${sortie.origin}/sign-in/confirm`)
  await page.getByRole('button', { name: 'Confirm this browser' }).click()
  await expect(page.getByText('This browser is confirmed.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${sortie.origin}/o/${slug}/home`)

  await otherPage.goto(link)
  await otherPage.getByRole('button', { name: 'Confirm this browser' }).click()
  await expect(otherPage.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  // A link that is opened in a tab with the same page loads nothing, and is still read.
  await otherPage.evaluate(() => {
    window.location.hash = '#token=another'
  })
  await expect(otherPage.getByRole('button', { name: 'Confirm this browser' })).toBeVisible()
  await expect(otherPage).toHaveURL(`${sortie.origin}/sign-in/confirm`)
  // So is a token in the query, as in mails of earlier versions.
  await otherPage.goto('/sign-in/confirm?token=of-an-earlier-version')
  await expect(otherPage.getByRole('button', { name: 'Confirm this browser' })).toBeVisible()
  await expect(otherPage).toHaveURL(`${sortie.origin}/sign-in/confirm`)
})

test('a deep link leads through signing in to its destination, state included', async ({ page, sortie }) => {
  const { owner, slug } = await sortie.people.organization()
  await page.goto(`/o/${slug}/engagements?status=archived&sort=name`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(new RegExp(`/o/${slug}/engagements\\?.*status=archived`))
  await expect(page.getByRole('button', { name: 'Status: Archived' })).toBeVisible()
})

/** Shared by all following tests: other tests use the administrator's sessions, at most ten. */
let shared: Promise<TestOrganization> | undefined

for (const [index, next] of [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/o/x',
  'javascript:alert(1)',
  '/%2f%2fevil.example',
  '/o/../../evil',
  '\t//evil.example',
  '/@evil.example',
].entries()) {
  const declare = index === 0 ? test : nightly
  declare(`S15: signing in with next=${JSON.stringify(next)} stays here`, async ({ page, sortie }) => {
    shared ??= sortie.people.organization()
    const { owner, slug } = await shared
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(`${sortie.origin}/o/${slug}/home`)
  })
}

test('a session that has ended is renewed over the page, and typed text is kept', async ({ page, sortie, context }) => {
  const { owner, slug } = await sortie.people.organization()
  // The page with its dialog is loaded after the page that asks for the session.
  await sortie.people.signIn(page, owner, `/o/${slug}/settings/general`)
  await page.goto(`/o/${slug}/settings/members`)
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'New engagement' }).first().click()
  await page.getByLabel('Name').fill('Typed before the session ended')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Create engagement' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password', { exact: true }).fill(owner.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Name')).toHaveValue('Typed before the session ended')
  await page.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { name: 'Typed before the session ended' })).toBeVisible()
})
