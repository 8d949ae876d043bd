import { expect, test } from '../support/server/sortie.ts'

for (const [list, path, write] of [
  ['Targets', 'targets', (value: string) => ({ value })],
  ['Results', 'results', (asset: string) => ({ asset, title: `At ${asset}`, severity: 'low' })],
] as const) {
  test(`${list} leave out what is out of scope until it is asked for, searched, or all there is`, async ({
    page,
    sortie: { people },
  }) => {
    const organization = await people.organization()
    const call = await people.session(organization.owner, organization.id)
    const { id: engagementId } = (await call('POST', '/api/web/engagements', { name: 'Contoso' })).data
    const add = (value: string) => call('POST', `/api/web/${path}`, { engagementId, ...write(value) })
    await add('198.51.100.1')
    await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${engagementId}/${path}`)
    const grid = page.getByRole('grid', { name: list })
    const isShown = (value: string) => expect(grid.getByRole('row').filter({ hasText: value })).toBeVisible()
    // Without a rule nothing is out of scope.
    await isShown('198.51.100.1')

    await call('POST', '/api/web/scope-rules', { engagementId, effect: 'allow', pattern: '192.0.2.0/24' })
    await page.reload()
    await expect(page.getByRole('heading', { name: `All ${path} are out of scope` })).toBeVisible()
    await page.getByRole('button', { name: 'Show them' }).last().click()
    await isShown('198.51.100.1')

    await add('192.0.2.1')
    await page.goto(`/o/${organization.slug}/engagements/${engagementId}/${path}`)
    await isShown('192.0.2.1')
    await expect(grid.getByRole('row')).toHaveCount(2)
    await page.getByRole('button', { name: '1 out of scope hidden' }).click()
    await expect(grid.getByRole('row')).toHaveCount(3)
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await expect(grid.getByRole('row')).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Filter' }).fill('198.51')
    await page.keyboard.press('Enter')
    await isShown('198.51.100.1')
  })
}
