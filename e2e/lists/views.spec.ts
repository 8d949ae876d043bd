import { visit } from '../support/pages/visit.ts'
import { expect, test } from '../support/server/sortie.ts'

test('filters and sort are saved as a view, found again after a reload, updated, shared, renamed and deleted', async ({
  page,
  sortie,
  browser,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = (path: string, body: object) =>
    people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
  const { id } = (await as('/engagements', { name: 'Views' })).body.data
  await as('/targets/bulk', { engagementId: id, text: 'a.example.com\n192.0.2.1\n192.0.2.2' })
  const address = `/o/${organization.slug}/engagements/${id}/targets`
  await people.signIn(page, organization.owner, address)
  await expect(page.getByText('3 targets', { exact: true })).toBeVisible()

  const menu = page.getByRole('button', { name: /^View(s|: )/ })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Filter and sort the list, then save it as a view')).toBeVisible()
  await page.keyboard.press('Escape')

  await visit(page, `${address}?kind=ip&sort=canonical&order=asc`)
  await expect(page.getByText('2 targets', { exact: true })).toBeVisible()
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Save as a new view' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Addresses')
  await page.keyboard.press('Enter')
  await expect(menu).toHaveText('Addresses')

  await page.goto(address)
  await expect(menu).toHaveText('Views')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Addresses' }).click()
  await expect(page.getByText('2 targets', { exact: true })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('sort')).toBe('canonical')
  await page.reload()
  await expect(menu).toHaveText('Addresses')

  await page.getByLabel('Filter', { exact: true }).first().fill('kind:domain')
  await page.keyboard.press('Enter')
  await expect(menu).toHaveText('Addresses (changed)')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Update “Addresses”' }).click()
  await expect(menu).toHaveText('Addresses')

  await menu.click()
  await page.getByRole('menuitem', { name: 'Rename or share “Addresses”' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Domains')
  await page.getByRole('checkbox', { name: 'Shared' }).check()
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(menu).toHaveText('Domains')

  const other = await (await browser.newContext()).newPage()
  const member = await people.member(organization, 'member')
  await people.signIn(other, member, address)
  const theirs = other.getByRole('button', { name: /^View(s|: )/ })
  await theirs.click()
  await other.getByRole('menuitem', { name: 'Domains' }).click()
  await expect(other.getByText('1 target', { exact: true })).toBeVisible()
  await theirs.click()
  await expect(other.getByRole('menuitem', { name: 'Save as a new view' })).toBeVisible()
  await expect(other.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  await other.context().close()

  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete “Domains”' }).click()
  await expect(page.getByText('It is deleted for everyone.')).toBeVisible()
  await page.getByRole('button', { name: 'Delete view' }).click()
  await expect(menu).toHaveText('Views')
  await expect(page.getByText('1 target', { exact: true })).toBeVisible()
})
