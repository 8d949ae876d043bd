import type { Locator } from '@playwright/test'
import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import { expect, test } from '../support/server/sortie.ts'

const NARROW = { width: 1024, height: 768 }
const PHONE = { width: 390, height: 844 }

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not drawn')
  return box
}

/** Texts of elements that are wider than what is shown of them. */
const cutTexts = (part: Locator) =>
  part.evaluate((root) =>
    [root, ...root.querySelectorAll<HTMLElement>('*')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== 'visible')
      .map(({ textContent }) => textContent),
  )

test('in a narrow preview of a target, facts that have no space next to their title are below it, and nothing is cut', async ({
  page,
  sortie: { people },
}) => {
  const organization = await people.organization()
  const { id: engagementId, path, ask } = await engagementWithFindings(people, organization)
  await ask('POST', '/targets', { engagementId, value: '203.0.113.17' })
  for (const port of [443, 8443]) {
    await ask('POST', '/operations', {
      engagementId,
      startedAt: '2026-11-21T08:30:12.000Z',
      address: '203.0.113.17',
      port,
      protocol: 'tcp',
    })
  }
  await page.setViewportSize(NARROW)
  await people.signIn(page, organization.owner, `${path}/targets`)
  await expect(page.getByRole('grid', { name: 'Targets' }).getByText('203.0.113.17')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  const log = page.getByRole('complementary', { name: 'Preview' }).getByRole('region', { name: 'Operation log' })
  await expect(log.getByRole('listitem')).toHaveCount(2)
  await expect(log).toContainText('203.0.113.17:8443/tcp')
  await expect(log.getByText('Added by hand').first()).toBeVisible()
  expect(await cutTexts(log)).toEqual([])

  // Where there is space, a row is one line.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('complementary', { name: 'Preview' }).getByRole('link', { name: 'Open page' }).click()
  const row = page.getByRole('main').getByRole('region', { name: 'Operation log' }).getByRole('listitem').first()
  // Data that arrives may draw the row again meanwhile.
  await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThan(40)
})

test('in a narrow window the properties and the comments of a finding are next to its texts', async ({
  page,
  sortie: { people },
}) => {
  const organization = await people.organization()
  const { path, add, ask } = await engagementWithFindings(people, organization)
  const finding = await add({ title: 'Orders leak', summary: 'Orders leak to guests. '.repeat(40) })
  await ask('POST', `/findings/${finding.id}/comments`, { body: 'Which orders?' })
  await page.setViewportSize(NARROW)
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}?side=comments`)
  const text = page.getByRole('region', { name: 'Summary' })
  const sides = [
    ['comments', page.getByRole('complementary', { name: 'Comments' }).getByText('Which orders?')],
    ['properties', page.getByRole('tabpanel', { name: 'Properties' })],
  ] as const
  for (const [side, panel] of sides) {
    await visit(page, `${path}/findings/${finding.id}?side=${side}`)
    await expect(panel).toBeVisible()
    const [left, right] = [await boxOf(text), await boxOf(panel)]
    expect(right.x, side).toBeGreaterThanOrEqual(left.x + left.width)
    expect(right.y, side).toBeLessThan(NARROW.height)
    expect(right.x + right.width, side).toBeLessThanOrEqual(NARROW.width)
    expect(left.width, side).toBeGreaterThan(340)
  }
  await expectAccessible(page)
})

test('until the editor of the texts is loaded, each field shows a placeholder as long as its text', async ({
  page,
  sortie: { people },
}) => {
  const organization = await people.organization()
  const { path, add } = await engagementWithFindings(people, organization)
  const finding = await add({
    title: 'Orders leak',
    summary: 'Short.',
    description: 'Orders leak to guests. '.repeat(40),
  })
  const loaded = Promise.withResolvers<void>()
  await page.route(/\/assets\/code-editor-[^/]*\.js$/, async (route) => {
    await loaded.promise
    await route.continue()
  })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}?view=edit`)
  const lines = page.getByRole('main').locator('.mantine-Skeleton-root')
  await expect(page.getByRole('heading', { name: 'Recommendation' })).toBeVisible()
  // One for each of the five fields, and more for the long one.
  await expect.poll(() => lines.count()).toBeGreaterThan(12)
  await expectAccessible(page)
  loaded.resolve()
  await expect(lines).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Summary' })).toBeFocused()
  await page.keyboard.type('Very ')
  await expect(page.getByRole('textbox', { name: 'Summary' })).toContainText('Very Short.')
})

test('on a phone a switch between views is as high as the controls next to it', async ({
  page,
  sortie: { people },
}) => {
  const organization = await people.organization()
  const { path, id: engagementId, ask } = await engagementWithFindings(people, organization)
  await ask('POST', '/tasks', { engagementId, title: 'One' })
  await page.setViewportSize(PHONE)
  await people.signIn(page, organization.owner, `${path}/tasks`)
  const views = page.getByRole('radiogroup', { name: 'Show tasks as' })
  await expect(views).toBeVisible()
  expect((await boxOf(views)).height).toBe(44)
  expect((await boxOf(page.getByRole('button', { name: 'New task', exact: true }))).height).toBe(44)
  // All of the height is for the finger.
  for (const label of await views.locator('label').all()) expect((await boxOf(label)).height).toBe(44)
  await views.getByText('List').click()
  await expect(page).toHaveURL(/view=list/)
})

test('tables below each other have the same columns', async ({ page, sortie: { people } }) => {
  const organization = await people.organization()
  const { ask } = await engagementWithFindings(people, organization)
  for (const [objectType, key, label, type] of [
    ['engagement', 'cost_center', 'Cost center', 'text'],
    ['finding', 'a_key_of_forty_characters_fills_its_cell', 'Reference of the client in the ticket system', 'markdown'],
    ['target', 'owner', 'Owner', 'person'],
  ])
    await ask('POST', '/field-definitions', { objectType, key, label, type })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/fields`)
  const tables = page.getByRole('main').getByRole('table')
  for (const size of [{ width: 1440, height: 900 }, NARROW]) {
    await page.setViewportSize(size)
    await expect(tables).toHaveCount(3)
    const edges = await tables.evaluateAll((all) =>
      all.map((table) =>
        [...table.querySelectorAll('[role="row"]')].map((row) =>
          [...row.querySelectorAll('[role="cell"], [role="columnheader"]')].map((cell) =>
            Math.round(cell.getBoundingClientRect().left),
          ),
        ),
      ),
    )
    expect(new Set(edges.flat().map(String)).size, JSON.stringify(edges)).toBe(1)
    for (const table of await tables.all())
      expect(await table.evaluate((each) => each.scrollWidth <= (each.parentElement?.clientWidth ?? 0))).toBe(true)
  }
})
