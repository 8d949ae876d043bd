import { expect, test } from '../support/server/sortie.ts'

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
