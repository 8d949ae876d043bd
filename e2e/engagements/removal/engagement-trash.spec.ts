import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/pages/accessible.ts'
import { visit } from '../../support/pages/visit.ts'
import { expect, test } from '../../support/server/sortie.ts'

const NAME = 'Contoso perimeter'

/** Moves the focus to a control by Tab only. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  const control = page.getByRole('button', { name, exact: true })
  await expect(control).toBeVisible()
  for (let i = 0; i < 120; i++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}`)
}

test('by keyboard, an engagement is put on legal hold and released, deleted with its name typed, restored, deleted again and purged', async ({
  page,
  sortie: { people },
}) => {
  const organization = await people.organization()
  const { slug, owner } = organization
  const as = (method: string, path: string, body?: unknown) =>
    people.call(owner, method, `/api/web${path}`, body, organization.id)
  const { id } = (await as('POST', '/engagements', { name: NAME })).body.data
  const settings = `/o/${slug}/engagements/${id}/settings`
  await people.signIn(page, owner, settings)
  const dialog = page.getByRole('dialog')

  await tabTo(page, 'Put on legal hold')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Contoso v. Fabrikam')
  await page.keyboard.press('Tab')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Put on hold' }).press('Enter')
  await expect(dialog).toBeHidden()
  const banner = page.getByRole('status').filter({ hasText: 'On legal hold' })
  await expect(banner).toContainText('Contoso v. Fabrikam')
  await expect(page.getByRole('button', { name: 'Delete the engagement' })).toBeHidden()
  await tabTo(page, 'Release the hold')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Release hold' }).press('Enter')
  await expect(banner).toBeHidden()

  const moveToTrash = async () => {
    await tabTo(page, 'Delete the engagement')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('can restore it for 30 days')
    await expect(dialog.getByRole('button', { name: 'Delete engagement' })).toBeDisabled()
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await page.keyboard.type(NAME)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/o/${slug}/engagements$`))
    await expect(page.getByText('No engagements yet')).toBeVisible()
  }
  await moveToTrash()
  // Neither the server nor the tab that deleted it shows it again.
  for (const open of [visit, (at: Page, path: string) => at.goto(path)]) {
    await open(page, `/o/${slug}/engagements/${id}`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }

  const trash = `/o/${slug}/settings/deleted-engagements`
  await visit(page, trash)
  const row = page.getByRole('row').filter({ hasText: NAME })
  await expect(row).toContainText('in 30 days')
  await tabTo(page, `Restore ${NAME}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('No deleted engagements')).toBeVisible()
  await visit(page, settings)
  await moveToTrash()

  await visit(page, trash)
  await tabTo(page, `Delete ${NAME} for good`)
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText("This can't be undone.")
  await page.keyboard.type('Contoso')
  await expect(dialog.getByRole('button', { name: 'Delete for good' })).toBeDisabled()
  await page.keyboard.type(' perimeter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No deleted engagements')).toBeVisible()
  expect((await as('POST', `/trashed-engagements/${id}/restore`)).status).toBe(404)
})

test('the trash and the banner of a hold fit a phone, in the dark; a member has neither the page nor the buttons', async ({
  page,
  sortie: { people },
}, testInfo) => {
  const organization = await people.organization()
  const { slug, owner } = organization
  const as = (method: string, path: string, body?: unknown) =>
    people.call(owner, method, `/api/web${path}`, body, organization.id)
  const long = 'Fabrikam external perimeter, web applications and mobile apps of the whole group 2026'
  for (const name of [NAME, long]) {
    const { id } = (await as('POST', '/engagements', { name, details: { clientName: 'Fabrikam Ltd.' } })).body.data
    expect((await as('DELETE', `/engagements/${id}`, { name })).status).toBe(200)
  }
  const { id } = (await as('POST', '/engagements', { name: 'Held' })).body.data
  const reason = 'Contoso v. Fabrikam, matter 2026-117, asked for by Ada Lovelace of the legal department'
  expect((await as('POST', `/engagements/${id}/hold`, { reason })).status).toBe(201)
  const fits = async (name: string) => {
    const isWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
    expect(await isWide(), name).toBe(false)
    await testInfo.attach(name, { body: await page.screenshot(), contentType: 'image/png' })
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
  }
  await people.signIn(page, owner, `/o/${slug}/settings/deleted-engagements`)
  await expect(page.getByRole('row').filter({ hasText: long })).toBeVisible()
  await fits('trash')
  await page.emulateMedia({ colorScheme: 'dark' })
  await fits('trash-dark')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: `Restore ${long}` })).toBeVisible()
  await fits('trash-phone')
  await visit(page, `/o/${slug}/engagements/${id}/settings`)
  await expect(page.getByRole('status').filter({ hasText: 'On legal hold' })).toBeVisible()
  await fits('hold-phone')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await fits('hold')
  await expectAccessible(page)

  const member = await people.member(organization, 'member')
  await people.signIn(page, member, `/o/${slug}/engagements/${id}/settings`)
  await expect(page.getByRole('status').filter({ hasText: 'On legal hold' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Release the hold' })).toBeHidden()
  await visit(page, `/o/${slug}/settings/deleted-engagements`)
  await expect(page.getByRole('table')).toBeHidden()
})
