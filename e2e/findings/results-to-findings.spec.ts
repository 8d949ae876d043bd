import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

test('results become a new finding and assets of an existing one, from the selection and from the active row', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, add, ask, findings } = await engagementWithFindings(people, organization)
  for (const host of ['a', 'b', 'c'])
    await ask('POST', '/results', {
      engagementId: id,
      title: `Old TLS on ${host}`,
      asset: `https://${host}.contoso.example`,
      severity: 'medium',
    })
  const known = await add({ title: 'Old TLS versions' })
  await people.signIn(page, organization.owner, `${path}/results?sort=asset&order=asc`)
  const rowOf = (host: string) =>
    page
      .getByRole('grid', { name: 'Results' })
      .getByRole('row')
      .filter({ hasText: `${host}.contoso.example` })
  for (const host of ['a', 'b']) await rowOf(host).getByRole('checkbox').check()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Add to a finding' })
  await dialog.getByText('Existing finding').click()
  await dialog.getByRole('combobox', { name: 'Finding' }).fill('Old TLS v')
  await page.getByRole('option', { name: `${known.number} Old TLS versions` }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add to finding' }).click()
  await expect(page.getByText(`2 assets added to finding ${known.number}.`)).toBeVisible()
  expect((await ask('GET', `/findings/${known.id}/affected`)).data).toHaveLength(2)

  await rowOf('c').click()
  await page.keyboard.press('n')
  await expect(dialog.getByLabel('Title')).toHaveValue('Old TLS on c')
  await dialog.getByLabel('Title').fill('Old TLS of the portal')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/findings\/fnd_/)
  await expect(page.getByRole('region', { name: 'Affected assets' })).toContainText('https://c.contoso.example')
  expect((await findings()).map(({ title, severity }) => `${title} ${severity}`)).toContain(
    'Old TLS of the portal medium',
  )
})

test('the queue of suggestions is worked by keyboard: accept, skip, dismiss', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, ask, findings } = await engagementWithFindings(people, organization)
  for (const [title, severity] of [
    ['Default password', 'critical'],
    ['Stored script', 'high'],
    ['Verbose banner', 'low'],
  ])
    await ask('POST', '/results', { engagementId: id, title, asset: 'https://app.contoso.example', severity })
  await people.signIn(page, organization.owner, `${path}/findings`)
  await page.getByRole('link', { name: 'Suggestions' }).click()
  const queue = page.getByRole('list', { name: 'Suggestions' })
  await expect(queue.getByRole('button')).toHaveCount(3)
  await expectAccessible(page)
  await page.keyboard.press('a')
  await expect(queue.getByRole('button')).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Stored script' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('region', { name: 'Verbose banner' })).toBeVisible()
  await page.keyboard.press('d')
  await expect(page.getByRole('region', { name: 'Stored script' })).toBeVisible()
  await expect
    .poll(async () =>
      (await ask('GET', `/finding-suggestions?engagementId=${id}`)).data.map(
        (s: { dismissed: boolean }) => s.dismissed,
      ),
    )
    .toEqual([false, true])
  await expect(page.getByRole('region', { name: 'Stored script' }).locator('[data-loading]')).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(queue.getByRole('button')).toHaveCount(1)
  expect((await findings()).map(({ title }) => title).toSorted()).toEqual(['Default password', 'Stored script'])
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})
