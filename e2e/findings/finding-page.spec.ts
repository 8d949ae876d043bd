import type { Page } from '@playwright/test'
import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { choose } from '../support/pages/menu-field.ts'
import { expect, test } from '../support/server/sortie.ts'

const section = (page: Page, name: string) => page.getByRole('textbox', { name })
const saved = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved$/ })

test('five texts are edited next to their preview; edits of others in other sections are kept, overlapping ones are chosen', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, add, ask, read } = await engagementWithFindings(people, organization)
  const finding = await add({ title: 'SQL injection', severity: 'high', summary: 'one', impact: 'before' })
  // What the page reads waits for this: it must not have the other text before it has one of its own.
  let held = Promise.resolve()
  await page.route(`**/api/web/findings/${finding.id}`, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    await held
    return route.fulfill({ response })
  })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}?view=edit`)
  await expect(section(page, 'Summary')).toContainText('one')
  const preview = page.getByRole('region', { name: 'Preview' })
  await section(page, 'Recommendation').click()
  await page.keyboard.type('Use **parameters**.')
  await expect(preview.getByText('parameters')).toHaveText('parameters')
  await ask('PATCH', `/findings/${finding.id}`, { description: 'By someone else.', baseRevision: 1 })
  await page.keyboard.press('Control+s')
  await expect(saved(page)).toBeVisible()
  expect(await read(finding.id)).toMatchObject({
    description: 'By someone else.',
    recommendation: 'Use **parameters**.',
    summary: 'one',
  })
  await expect(section(page, 'Description')).toContainText('By someone else.')
  await expectAccessible(page)

  const { revision } = await read(finding.id)
  const typed = Promise.withResolvers<void>()
  held = typed.promise
  await ask('PATCH', `/findings/${finding.id}`, { impact: 'theirs', baseRevision: revision })
  await section(page, 'Impact').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and mine')
  typed.resolve()
  await page.keyboard.press('Control+s')
  const conflict = page.getByRole('alert').filter({ hasText: 'changed the same lines of Impact' })
  await expect(conflict.getByRole('region', { name: 'The saved text' })).toContainText('theirs')
  await page.unrouteAll({ behavior: 'wait' })
  await expectAccessible(page)
  await conflict.getByRole('button', { name: 'Keep both, one after the other' }).click()
  await expect(saved(page)).toBeVisible()
  expect((await read(finding.id)).impact).toBe('theirs\nbefore and mine')

  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page.getByRole('region', { name: 'Impact' })).toContainText('before and mine')
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByRole('region', { name: /^Revision/ }).first()).toContainText('and mine')
  await expectAccessible(page)
})

test('a review names what is missing, approves, publishes, and returns to review after a change', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, add, ask, read } = await engagementWithFindings(people, organization)
  await ask('POST', '/field-definitions', {
    objectType: 'finding',
    key: 'owner_team',
    type: 'text',
    label: 'Owner team',
    required: true,
  })
  const finding = await add({
    title: 'Weak cipher',
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    severity: 'low',
    summary: 'Short keys.',
  })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}`)
  const review = page.getByRole('group', { name: 'Review' })
  await review.getByRole('button', { name: 'Send to review' }).click()
  await expect(page.getByRole('alert')).toContainText(
    /Severity ?reason is needed before review|Owner team is required/i,
  )
  await expectAccessible(page)
  const properties = page.getByRole('complementary', { name: 'Properties' })
  await properties.getByLabel('Reason for the severity').fill('Only internal hosts.')
  await properties.getByLabel('Owner team').fill('Network')
  await properties.getByLabel('CWE').fill('326')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await read(finding.id)) as unknown)
    .toMatchObject({
      severityReason: 'Only internal hosts.',
      fields: { owner_team: 'Network' },
      cwe: ['CWE-326'],
    })
  await review.getByRole('button', { name: 'Send to review' }).click()
  await expect(review).toContainText('In review')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await review.getByRole('button', { name: 'Approve' }).click()
  await review.getByRole('button', { name: 'Publish' }).click()
  await expect(review).toContainText('Published')
  expect((await read(finding.id)).publishedAt).not.toBeNull()

  await choose(page, 'Severity', 'Medium')
  await expect(review).toContainText('In review')
  await expect(page.getByText('it is in review again')).toBeVisible()
})

