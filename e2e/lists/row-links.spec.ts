import { everyPage } from '../support/pages/every-page.ts'
import { expect, test } from '../support/server/sortie.ts'
import { PAGES } from './every-list.ts'

/** Lists without links, with the reason. */
const WITHOUT_LINKS: Readonly<Record<string, string>> = {}

test('in every list the first column of a row is a link to the object, or to the list with its preview', async ({
  page,
  sortie,
}) => {
  const seen = new Set<string>()
  for await (const name of everyPage(page, sortie.people, (candidate) => PAGES.has(candidate))) {
    const grid = page.getByRole('grid')
    await expect(grid.getByRole('row').nth(1), name).toBeVisible()
    seen.add(name)
    if (name in WITHOUT_LINKS) continue
    const hrefs = await grid.evaluate((element) =>
      [...element.querySelectorAll('[role="rowgroup"] [role="row"]')].map((row) => {
        const cells = [...row.querySelectorAll('[role="gridcell"]')].filter(
          (cell) => !cell.querySelector('input[type="checkbox"]'),
        )
        return cells[0]?.querySelector('a')?.getAttribute('href') ?? null
      }),
    )
    expect.soft(hrefs.length, name).toBeGreaterThan(0)
    expect.soft(await grid.locator('a a').count(), `${name}: a link within a link`).toBe(0)
    for (const href of hrefs) expect.soft(href, name).toMatch(/^\/(?:o|api\/web)\//)
  }
  expect([...PAGES].filter((name) => !seen.has(name))).toEqual([])
})

test('a title opens the preview when clicked, and a tab with the same preview when clicked with the middle button', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const call = async (path: string, body: object) =>
    (await people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)).body.data
  const { id: engagementId } = await call('/engagements', { name: 'Contoso' })
  const result = await call('/results', { engagementId, title: 'Weak cipher', asset: '10.0.0.7', severity: 'high' })
  await call('/results', { engagementId, title: 'Old banner', asset: '10.0.0.8', severity: 'low' })
  const list = `/o/${organization.slug}/engagements/${engagementId}/results`
  await people.signIn(page, organization.owner, `${list}?q=cipher`)
  const title = page.getByRole('grid', { name: 'Results' }).getByRole('link', { name: 'Weak cipher' })
  const opened = page.context().waitForEvent('page')
  await title.click({ button: 'middle' })
  const tab = await opened
  await expect(tab.getByRole('complementary', { name: 'Preview' })).toContainText('Weak cipher')
  await expect(tab).toHaveURL(`${list}?q=cipher&peek=${result.id}`)
  await tab.close()
  await expect(page.getByRole('complementary', { name: 'Preview' })).toHaveCount(0)
  await title.click()
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Weak cipher')
  await expect(page).toHaveURL(`${list}?q=cipher&peek=${result.id}`)
  await page.goBack()
  await expect(page).toHaveURL(`${list}?q=cipher`)
})
