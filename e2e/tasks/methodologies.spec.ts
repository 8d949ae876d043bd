import { readFile } from 'node:fs/promises'
import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('a methodology is written, changed by two at once, exported, imported and deleted', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, `/api/web/methodologies${path}`, body, organization.id)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/methodologies`)
  const list = page.getByRole('grid', { name: 'Methodologies' })
  await expect(list.getByRole('link', { name: 'OWASP Web Security Testing Guide' })).toBeVisible()

  await page.keyboard.press('c')
  await page.getByLabel('Name').fill('Ours')
  await page.getByLabel('Version').fill('3')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Ours 3' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No items yet' })).toBeVisible()
  const { id } = (await ask('GET', '?q=Ours')).body.data[0]

  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Key').fill('WEB-01')
  await dialog.getByLabel('Title').fill('Password reset')
  await ask('PATCH', `/${id}`, { items: [{ key: 'WEB-00', title: 'Of someone else' }] })
  await dialog.getByRole('button', { name: 'Add item' }).click()
  await expect(dialog).toHaveCount(0)
  const items = page.getByRole('grid', { name: 'Items' }).getByRole('row')
  await expect(items).toContainText(['Title', 'Of someone else', 'Password reset'])

  await page.getByRole('button', { name: 'Move up' }).click()
  await expect(items).toContainText(['Title', 'Password reset', 'Of someone else'])
  await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
  await dialog.getByLabel('Title').fill('Password reset, again')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Password reset, again' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Export' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'JSON' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
  await page.getByRole('button', { name: 'Delete methodology' }).click()
  await expect(list.getByRole('link', { name: 'Ours' })).toHaveCount(0)

  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import' }).click()
  await (await choosing).setFiles({ name: 'ours.json', mimeType: 'application/json', buffer: Buffer.from(file) })
  await expect(page.getByRole('heading', { level: 1, name: 'Ours 3' })).toBeVisible()
  await expect(items).toContainText(['Title', 'Password reset, again', 'Of someone else'])
})

nightly(
  'a built-in methodology names its source and licence, and is copied before a change',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/methodologies`)
    await page.getByRole('link', { name: 'OWASP Web Security Testing Guide' }).click()
    await expect(page.getByRole('region', { name: 'Description' })).toContainText(
      'OWASP Foundation, licensed under CC BY-SA 4.0',
    )
    await expect(page.getByText('97 items')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'Duplicate to edit' }).click()
    await expect(page.getByRole('heading', { level: 1, name: /\(copy\)/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  },
)

test('coverage opens at the methodology whose checks changed last', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const call = async (path: string, body: unknown) =>
    (await people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)).body.data
  const { id: engagementId } = await call('/engagements', { name: 'Contoso' })
  const { id } = await call('/methodologies', {
    name: 'Zones of the network',
    items: [{ key: 'ZONE-1', title: 'Compare the zones', appliesTo: ['domain'] }],
  })
  const { id: targetId } = await call('/targets', { engagementId, value: 'shop.contoso.example' })
  await call(`/methodologies/${id}/expand`, { engagementId, targets: { ids: [targetId] } })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${engagementId}/coverage`)
  await expect(page.getByText('Compare the zones').first()).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`methodology=${id}`))
})
