import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

test('findings are put into the order of the report by Alt with an arrow key, and by dragging', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, ask } = await engagementWithFindings(people, organization, ['First', 'Second', 'Third'])
  const stored = async () =>
    (await ask('GET', `/findings?engagementId=${id}&sort=position&order=asc`)).data.map(
      ({ title }: { title: string }) => title,
    )
  await people.signIn(page, organization.owner, `${path}/findings?sort=position&order=asc`)
  const grid = page.getByRole('grid', { name: 'Findings' })
  const links = grid.getByRole('link')
  await expect(links).toHaveText(['First', 'Second', 'Third'])
  await page.keyboard.press('j')
  for (let step = 0; step < 2; step++) await page.keyboard.press('Alt+ArrowDown')
  await expect(links).toHaveText(['Second', 'Third', 'First'])
  await expect(page.getByText('First was moved after Third.')).toBeAttached()
  await expect.poll(stored).toEqual(['Second', 'Third', 'First'])
  // The moved row stays the active one.
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(stored).toEqual(['Second', 'First', 'Third'])
  await expectAccessible(page)

  const row = (title: string) => grid.getByRole('row').filter({ hasText: title })
  await row('Third')
    .getByTitle('Drag to move')
    .dragTo(row('Second'), { targetPosition: { x: 200, y: 4 } })
  await expect(links).toHaveText(['Third', 'Second', 'First'])
  await expect.poll(stored).toEqual(['Third', 'Second', 'First'])
})

test('the column for the order is there only while the list is sorted by it', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path } = await engagementWithFindings(people, organization, ['First', 'Second'])
  await people.signIn(page, organization.owner, `${path}/findings`)
  const grid = page.getByRole('grid', { name: 'Findings' })
  const order = grid.getByRole('columnheader', { name: 'Order' })
  await expect(grid.getByRole('columnheader', { name: 'Severity' })).toBeVisible()
  await expect(order).toBeHidden()
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitem', { name: 'Order' }).first().click()
  await expect(order).toBeVisible()
  await expect(grid.getByTitle('Drag to move')).toHaveCount(2)
  await grid.getByRole('columnheader', { name: 'Severity' }).getByRole('button').click()
  await expect(order).toBeHidden()
})

test('a list that is read between two moves of a finding keeps the order of both', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, ask } = await engagementWithFindings(people, organization, ['First', 'Second', 'Third'])
  await people.signIn(page, organization.owner, `${path}/findings?sort=position&order=asc`)
  const links = page.getByRole('grid', { name: 'Findings' }).getByRole('link')
  await expect(links).toHaveText(['First', 'Second', 'Third'])
  let sent = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/move$/, async (route) => {
    if (++sent === 2) await released
    await route.continue()
  })
  // A read that the page cancels for a newer one has no body.
  const readBetween = page.waitForResponse(
    async (response) => /\/findings\?/.test(response.url()) && (await response.finished()) === null,
  )
  await page.keyboard.press('j')
  for (let step = 0; step < 2; step++) await page.keyboard.press('Alt+ArrowDown')
  const { data } = (await (await readBetween).json()) as { data: { title: string }[] }
  expect(data.map(({ title }) => title)).toEqual(['Second', 'First', 'Third'])
  await page.keyboard.press('Alt+ArrowUp')
  await expect(links).toHaveText(['Second', 'First', 'Third'])
  release()
  await expect.poll(() => sent).toBe(3)
  const stored = async () =>
    (await ask('GET', `/findings?engagementId=${id}&sort=position&order=asc`)).data.map(
      ({ title }: { title: string }) => title,
    )
  await expect.poll(stored).toEqual(['Second', 'First', 'Third'])
  await expect(links).toHaveText(['Second', 'First', 'Third'])
})

test('custom fields are columns and filters of a list, which are in its address', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, ask, add } = await engagementWithFindings(people, organization)
  await ask('POST', '/field-definitions', {
    objectType: 'finding',
    key: 'team',
    type: 'choice',
    label: 'Owner team',
    options: ['Network', 'Web'],
  })
  await ask('POST', '/field-definitions', { objectType: 'finding', key: 'ticket', type: 'text', label: 'Ticket' })
  await add({ title: 'Open port', fields: { team: 'Network', ticket: 'NET-1, NET-2' } })
  await add({ title: 'Stored script', fields: { team: 'Web', ticket: 'WEB-1' } })
  await people.signIn(page, organization.owner, `${path}/findings`)
  const grid = page.getByRole('grid', { name: 'Findings' })
  await expect(grid.getByRole('columnheader', { name: 'Owner team' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitem', { name: 'Owner team' }).click()
  await page.keyboard.press('Escape')
  await expect(grid.getByRole('columnheader', { name: 'Owner team' })).toBeVisible()
  await expect(grid.getByRole('row', { name: /Stored script/ })).toContainText('Web')

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Owner team' }).click()
  await page.getByRole('checkbox', { name: 'Network' }).check()
  await expect(grid.getByRole('link')).toHaveText(['Open port'])
  await expect(page).toHaveURL(/field\.team=Network/)
  await page.goto(`${path}/findings?field.ticket=${encodeURIComponent('NET-1, NET-2')}&field.team=Network`)
  await expect(grid.getByRole('link')).toHaveText(['Open port'])
  await page.goto(`${path}/findings?field.ticket=NET-1`)
  await expect(page.getByRole('heading', { name: /No finding/ })).toBeVisible()
})
