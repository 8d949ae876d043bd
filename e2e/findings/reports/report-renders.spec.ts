import { expectAccessible } from '../../support/pages/accessible.ts'
import { engagementToReport } from '../../support/reports.ts'
import { expect, test } from '../../support/server/sortie.ts'

test('the files that were rendered of a report are listed, downloaded and deleted; a refusal is shown', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, id, ask } = await engagementToReport(people, organization)
  const report = (await ask('POST', '/reports', { engagementId: id, title: 'Rendered' })).data
  const address = `${path}/reports/${report.id}`
  await people.signIn(page, organization.owner, address)
  const views = page.getByRole('navigation', { name: 'Views of the report' })
  await views.getByRole('link', { name: 'Renders' }).click()
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible()
  await expectAccessible(page)

  const own = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Render' }).click()
  await page.getByRole('menuitem', { name: /^HTML/ }).click()
  await own
  const table = page.getByRole('table', { name: 'Rendered files' })
  const html = table.getByRole('row').filter({ hasText: 'HTML' })
  await expect(html).toContainText('Ready')
  await expect(html).toContainText(organization.owner.name)
  // By a colleague, in another place.
  await ask('POST', `/reports/${report.id}/render`, { format: 'json', wait: 30 })
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table.getByRole('row').nth(1)).toContainText('JSON')
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  await table.getByRole('link', { name: 'Download JSON' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/\.json$/)

  await table.getByRole('button', { name: 'Delete the JSON file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the JSON file?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(table.getByRole('row')).toHaveCount(2)

  await page.route('**/api/web/report-renders/**', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 409, json: { error: { code: 'CONFLICT', message: 'This engagement is archived.' } } })
      : route.continue(),
  )
  await table.getByRole('button', { name: 'Delete the HTML file' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('This engagement is archived.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  for (const status of ['completed', 'archived']) await ask('PATCH', `/engagements/${id}`, { status })
  await page.reload()
  await expect(table.getByRole('link', { name: 'Download HTML' })).toBeVisible()
  await expect(table.getByRole('button')).toHaveCount(0)
})
