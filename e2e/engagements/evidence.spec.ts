import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('pictures of a finding are thumbnails that open over the page, one after the other; other files are downloaded', async ({
  page,
  sortie: { people },
}) => {
  const { owner, id, slug } = await people.organization()
  const as = async (path: string, body: object) =>
    (await people.call(owner, 'POST', `/api/web${path}`, body, id)).body.data
  const engagement = await as('/engagements', { name: 'Contoso' })
  const result = await as('/results', {
    engagementId: engagement.id,
    title: 'Weak cipher',
    asset: '10.0.0.7',
    severity: 'high',
  })
  await people.signIn(page, owner, `/o/${slug}/engagements/${engagement.id}/results?peek=${result.id}`)
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await evidence.locator('input[type="file"]').setInputFiles([
    { name: 'first.png', mimeType: 'image/png', buffer: PNG },
    { name: 'second.png', mimeType: 'image/png', buffer: PNG },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
  ])
  await expect(evidence.getByRole('link', { name: 'notes.txt' })).toBeVisible()
  const thumbnail = evidence.getByRole('button', { name: 'Open first.png' })
  await expect(thumbnail).toBeVisible()
  await expect(evidence.getByRole('button', { name: /^Open / })).toHaveCount(2)
  await expect.poll(() => thumbnail.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)

  await thumbnail.click()
  await expect(page.getByRole('dialog', { name: 'first.png' }).getByRole('img', { name: 'first.png' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowRight')
  const second = page.getByRole('dialog', { name: 'second.png' })
  await expect(second.getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'second.png')
  await page.keyboard.press('Escape')
  await expect(second).toBeHidden()
  await evidence.getByRole('button', { name: 'Delete first.png' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await expect(evidence.getByRole('button', { name: /^Open / })).toHaveCount(1)
})
