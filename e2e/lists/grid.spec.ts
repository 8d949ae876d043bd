import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

const ROWS = 52

test('a grid loads more rows while it scrolls, and keeps sort, filter and preview in the address', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  for (let index = 1; index <= ROWS; index++) {
    const body = {
      name: `Engagement ${String(index).padStart(3, '0')}`,
      details: { kind: index % 2 === 0 ? 'web' : 'network' },
    }
    await people.call(organization.owner, 'POST', '/api/web/engagements', body, organization.id)
  }
  // Pages of forty replace pages of a hundred; the server treats them alike.
  await page.route('**/api/web/engagements?*', (route) =>
    route.continue({ url: route.request().url().replace('perPage=100', 'perPage=40') }),
  )
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  const grid = page.getByRole('grid', { name: 'Engagements' })
  await expect(page.getByText(`${ROWS} engagements`)).toBeVisible()
  await grid.getByRole('button', { name: 'Name' }).click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(grid.getByRole('row').nth(1)).toContainText('Engagement 001')
  expect(await grid.getByRole('row').count()).toBeLessThan(40)

  await page.keyboard.press('End')
  await expect(grid.getByRole('row', { name: /Engagement 040/ })).toBeVisible()
  await page.keyboard.press('End')
  await expect(grid.getByRole('row', { name: /Engagement 052/ })).toBeVisible()
  await page.keyboard.press('Home')
  await expect(grid.getByRole('row', { name: /Engagement 001/ })).toBeVisible()

  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'Engagement 002' })).toBeVisible()
  await expect(page).toHaveURL(/peek=eng_/)
  await page.keyboard.press('j')
  await expect(preview.getByRole('heading', { name: 'Engagement 003' })).toBeVisible()
  await page.reload()
  await expect(preview.getByRole('heading', { name: 'Engagement 003' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(preview).toBeHidden()

  await page.keyboard.press('/')
  await expect(page.getByLabel('Filter')).toBeFocused()
  await page.keyboard.type('kind:web 05')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 engagements', { exact: true })).toBeVisible()
  expect(new URL(page.url()).search).toBe('?kind=web&q=05&sort=name&order=asc')
  await page.getByRole('button', { name: 'Kind: Web application' }).click()
  await expect(page.getByRole('group', { name: 'Kind' }).getByText('Network')).toContainText('2')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove the filter Kind' }).click()
  await expect(page.getByText('4 engagements', { exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('2 engagements', { exact: true })).toBeVisible()

  await page.locator('body').click({ position: { x: 600, y: 20 } })
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Engagement 050' })).toBeVisible()
})

nightly('columns are chosen and widened by keyboard, and stay so', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Fabrikam' }, organization.id)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  const grid = page.getByRole('grid', { name: 'Engagements' })
  await expect(grid.getByRole('columnheader', { name: 'Client' })).toBeVisible()
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitem', { name: 'Client' }).nth(1).click()
  await page.keyboard.press('Escape')
  await expect(grid.getByRole('columnheader', { name: 'Client' })).toBeHidden()
  const width = async () => (await grid.getByRole('columnheader', { name: 'Lead' }).boundingBox())?.width
  const before = (await width()) ?? 0
  await grid.getByRole('columnheader', { name: 'Lead' }).getByRole('separator').press('ArrowRight')
  await expect.poll(width).toBe(before + 16)
  await page.reload()
  await expect(grid.getByRole('columnheader', { name: 'Lead' })).toBeVisible()
  await expect.poll(width).toBe(before + 16)
  await expect(grid.getByRole('columnheader', { name: 'Client' })).toBeHidden()
})

nightly('on a phone a row has two lines, and the preview fills the screen', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const body = { name: 'Fabrikam', details: { clientName: 'Fabrikam Inc.', kind: 'web' } }
  await people.call(organization.owner, 'POST', '/api/web/engagements', body, organization.id)
  await page.setViewportSize({ width: 390, height: 844 })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  const row = page.getByRole('row').filter({ hasText: 'Fabrikam Inc.' })
  expect((await row.boundingBox())?.height).toBe(56)
  await row.getByText('Fabrikam Inc.').click()
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.getByText('Web application')).toBeVisible()
  // Everything except the scrollbar.
  expect((await preview.boundingBox())?.width).toBeGreaterThan(370)
})
