import type { Page } from '@playwright/test'
import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { expect, test } from '../support/server/sortie.ts'

const grid = (page: Page) => page.getByRole('grid', { name: 'Findings' })
const rowOf = (page: Page, title: string) => grid(page).getByRole('row').filter({ hasText: title })

test('the first finding is created from the empty list, and opens in its editor', async ({ page, sortie }) => {
  const organization = await sortie.people.organization()
  const { path, findings } = await engagementWithFindings(sortie.people, organization)
  await sortie.people.signIn(page, organization.owner, path)
  await page.getByRole('link', { name: 'Findings' }).click()
  await expect(page.getByRole('heading', { name: 'No findings yet' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New finding' })
  await dialog.getByLabel('Title').fill('SQL injection in the search')
  await chooseFrom(dialog.getByLabel('Severity'), 'high')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/findings\/fnd_\w+\?view=edit$/)
  await expect(page.getByRole('textbox', { name: 'Summary' })).toBeVisible()
  expect(await findings()).toMatchObject([
    { number: 1, title: 'SQL injection in the search', severity: 'high', state: 'draft' },
  ])
})

test('status, severity, author and review state of the active row and of a selection are set by keyboard', async ({
  page,
  sortie,
}) => {
  const organization = await sortie.people.organization()
  const { path, findings } = await engagementWithFindings(sortie.people, organization, ['First', 'Second', 'Third'])
  await sortie.people.signIn(page, organization.owner, `${path}/findings?sort=number&order=asc`)
  await expect(rowOf(page, 'Third')).toBeVisible()

  await page.keyboard.press('j')
  for (const keys of ['v5', 's', 'a', 'r']) for (const key of keys) await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await findings())[0]?.severity).toBe('critical')
  await page.keyboard.press('a')
  await page.getByRole('menuitem', { name: organization.owner.name }).click()
  await expect(rowOf(page, 'First')).toContainText(organization.owner.name)
  await page.keyboard.press('r')
  await page.keyboard.press('r')
  await expect(rowOf(page, 'First')).toContainText('In review')

  for (const title of ['Second', 'Third']) await rowOf(page, title).getByRole('checkbox').check()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toBeVisible()
  await page.keyboard.press('s')
  await page.keyboard.press('d')
  await expect(rowOf(page, 'Third')).toContainText('Fixed')
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone.')).toBeVisible()
  await expect(rowOf(page, 'Third')).toContainText('Open')
  await page.keyboard.press('s')
  await page.keyboard.press('d')
  await expect(rowOf(page, 'Third')).toContainText('Fixed')
  // Approved needs a review first: one refusal changes none.
  await page.keyboard.press('r')
  await page.keyboard.press('a')
  await expect(page.getByRole('alert').filter({ hasText: 'one step at a time' })).toBeVisible()
  expect((await findings()).map(({ status, state }) => `${status} ${state}`)).toEqual([
    'open in_review',
    'fixed draft',
    'fixed draft',
  ])
})

test('filters are kept in the address, a preview follows the active row, and the trash restores', async ({
  page,
  sortie,
}) => {
  const organization = await sortie.people.organization()
  const { path, ask, add, findings } = await engagementWithFindings(sortie.people, organization)
  const kept = await add({
    title: 'Reflected script',
    severity: 'high',
    summary: 'The *name* is shown as it was sent.',
  })
  const deleted = await add({ title: 'Old cipher', severity: 'low' })
  await ask('POST', `/findings/${kept.id}/affected`, { assets: ['https://a.example/', 'https://b.example/'] })
  await ask('DELETE', `/findings/${deleted.id}`)
  await sortie.people.signIn(page, organization.owner, `${path}/findings`)
  await page.getByLabel('Filter').fill('severity:high')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/severity=high/)
  await expect(page.getByText('1 finding', { exact: true })).toBeVisible()
  await rowOf(page, 'Reflected script').focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press(' ')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'Reflected script' })).toBeVisible()
  await expect(preview.getByRole('region', { name: 'Affected assets' })).toContainText('https://b.example/')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Trash' }).click()
  await rowOf(page, 'Old cipher').getByRole('checkbox').check()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible()
  expect((await findings()).map(({ title }) => title)).toEqual(['Reflected script', 'Old cipher'])
})
