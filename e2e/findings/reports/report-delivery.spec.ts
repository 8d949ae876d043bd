import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expectAccessible } from '../../support/pages/accessible.ts'
import { createReport, engagementToReport, outlineOf } from '../../support/reports.ts'
import { expect, test } from '../../support/server/sortie.ts'

test('a report from its first click to the client: checks, waiver, review, render, delivery, download, verification', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, ask, readReport } = await engagementToReport(people, organization)
  await people.signIn(page, organization.owner, `${path}/findings`)
  await expect(page.getByRole('grid', { name: 'Findings' }).getByRole('link').first()).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page.getByRole('heading', { name: 'No reports yet' })).toBeVisible()
  const reportId = await createReport(page)
  await ask('POST', `/reports/${reportId}/sections`, {
    title: 'Product',
    body: 'The app is called TODO, with Frobnify.',
  })

  await page
    .getByRole('radiogroup', { name: 'Next to the text' })
    .getByText(/^Checks/)
    .click()
  const checks = page.getByRole('region', { name: 'Checks' })
  const problem = checks.getByRole('listitem').filter({ hasText: 'mark of unfinished work' })
  await problem.getByRole('button', { name: 'Product' }).click()
  await expect(outlineOf(page).getByRole('link', { name: 'Product' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('textbox', { name: 'Text of the section' })).toContainText('called TODO')

  await checks.getByRole('button', { name: 'Add to dictionary: “Frobnify”' }).click()
  await expect(page.getByRole('menuitem', { name: 'Words of the organization' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Words of this engagement' }).click()
  await expect(checks.getByText('Frobnify')).toHaveCount(0)
  const { engagementId } = await readReport(reportId)
  expect((await ask('GET', `/engagements/${engagementId}/details`)).data.reportWords).toEqual(['Frobnify'])

  await page.getByRole('button', { name: 'Deliver' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deliver edition 1' })
  await expect(dialog.getByRole('list', { name: 'Conditions of a delivery' })).toContainText('Not approved')
  await expect(dialog.getByRole('list', { name: 'Conditions of a delivery' })).toContainText('neither fixed nor waived')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Show checks' }).click()
  for (const waive of await checks.getByRole('button', { name: /^Waive:/ }).all()) {
    const name = await waive.getAttribute('aria-label')
    if (name?.includes('Unfinished')) await waive.click()
  }
  await page.getByRole('dialog').getByLabel('Reason').fill('TODO is the name of the app.')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Waive' }).click()
  await expect(checks.getByText('“TODO is the name of the app.”')).toBeVisible()
  const open = (await ask('GET', `/reports/${reportId}/checks`)).data.filter(
    ({ level, waived }: { level: string; waived: object | null }) => level === 'error' && waived === null,
  )
  expect(open).toEqual([])
  await expectAccessible(page)

  const rendering = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Render' }).click()
  await page.getByRole('menuitem', { name: /^PDF/ }).click()
  expect((await (await rendering).path()).length).toBeGreaterThan(0)
  await expect(page.getByRole('status', { name: 'Renders' })).toContainText('PDF is ready')

  const review = page.getByRole('group', { name: 'Review' })
  await review.getByRole('button', { name: 'Send to review' }).click()
  await review.getByRole('button', { name: 'Approve' }).click()
  await expect(review).toContainText('Approved')
  await review.getByRole('button', { name: 'Deliver' }).click()
  await expect(dialog.getByText('No open errors')).toBeVisible()
  await dialog.getByLabel('HTML').check()
  await dialog.getByLabel('Note').fill('First version')
  await dialog.getByRole('button', { name: 'Deliver' }).click()
  const edition = page.getByRole('region', { name: 'Edition 1' })
  await expect(edition).toContainText('First version', { timeout: 120_000 })
  await expectAccessible(page)
  expect(await readReport(reportId)).toMatchObject({ state: 'draft', latestEdition: 1 })

  const downloading = page.waitForEvent('download')
  await edition.getByRole('link', { name: 'Download PDF' }).click()
  const file = await (await downloading).path()
  const [stored] = (await ask('GET', `/reports/${reportId}/editions`)).data
  const pdf = stored.files.find(({ format }: { format: string }) => format === 'pdf')
  expect(
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ).toBe(pdf.sha256)

  const verify = page.getByRole('region', { name: 'Verify a file' })
  const input = verify.locator('input[type="file"]')
  await input.setInputFiles({ name: 'report.pdf', mimeType: 'application/pdf', buffer: await readFile(file) })
  await expect(verify.getByRole('status')).toContainText('report.pdf is unchanged')
  await input.setInputFiles({ name: 'other.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 other') })
  await expect(verify.getByRole('status')).toContainText('other.pdf is not a file of an edition')

  await ask('POST', `/reports/${reportId}/sections`, { title: 'Afterwards', body: 'A line that is new.' })
  await edition.getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByRole('region', { name: 'Afterwards' })).toContainText('A line that is new.')
  await expectAccessible(page)
})

test('one finding is rendered from its page', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, findings } = await engagementToReport(people, organization)
  const [finding] = await findings()
  await people.signIn(page, organization.owner, `${path}/findings/${finding?.id}`)
  const rendering = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Render' }).click()
  await page.getByRole('menuitem', { name: /^PDF/ }).click()
  expect((await rendering).suggestedFilename()).toMatch(/\.pdf$/)
})
