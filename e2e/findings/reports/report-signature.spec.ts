import { readFile } from 'node:fs/promises'
import { ownPkcs12 } from '../../../server/test/support/reports/certificate.ts'
import { expectAccessible } from '../../support/pages/accessible.ts'
import { engagementToReport } from '../../support/reports.ts'
import { expect, test } from '../../support/server/sortie.ts'

test('an admin uploads a certificate; a delivery signs the PDF file with it, and encrypts it with a password', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id: engagementId, path: address, ask } = await engagementToReport(people, organization)
  const buffer = Buffer.from(ownPkcs12(), 'base64')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/reports`)
  await expect(page.getByText('No certificate yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Upload certificate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload a certificate' })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'PKCS#12 file' }).click(),
  ])
  await chooser.setFiles({ name: 'identity.p12', mimeType: 'application/x-pkcs12', buffer })
  await dialog.getByLabel('Passphrase', { exact: true }).fill('wrong horse')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toContainText('Does not open this file')
  await expectAccessible(page)
  await dialog.getByLabel('Passphrase', { exact: true }).fill('correct horse')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText(/Issued by Northwind Security · Valid until/)).toBeVisible()
  await expectAccessible(page)

  const report = (await ask('POST', '/reports', { engagementId, title: 'Signed' })).data
  for (const state of ['in_review', 'approved']) await ask('PATCH', `/reports/${report.id}`, { state })
  await page.goto(`${address}/reports/${report.id}`)
  await page.getByRole('group', { name: 'Review' }).getByRole('button', { name: 'Deliver' }).click()
  const delivery = page.getByRole('dialog', { name: 'Deliver edition 1' })
  await delivery.getByLabel('Sign the PDF file').check()
  await delivery.getByLabel('Password of the PDF file', { exact: true }).fill('An unusual password')
  await expectAccessible(page)
  await expect(delivery.getByText('No open errors')).toBeVisible()
  await delivery.getByRole('button', { name: 'Deliver' }).click()
  const edition = page.getByRole('region', { name: 'Edition 1' })
  await expect(edition).toContainText('PDF signed by Northwind Security · PDF opens with a password', {
    timeout: 120_000,
  })
  const downloading = page.waitForEvent('download')
  await edition.getByRole('link', { name: 'Download PDF' }).click()
  const pdf = await readFile(await (await downloading).path())
  expect(pdf.includes('/CFM /AESV3')).toBe(true)
  expect(pdf.includes('/SubFilter /adbe.pkcs7.detached')).toBe(true)
})
