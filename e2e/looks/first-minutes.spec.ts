import { Counted } from '../support/pages/counted.ts'
import { expect, test } from '../support/server/sortie.ts'

/** Keys and clicks, without the typed text: half a minute of the five that a first-time user may need. */
const MAX_ACTIONS = 12

test('a first-time user gets from signing in to a scoped engagement with imported results, led by the pages', async ({
  page,
  sortie: { people },
}) => {
  const organization = await people.organization()
  await people.signIn(page, organization.owner)
  const counted = new Counted(page)
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  await counted.click(
    page.getByRole('region', { name: 'First steps' }).getByRole('link', { name: 'Create engagement' }),
  )
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await counted.type('Contoso')
  await counted.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Contoso' })).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Next steps' })).toBeVisible()

  await counted.click(main.getByRole('link', { name: 'Set the scope' }))
  await counted.click(main.getByRole('button', { name: 'Paste a list' }).first())
  await expect(dialog.getByLabel('List or letter')).toBeFocused()
  await counted.type('In scope:\n192.0.2.0/24\n\nOut of scope:\n192.0.2.99')
  await counted.press('Control+Enter')
  await expect(dialog.getByRole('status')).toHaveText('1 in scope, 1 out of scope.')
  await counted.click(dialog.getByRole('button', { name: 'Add 2 rules' }))
  await expect(page.getByRole('grid', { name: 'Scope rules' }).getByRole('row')).toHaveCount(3)

  await counted.click(page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Contoso' }))
  await expect(main.getByRole('listitem').filter({ hasText: 'Set the scope' })).toContainText('Done')
  await counted.click(main.getByRole('link', { name: 'Import results of your tools' }))
  const chooser = page.waitForEvent('filechooser')
  await counted.click(main.getByRole('button', { name: 'Import files' }).first())
  const file = JSON.stringify({ ip: '192.0.2.10', port: 443, protocol: 'tcp' })
  await (await chooser).setFiles({ name: 'ports.json', mimeType: 'application/json', buffer: Buffer.from(file) })
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.getByText('Applied', { exact: true })).toBeVisible()
  await counted.click(preview.getByRole('link', { name: 'Show results' }))
  await expect(page.getByRole('grid', { name: 'Results' }).getByRole('row', { name: /192\.0\.2\.10/ })).not.toHaveCount(
    0,
  )
  const needed = counted.drain()
  test.info().annotations.push({ type: 'keys and clicks', description: String(needed) })
  expect(needed).toBeLessThanOrEqual(MAX_ACTIONS)
})
