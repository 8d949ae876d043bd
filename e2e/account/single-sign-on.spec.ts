import { TestBrowser } from '../../server/test/support/app/test-browser.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, newSubject, signInThere, test } from '../support/server/delegated.ts'
import { nightlyOf } from '../support/server/nightly.ts'
import { ADMINISTRATOR } from '../support/server/people.ts'

const nightly = nightlyOf(test)

test.use({ serverName: 'single-sign-on' })

nightly(
  'S9: single sign-on is explained, then switched on by a user who signed in through it; a user with a password learns why not',
  async ({ page, browser, delegated }) => {
    const { origin, provider } = delegated
    const { sub, email } = provider.add({ sub: newSubject() })
    await page.goto('/account/profile')
    await page.getByRole('button', { name: 'Sign in with Test Directory' }).click()
    await signInThere(page, sub)
    await expect(page).toHaveURL(`${origin}/account/profile`)
    const administrator = new TestBrowser(origin)
    await administrator.post('/api/auth/sign-in/email', {
      email: ADMINISTRATOR.email,
      password: ADMINISTRATOR.password,
    })
    const created = await administrator.post('/api/web/instance/organizations', {
      name: 'Linked people',
      ownerEmail: email,
      ownerName: 'Olga',
    })
    const { slug } = created.body.data.organization
    const foreign = await administrator.post('/api/web/instance/organizations', {
      name: 'Of the administrator',
      ownerEmail: ADMINISTRATOR.email,
      ownerName: 'A',
    })

    await page.goto(`/o/${slug}/settings/security`)
    await expect(page.getByText('Every account of a member is linked to Test Directory.')).toBeVisible()
    const demand = page.getByRole('switch', { name: 'Require single sign-on' })
    await demand.press('Space')
    const dialog = page.getByRole('dialog', { name: 'Require single sign-on of everyone?' })
    await expect(dialog).toContainText('Linked people then opens only through Test Directory.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Require it' }).click()
    await expect(page.getByText('Single sign-on is required now.')).toBeVisible()
    await expect(demand).toBeChecked()
    await page.reload()
    await expect(demand).toBeChecked()

    const context = await browser.newContext({ baseURL: origin })
    const other = await context.newPage()
    const data = { email: ADMINISTRATOR.email, password: ADMINISTRATOR.password }
    expect((await other.request.post(`${origin}/api/auth/sign-in/email`, { data })).status()).toBe(200)
    await other.goto(`/o/${foreign.body.data.organization.slug}/settings/security`)
    await expect(other.getByRole('switch', { name: 'Require single sign-on' })).toBeDisabled()
    await expect(other.getByText('1 of 1 member has an account that is not linked to Test Directory.')).toBeVisible()
    await expect(other.getByRole('link', { name: 'link your account' })).toHaveAttribute('href', '/account/profile')
    await context.close()
  },
)