test('assets are added as lines and from targets, and their status is set by keyboard', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, add, ask, read } = await engagementWithFindings(people, organization)
  await ask('POST', '/targets/bulk', { engagementId: id, text: 'app.contoso.example\n10.20.0.7' })
  const finding = await add({ title: 'Old software' })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}?view=assets`)
  await page.getByRole('button', { name: 'Add assets' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add affected assets' })
  await dialog.getByLabel('Assets').fill('https://a.contoso.example/\nhttps://b.contoso.example/')
  await page.keyboard.press('Control+Enter')
  const grid = page.getByRole('grid', { name: 'Affected assets' })
  await expect(grid.getByRole('row', { name: /b\.contoso/ })).toBeVisible()
  await page.getByRole('button', { name: 'Add assets' }).click()
  await dialog.getByText('Targets', { exact: true }).click()
  await dialog.getByLabel(/10\.20\.0\.7/).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(grid.getByRole('row', { name: /10\.20\.0\.7/ })).toBeVisible()

  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await page.keyboard.press('d')
  const first = grid.locator('[role="row"][aria-rowindex="2"]')
  await expect(first).toContainText('Fixed')
  await expect.poll(async () => (await read(finding.id)).status).toBe('partly_fixed')
  await page.keyboard.press(' ')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.getByLabel('Note').fill('Patched in March.')
  await preview.getByRole('button', { name: 'Save' }).click()
  await expect(first).toContainText('Patched in March.')
  await expectAccessible(page)

  // The status of several is undone together, to what each had.
  await page.keyboard.press('Escape')
  await expect(preview).toBeHidden()
  await grid.focus()
  for (const key of ['x', 'Shift+J']) await page.keyboard.press(key)
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2')
  for (const key of ['s', 'w']) await page.keyboard.press(key)
  const withdrawn = grid.getByRole('row').filter({ hasText: 'Withdrawn' })
  await expect(withdrawn).toHaveCount(2)
  await expect(page.getByText('2 assets changed.')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone.')).toBeVisible()
  await expect(withdrawn).toHaveCount(0)
  await expect(first).toContainText('Fixed')
})

test('two people write one finding at once: each sees the other, and nothing is lost', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const { path, add, read } = await engagementWithFindings(people, organization)
  const finding = await add({ title: 'Weak cipher', summary: 'first\n\nlast', impact: 'impact' })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}?view=edit`)
  await people.signIn(otherPage, member, `${path}/findings/${finding.id}`)
  await expect(otherPage.getByText(`Also here: ${organization.owner.name} (editing)`)).toBeVisible()
  await expect(page.getByText(`Also here: ${member.name}`, { exact: true })).toBeVisible()
  await otherPage.keyboard.press('e')
  await expect(page.getByText(`Also here: ${member.name} (editing)`)).toBeVisible()
  const type = async (writer: Page, name: string, place: 'Home' | 'End', text: string) => {
    await section(writer, name).click()
    await writer.keyboard.press(`Control+${place}`)
    await writer.keyboard.type(text)
  }
  await Promise.all([type(page, 'Summary', 'Home', 'The '), type(otherPage, 'Summary', 'End', ' of all')])
  await Promise.all([type(page, 'Impact', 'End', ' of one'), type(otherPage, 'Recommendation', 'End', 'Use TLS 1.3.')])
  await expect
    .poll(() => read(finding.id))
    .toMatchObject({ summary: 'The first\n\nlast of all', impact: 'impact of one', recommendation: 'Use TLS 1.3.' })
  for (const writer of [page, otherPage]) {
    await expect(saved(writer)).toBeVisible()
    await expect(section(writer, 'Summary')).toHaveText('The firstlast of all')
  }
  await otherPage.close()
  await expect(page.getByText('Also here')).toHaveCount(0)
})
