import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

test('a proof of a tool is shown without its credentials; a fixed result suggests its asset, which is set with one click; new assets return an approved finding to review', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, ask, read } = await engagementWithFindings(people, organization)
  const result = (
    await ask('POST', '/results', {
      engagementId: id,
      title: 'Orders leak',
      asset: 'https://shop.contoso.example',
      severity: 'high',
      data: {
        request: 'GET /orders HTTP/1.1\r\nAuthorization: Bearer typed-by-hand-22',
        response: 'HTTP/1.1 200 OK\r\n\r\n{"token":"typed-by-hand-22","orders":17}',
      },
    })
  ).data as { id: string }
  const finding = (await ask('POST', '/findings', { engagementId: id, resultIds: [result.id] })).data as { id: string }
  await ask('POST', `/findings/${finding.id}/affected`, { assets: ['https://old.contoso.example'] })
  for (const state of ['in_review', 'approved']) await ask('PATCH', `/findings/${finding.id}`, { state })

  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}`)
  const embed = page.getByRole('figure', { name: 'Proof of Orders leak' })
  await expect(embed).toContainText('Authorization: Bearer ••••')
  await expect(embed).toContainText('{"token":"••••","orders":17}')
  await expect(embed).not.toContainText('typed-by-hand')

  await page.goto(`${path}/findings/${finding.id}?view=assets`)
  const grid = page.getByRole('grid', { name: 'Affected assets' })
  const row = grid.getByRole('row', { name: /shop\.contoso/ })
  await expect(row).toContainText('Open')
  await expect(grid.getByText('Fixed', { exact: true })).toHaveCount(0)
  await ask('PATCH', `/results/${result.id}`, { status: 'fixed' })
  await expect(row.getByText('Fixed', { exact: true })).toBeVisible()
  expect((await read(finding.id)).status).toBe('open')
  await row.getByText('https://shop.contoso.example').click()
  await page.keyboard.press(' ')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(preview.getByRole('status').filter({ hasText: 'Its result is fixed or gone.' })).toBeVisible()
  await expectAccessible(page)
  await preview.getByRole('button', { name: 'Set to fixed' }).click()
  await expect.poll(async () => (await read(finding.id)).status).toBe('partly_fixed')
  await expect(preview.getByRole('button', { name: 'Set to fixed' })).toHaveCount(0)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add assets' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add affected assets' })
  await dialog.getByLabel('Assets').fill('https://new.contoso.example')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('it is in review again')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Review' })).toContainText('In review')
})
