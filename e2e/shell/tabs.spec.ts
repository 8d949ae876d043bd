import type { Page } from '@playwright/test'
import { nightly } from '../support/server/nightly.ts'
import { type Person, tokenOf } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

const signInByForm = async (page: Page, { email, password }: Person): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('C5: signing out in one tab empties the others, whatever is open in them', async ({ page, context, sortie }) => {
  const { people } = sortie
  const organization = await people.organization('Confidential')
  const general = `/o/${organization.slug}/settings/general`
  await people.signIn(page, organization.owner, general)
  const [form, secret] = [await context.newPage(), await context.newPage()]
  await form.goto(`/o/${organization.slug}/engagements?create=true`)
  await form.getByLabel('Name').fill('Typed and not saved')
  await secret.goto(`/o/${organization.slug}/settings/api-keys?create=true`)
  await secret.getByLabel('Name').fill('ci')
  await secret.getByRole('button', { name: 'Everything' }).click()
  await secret.getByRole('button', { name: 'Create key' }).click()
  await expect(secret.getByRole('status', { name: 'Value of the key' })).toBeVisible()

  await signOut(page)
  for (const tab of [page, form, secret]) {
    await expect(tab.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
    await expect(tab).toHaveURL(`${sortie.origin}/sign-in`)
    expect(await tab.content()).not.toContain(organization.name)
    expect(await tab.content()).not.toContain('svc_live_')
  }
})

nightly(
  'C5: when another user signs in in one tab, the others show nothing of the first person',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const [first, second] = [await people.organization('Confidential'), await people.organization('Elsewhere')]
    await people.signIn(page, first.owner, `/o/${first.slug}/settings/general`)
    await expect(page.getByLabel('Name')).toHaveValue(first.name)
    const other = await context.newPage()
    await other.goto('/sign-in')
    await signInByForm(other, second.owner)
    await expect(other.getByRole('button', { name: `Organization: ${second.name}` })).toBeVisible()
    await expect(page.getByRole('button', { name: `Organization: ${second.name}` })).toBeVisible()
    expect(await page.content()).not.toContain(first.name)
    await expect(other.getByRole('button', { name: `Organization: ${second.name}` })).toBeVisible()
  },
)

nightly(
  'C5: a tab that slept while another signed out is empty as soon as it is visible',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const organization = await people.organization('Confidential')
    const asleep = await context.newPage()
    await asleep.addInitScript(() =>
      window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true),
    )
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/general`)
    await asleep.goto(`/o/${organization.slug}/settings/general`)
    await expect(asleep.getByLabel('Name')).toHaveValue(organization.name)
    await signOut(page)
    await expect(page.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
    await expect(asleep.getByLabel('Name')).toHaveValue(organization.name)
    await asleep.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(asleep.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
    expect(await asleep.content()).not.toContain(organization.name)
  },
)

nightly(
  'C5: an invitation that is open in another tab keeps its link, and shows no one who has signed out',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const [organization, elsewhere] = [await people.organization(), await people.organization('Elsewhere')]
    const email = elsewhere.owner.email
    await people.call(
      organization.owner,
      'POST',
      '/api/web/organizations/current/members/invite',
      { email, role: 'member' },
      organization.id,
    )
    const token = tokenOf(await people.mailedLink(email, 'invitations/accept'))
    await people.signIn(page, elsewhere.owner, '/account/profile')
    const invitation = await context.newPage()
    await invitation.goto(`/invitations/accept#token=${token}`)
    await expect(invitation.getByRole('button', { name: 'Accept the invitation' })).toBeVisible()
    await signOut(page)
    await expect(invitation.getByText('has an account here: sign in with it, then accept.')).toBeVisible()
  },
)
