import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/pages/accessible.ts'
import { createReport, engagementToReport, outlineOf } from '../../support/reports.ts'
import { expect, test } from '../../support/server/sortie.ts'

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Comments' })
const openOf = (page: Page) => panelOf(page).getByRole('article')
const tabOf = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Next to the text' }).getByText(name, { exact: true })

test('a reviewer suggests other words for a selection in a report; the author gets a notice, and accepts them', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const reviewer = await people.member(organization, 'member', 'Rae')
  const { id, path, ask, readReport } = await engagementToReport(people, organization)
  await people.signIn(page, organization.owner, `${path}/reports`)
  const reportId = await createReport(page)
  const section = (
    await ask('POST', `/reports/${reportId}/sections`, { title: 'Thanks', body: 'We thank them. We thank the team.' })
  ).data
  const address = `${path}/reports/${reportId}?section=${section.id}`

  await people.signIn(otherPage, reviewer, address)
  const editor = otherPage.getByRole('textbox', { name: 'Text of the section' })
  await expect(editor).toContainText('We thank the team.')
  await tabOf(otherPage, 'Comments').click()
  await expect(panelOf(otherPage)).toContainText('No open comments.')
  await editor.click()
  await otherPage.keyboard.press('Control+End')
  for (let letter = 0; letter < 'thank the team.'.length; letter++) await otherPage.keyboard.press('Shift+ArrowLeft')
  await panelOf(otherPage).getByRole('button', { name: 'Suggest a change' }).click()
  await expect(panelOf(otherPage).getByLabel('Quoted words')).toHaveValue('thank the team.')
  await expect(panelOf(otherPage).getByLabel('Replacement')).toBeFocused()
  await panelOf(otherPage).getByLabel('Replacement').fill('thank everyone.')
  await expectAccessible(otherPage)
  await otherPage.keyboard.press('Control+Enter')
  await expect(openOf(otherPage)).toHaveCount(1)
  await ask('POST', `/reports/${reportId}/comments`, { body: 'Good.', anchor: { section: section.id, quote: '' } })

  await page.goto(`/o/${organization.slug}/inbox`)
  await page.getByRole('link', { name: /Rae .* commented on Report: Contoso/ }).click()
  await expect(openOf(page)).toHaveCount(2)
  await expect(openOf(page).first()).toContainText('Good.')
  await openOf(page).filter({ hasText: 'thank everyone.' }).getByRole('button', { name: 'Thanks' }).click()
  await expect(outlineOf(page).getByRole('link', { name: 'Thanks' })).toHaveAttribute('aria-current', 'page')
  await openOf(page).filter({ hasText: 'thank everyone.' }).getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByRole('textbox', { name: 'Text of the section' })).toContainText('We thank everyone.')
  expect((await readReport(reportId)).sections.find(({ title }) => title === 'Thanks')?.body).toBe(
    'We thank them. We thank everyone.',
  )
  await expect(openOf(page)).toHaveCount(1)
  await expect(tabOf(otherPage, 'Comments 1')).toBeVisible()
  await expect(editor).toContainText('We thank everyone.')

  for (const status of ['completed', 'archived']) await ask('PATCH', `/engagements/${id}`, { status })
  await page.reload()
  await expect(openOf(page)).toHaveCount(1)
  await expect(panelOf(page).getByRole('textbox')).toHaveCount(0)
  for (const name of ['Resolve', 'Delete', 'Suggest a change'])
    await expect(panelOf(page).getByRole('button', { name, exact: true })).toHaveCount(0)
})
