import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expectAccessible } from '../support/pages/accessible.ts'
import { everyPage } from '../support/pages/every-page.ts'
import { isNightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

const SOURCES = path.join(import.meta.dirname, '../../web/src')

/** Native selects that may stay, by file, with the reason. */
const NATIVE: Readonly<Record<string, string>> = {}

const EVERY = 5

test('no page has a native select: one control for choices everywhere', async ({ page, sortie }) => {
  const files = globSync('**/*.tsx', { cwd: SOURCES }).filter((file) =>
    /<select\b|NativeSelect/.test(readFileSync(path.join(SOURCES, file), 'utf8')),
  )
  expect(files.filter((file) => !(file in NATIVE))).toEqual([])
  let seen = 0
  for await (const name of everyPage(page, sortie.people, (_, index) => isNightly || index % EVERY === 0)) {
    seen += 1
    await expect.soft(page.locator('select'), name).toHaveCount(0)
  }
  expect(seen).toBeGreaterThan(10)
})

test('a choice is made by arrow keys, by a letter and by mouse; Escape closes its list and not the dialog around it', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id } = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  ).body.data
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/findings?create=true`)
  const dialog = page.getByRole('dialog', { name: 'New finding' })
  const severity = dialog.getByRole('combobox', { name: 'Severity' })
  await expect(severity).toHaveAttribute('aria-expanded', 'false')
  const before = await severity.inputValue()
  await severity.focus()
  await page.keyboard.press('ArrowDown')
  await expect(severity).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('option', { name: before, exact: true })).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(severity).toHaveAttribute('aria-expanded', 'false')
  await expect(severity).toHaveValue(before)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('c')
  await expect(severity).toHaveValue('Critical')
  await page.keyboard.press('ArrowDown')
  // Opened, with the chosen option as the active one.
  await expect(severity).toHaveAttribute('aria-activedescendant', /./)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(severity).toHaveValue('High')
  await severity.click()
  await page.getByRole('option', { name: 'Low', exact: true }).click()
  await expect(severity).toHaveValue('Low')
  await expect(severity).toBeFocused()
})

test('on a phone a choice and its options are large enough for a finger, and stay on the screen', async ({
  browser,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id } = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  ).body.data
  const context = await browser.newContext({
    baseURL: sortie.origin,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/findings?create=true`)
  const severity = page.getByRole('combobox', { name: 'Severity' })
  await severity.tap()
  const option = page.getByRole('option', { name: 'Low', exact: true })
  await expect(option).toBeVisible()
  const boxes = [await severity.boundingBox(), await option.boundingBox()]
  for (const box of boxes) {
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true)
  }
  await option.tap()
  await expect(severity).toHaveValue('Low')
  await context.close()
})

test('a filter that is applied before completion is loaded leaves the field, and Escape leaves it without one', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/overlays-*.js', async (route) => {
    await released
    await route.continue()
  })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  const field = page.getByRole('search').getByLabel('Filter', { exact: true })
  await field.fill('status:active')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/status=active/)
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
  await field.fill('unfinished')
  await page.keyboard.press('Escape')
  await expect(field).not.toBeFocused()
  await expect(field).toHaveValue('')
  await page.keyboard.press('/')
  await expect(field).toBeFocused()
  await field.fill('status:active')
  await page.keyboard.press('Enter')
  release()
  const completed = page.getByRole('combobox', { name: 'Filter' })
  await expect(completed).toBeFocused()
  await expect(completed).toHaveValue('')
  await expect(completed).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Escape')
  await expect(completed).not.toBeFocused()
})
