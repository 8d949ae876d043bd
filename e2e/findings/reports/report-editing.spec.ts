import { expectAccessible } from '../../support/pages/accessible.ts'
import { chooseFrom } from '../../support/pages/choice.ts'
import { createReport, engagementToReport, outlineOf, previewOf } from '../../support/reports.ts'
import { expect, test } from '../../support/server/sortie.ts'

test('a report is written next to its preview: a text with placeholders, a live section, their order, undo', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, readReport } = await engagementToReport(people, organization)
  await people.signIn(page, organization.owner, `${path}/reports`)
  await expect(page.getByRole('heading', { name: 'No reports yet' })).toBeVisible()
  await expectAccessible(page)
  const reportId = await createReport(page)
  const sections = async () => (await readReport(reportId)).sections
  const outline = outlineOf(page)
  await expectAccessible(page)

  await outline.getByRole('button', { name: 'Add a section' }).click()
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
  await page.getByRole('textbox', { name: 'New title of New section' }).fill('Thanks')
  await page.keyboard.press('Enter')
  await expect(outline.getByRole('link', { name: 'Thanks' })).toHaveAttribute('aria-current', 'page')
  const editor = page.getByRole('textbox', { name: 'Text of the section' })
  await editor.click()
  await page.keyboard.type('We found {{findings.tot')
  await page.getByRole('option', { name: /findings\.total/ }).click()
  await page.keyboard.type(' weaknesses.')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
  expect((await sections()).find(({ title }) => title === 'Thanks')?.body).toBe(
    'We found {{findings.total}} weaknesses.',
  )
  const preview = previewOf(page)
  await expect(preview.getByText('We found 2 weaknesses.')).toBeInViewport()

  await outline.getByRole('link', { name: 'Thanks' }).focus()
  const place = async () => (await sections()).findIndex(({ title }) => title === 'Thanks')
  const before = await place()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(place).toBe(before + 1)
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(place).toBe(before)
  const first = outline.getByRole('listitem').first()
  await outline
    .getByRole('listitem')
    .filter({ hasText: 'Thanks' })
    .dragTo(first, { targetPosition: { x: 60, y: 3 } })
  await expect.poll(place).toBe(0)

  await outline.getByRole('button', { name: 'Add a section' }).click()
  await page.getByRole('menuitem', { name: 'Coverage', exact: true }).click()
  await expect(page.getByText('The checks of a methodology')).toBeVisible()
  await chooseFrom(page.getByLabel('Content', { exact: true }), 'team')
  await expect(page.getByText('The people who did the work')).toBeVisible()
  await expectAccessible(page)

  await outline.getByRole('button', { name: 'Actions for Coverage' }).last().click()
  await page.getByRole('menuitem', { name: 'Hide from the report' }).click()
  await expect
    .poll(async () => (await sections()).some(({ title, hidden }) => title === 'Coverage' && hidden))
    .toBe(true)
  const count = (await sections()).length
  await outline.getByRole('button', { name: 'Actions for Thanks' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await sections()).length).toBe(count - 1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await sections()).find(({ title }) => title === 'Thanks')?.body)
    .toContain('weaknesses')
  await expect.poll(place).toBe(0)
})

test('two people write the same section: other lines are merged, the same line is chosen', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, id, ask, readReport } = await engagementToReport(people, organization)
  const report = (await ask('POST', '/reports', { engagementId: id, title: 'Together' })).data
  const text = (await ask('POST', `/reports/${report.id}/sections`, { title: 'Shared', body: 'one\n\ntwo\n\nthree' }))
    .data
  const body = async () => (await readReport(report.id)).sections.find((section) => section.id === text.id)?.body
  const theirs = async (change: string) => {
    const { revision } = (await readReport(report.id)).sections.find((section) => section.id === text.id) ?? {}
    await ask('PATCH', `/reports/${report.id}/sections/${text.id}`, { body: change, baseRevision: revision })
  }
  // What the page reads waits for this: it must not have the other text before it has one of its own.
  let held = Promise.resolve()
  await page.route(`**/api/web/reports/${report.id}`, async (route) => {
    const response = await route.fetch()
    await held
    return route.fulfill({ response })
  })
  await people.signIn(page, organization.owner, `${path}/reports/${report.id}?section=${text.id}`)
  const editor = page.getByRole('textbox', { name: 'Text of the section' })
  await expect(editor).toContainText('three')
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return resolve
  }
  let release = hold()
  await theirs('one, theirs\n\ntwo\n\nthree')
  await editor.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' and mine')
  await page.keyboard.press('Control+s')
  await expect.poll(body).toBe('one, theirs\n\ntwo\n\nthree and mine')
  release()
  await expect(editor).toContainText('one, theirs')

  release = hold()
  await theirs('one, theirs\n\ntwo\n\nthree of others')
  await editor.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(', again')
  release()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('region', { name: 'The saved text' })).toContainText('three of others')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Keep both, one after the other' }).click()
  await expect.poll(body).toContain('three of others\nthree and mine, again')
})

test('on a phone, outline, text, preview and checks are tabs', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, id, ask } = await engagementToReport(people, organization)
  const report = (await ask('POST', '/reports', { engagementId: id, title: 'On a phone' })).data
  await page.setViewportSize({ width: 390, height: 844 })
  await people.signIn(page, organization.owner, `${path}/reports/${report.id}`)
  const tabs = page.getByRole('radiogroup', { name: 'Part of the page' })
  await expect(tabs).toBeVisible()
  await expect(outlineOf(page)).toBeHidden()
  await tabs.getByText('Outline').click()
  await expect(outlineOf(page)).toBeVisible()
  await outlineOf(page).getByRole('link').nth(1).click()
  await expect(outlineOf(page)).toBeHidden()
  await tabs.getByText('Preview').click()
  await expect(previewOf(page).locator('body')).toContainText('Contoso')
  await tabs.getByText('Checks').click()
  await expect(page.getByRole('region', { name: 'Checks' })).toBeVisible()
  await expectAccessible(page)
})
