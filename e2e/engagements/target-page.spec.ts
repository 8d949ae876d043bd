import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

test('the page of a target shows its vulnerabilities, tasks, children and history; the preview leads there; the list counts', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = (path: string, body: unknown) =>
    people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
  const engagementId = (await as('/engagements', { name: 'Contoso' })).body.data.id
  const target = (await as('/targets', { engagementId, value: 'shop.example' })).body.data
  await as('/targets', { engagementId, value: 'https://shop.example/login', parentId: target.id })
  for (const [title, severity] of [
    ['Stored XSS', 'medium'],
    ['SQL injection in the search of the shop, with a title that is much longer than the column it has', 'critical'],
  ]) {
    await as('/results', { engagementId, title, severity, targetId: target.id })
  }
  await as('/tasks', { engagementId, title: 'Look at the login', links: [{ type: 'target', id: target.id }] })
  const list = `/o/${organization.slug}/engagements/${engagementId}/targets`
  await people.signIn(page, organization.owner, list)
  const row = page
    .getByRole('grid', { name: 'Targets' })
    .getByRole('row', { name: /^.*shop\.example(?!\/)/ })
    .first()
  await expect(row).toContainText('Critical')
  await expect(row).toContainText('2')
  await row.getByText('shop.example').click()
  const peek = page.getByRole('complementary', { name: 'Preview' })
  await expect(peek.getByRole('region', { name: 'Vulnerabilities' }).getByRole('link')).toHaveCount(2)
  await peek.getByRole('link', { name: 'Open page' }).click()

  await expect(page).toHaveURL(`${list}/${target.id}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'shop.example' })).toBeVisible()
  const vulnerabilities = main.getByRole('region', { name: 'Vulnerabilities' })
  await expect(vulnerabilities.getByRole('link').first()).toContainText('SQL injection')
  await expect(main.getByRole('region', { name: 'Tasks' })).toContainText('Look at the login')
  await expect(main.getByRole('region', { name: 'Children' })).toContainText('https://shop.example/login')
  await expect(main.getByRole('region', { name: 'History' })).toContainText('Target created')
  await expectAccessible(page)

  const { id: findingId } = (
    await as('/findings', { engagementId, title: 'Injection in the search', severity: 'high' })
  ).body.data
  await as(`/findings/${findingId}/affected`, { targetIds: [target.id] })
  await expect(main.getByRole('region', { name: 'Findings' }).getByRole('link')).toContainText(
    'Injection in the search',
  )

  await as('/results', { engagementId, title: 'Open redirect', severity: 'low', targetId: target.id })
  await expect(vulnerabilities.getByRole('link')).toHaveCount(3)
  await vulnerabilities.getByRole('link', { name: /Open redirect/ }).click()
  await expect(
    page.getByRole('complementary', { name: 'Preview' }).getByRole('heading', { name: 'Open redirect' }),
  ).toBeVisible()
  await page.goBack()
  await main.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete target' }).click()
  await expect(page).toHaveURL(list)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('Critical')
})
