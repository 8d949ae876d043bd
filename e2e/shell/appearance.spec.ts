import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import { expect, type Sortie, test } from '../support/server/sortie.ts'

const withTargets = async ({ people }: Sortie, count: number) => {
  const organization = await people.organization()
  const call = async (path: string, body: object) =>
    (await people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)).body.data
  const { id: engagementId } = await call('/engagements', { name: 'Contoso' })
  const text = Array.from({ length: count }, (_, index) => `host-${index}.contoso.example`).join('\n')
  if (count > 0) await call('/targets/bulk', { engagementId, text })
  return { organization, path: `/o/${organization.slug}/engagements/${engagementId}` }
}

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox()
  if (!box) throw new Error(`${selector} has no box`)
  return box
}

test('every page has one bar of 44 pixels with its title, and settings are one centred column', async ({
  page,
  sortie,
}) => {
  const { organization, path } = await withTargets(sortie, 3)
  await page.setViewportSize({ width: 1440, height: 900 })
  await sortie.people.signIn(page, organization.owner, `${path}/targets`)
  const bar = page.getByRole('main').locator('header')
  await expect(bar.getByRole('heading', { level: 1, name: 'Targets' })).toBeVisible()
  await expect(bar.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Contoso')
  await expect(bar.getByRole('button', { name: 'Paste targets' })).toBeVisible()
  expect((await boxOf(page, 'main header')).height).toBe(44)
  expect(
    await page
      .getByRole('grid')
      .getByText('host-0')
      .evaluate((cell) => getComputedStyle(cell).fontVariantNumeric),
  ).toBe('normal')

  await visit(page, `${path}/operations`)
  await bar.getByRole('button', { name: 'About this page' }).click()
  await expect(page.getByText("All traffic to the client's systems")).toBeVisible()
  await expectAccessible(page)

  await visit(page, `/o/${organization.slug}/settings/general`)
  await expect(page.getByRole('heading', { level: 1, name: 'General' })).toBeVisible()
  const [main, column] = [await boxOf(page, 'main'), await boxOf(page, 'main section')]
  expect(column.width).toBe(720)
  expect(Math.abs(column.x - main.x - (main.x + main.width - column.x - column.width))).toBeLessThan(20)
})

test('an empty list shows only its empty state, with one primary button', async ({ page, sortie }) => {
  const { organization, path } = await withTargets(sortie, 0)
  await sortie.people.signIn(page, organization.owner, `${path}/targets`)
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Views' })).toBeHidden()
  await expect(page.getByLabel('Filter', { exact: true })).toBeHidden()
  await expect(page.getByRole('columnheader')).toHaveCount(0)
  const filled = await page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll(
      (buttons) => buttons.filter((button) => getComputedStyle(button).backgroundColor === 'rgb(91, 91, 214)').length,
    )
  expect(filled).toBe(1)
  await page.goto(`${path}/targets?q=nothing`)
  await expect(page.getByLabel('Filter', { exact: true })).toBeVisible()
})

test('a printed list has the loaded rows and neither navigation nor controls', async ({ page, sortie }) => {
  const { organization, path } = await withTargets(sortie, 90)
  await sortie.people.signIn(page, organization.owner, `${path}/targets`)
  const rows = page.getByRole('grid').locator('[role="row"]')
  await expect(page.getByText('90 targets', { exact: true })).toBeVisible()
  expect(await rows.count()).toBeLessThan(91)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(rows).toHaveCount(91)
  await expect(page.getByRole('complementary', { name: 'Navigation' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Display' })).toBeHidden()
  const tops = await rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().top)))
  expect(new Set(tops).size).toBe(91)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: 'screen' })
  await expect(rows).not.toHaveCount(91)
})

test('a form says which field is missing, and nothing is sent', async ({ page, sortie }) => {
  const { organization, path } = await withTargets(sortie, 1)
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(organization.owner.email)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click({ force: true })
  await expect(page.getByRole('alert')).toHaveText('“Password” is missing.')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type('x')
  await expect(page.getByRole('alert')).toBeHidden()

  await page.goto('/password-reset')
  await page.getByRole('button', { name: 'Send the link' }).click({ force: true })
  await expect(page.getByRole('alert')).toHaveText('“Email” is missing.')

  await sortie.people.signIn(page, organization.owner, '/account/password')
  const change = page.getByRole('button', { name: 'Change password' })
  await change.click({ force: true })
  await expect(page.getByRole('alert')).toHaveText('“Current password” is missing.')
  await page.getByLabel('Current password').fill('x')
  await page.getByLabel('New password', { exact: true }).fill('too short')
  await change.click({ force: true })
  await expect(page.getByRole('alert')).toHaveText('The password needs at least 12 characters.')

  await page.goto(`${path}/results`)
  await expect(page.getByRole('heading', { level: 1, name: 'Results' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('alert')).toHaveText('“Title” is missing.')
  await expectAccessible(page)
})
