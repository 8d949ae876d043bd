import { chooseFrom } from '../support/pages/choice.ts'
import { nightly } from '../support/server/nightly.ts'
import type { People, TestOrganization } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

/**
 * An engagement with a scope: everything below contoso.example except the shop, and with caution the network of the
 * plant.
 */
const scoped = async (people: People, organization: TestOrganization) => {
  const as = (path: string, body: unknown) =>
    people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
  const { id } = (await as('/engagements', { name: 'Contoso' })).body.data
  await as('/scope-rules/bulk', { engagementId: id, effect: 'allow', text: '*.contoso.example\n10.0.0.0/24' })
  await as('/scope-rules', { engagementId: id, effect: 'deny', pattern: 'shop.contoso.example' })
  await as('/scope-rules', { engagementId: id, effect: 'caution', pattern: '10.0.0.128/25', note: 'The plant.' })
  return { id: id as string, path: `/o/${organization.slug}/engagements/${id}/targets` }
}

test('a pasted list is previewed line by line, added, reported line by line, and found by verdict', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path } = await scoped(people, organization)
  await people.signIn(page, organization.owner, path)
  await expect(page.getByRole('heading', { name: 'No targets yet' })).toBeVisible()
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog', { name: 'Paste targets' })
  await expect(dialog.getByLabel('Targets, one per line')).toBeFocused()
  await page.keyboard.insertText(
    '# annex A\nhxxps://portal[.]contoso.example/a/../login,\nshop.contoso.example\n10.0.0.200\n\n127.1\n10.0.0.7 # the printer',
  )
  const preview = dialog.getByRole('region', { name: 'Preview of each line' })
  const line = (list: typeof preview, text: string) => list.getByRole('listitem').filter({ hasText: text })
  await expect(line(preview, 'hxxps://portal')).toContainText('In scope')
  await expect(line(preview, 'hxxps://portal')).toContainText(
    'https://portal.contoso.example/login: allowed by *.contoso.example',
  )
  await expect(line(preview, 'shop.contoso.example')).toContainText('Out of scope')
  await expect(line(preview, '10.0.0.200')).toContainText('Caution')
  await expect(line(preview, '127.1')).toContainText('Not recognized')
  await expect(line(preview, '127.1')).toContainText('four decimal numbers')
  await dialog.getByLabel('Tags for all of them').fill('wave-1')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('status')).toHaveText('4 targets added, 0 already known, 1 rejected.')
  const outcome = dialog.getByRole('region', { name: 'Outcome of each line' })
  await expect(outcome.getByRole('listitem').first()).toContainText('127.1')
  await dialog.getByRole('button', { name: 'Correct what was rejected' }).click()
  await expect(dialog.getByLabel('Targets, one per line')).toHaveValue('127.1')
  await dialog.getByLabel('Targets, one per line').fill('10.0.0.9\n10.0.0.7')
  await dialog.getByRole('button', { name: 'Add targets' }).click()
  await expect(dialog.getByRole('status')).toHaveText('1 target added, 1 already known, 0 rejected.')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const grid = page.getByRole('grid', { name: 'Targets' })
  await expect(page.getByText('4 targets', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: '1 out of scope hidden' }).click()
  await expect(page.getByText('5 targets', { exact: true })).toBeVisible()
  await expect(grid.getByRole('row', { name: /10\.0\.0\.200/ })).toContainText('wave-1')
  await page.keyboard.press('/')
  await page.keyboard.type('verdict:out,caution')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 targets', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Scope: Out of scope, Caution' }).click()
  await expect(page.getByRole('group', { name: 'Scope' }).getByText('In scope')).toContainText('3')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Text, one per line' }).click()
  const parts: Buffer[] = []
  for await (const part of await (await download).createReadStream()) parts.push(part as Buffer)
  expect(Buffer.concat(parts).toString()).toBe('10.0.0.200\nshop.contoso.example\n')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Copy as scanner input' }).click()
  await expect(page.getByText('Copied, one target per line.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('10.0.0.200\nshop.contoso.example\n')
})

nightly(
  'by keyboard: a target is added, previewed and described; many are changed and deleted after a confirmation',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { id, path } = await scoped(people, organization)
    await people.call(
      organization.owner,
      'POST',
      '/api/web/targets/bulk',
      { engagementId: id, text: '10.0.0.1\n10.0.0.2\n10.0.0.3' },
      organization.id,
    )
    await people.signIn(page, organization.owner, `${path}?sort=canonical&order=asc`)
    const grid = page.getByRole('grid', { name: 'Targets' })
    await expect(page.getByText('3 targets', { exact: true })).toBeVisible()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Value').fill('2130706433')
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel('Value')).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByLabel('Value').fill('Portal.Contoso.example.')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Added portal.contoso.example. Scope: in scope.')).toBeVisible()
    await expect(page.getByText('4 targets', { exact: true })).toBeVisible()

    await page.keyboard.press('j')
    await page.keyboard.press('Space')
    const peek = page.getByRole('complementary', { name: 'Preview' })
    await expect(peek.getByRole('heading', { name: '10.0.0.1' })).toBeVisible()
    await expect(peek.getByRole('link', { name: 'allowed by 10.0.0.0/24' })).toBeVisible()
    await chooseFrom(peek.getByLabel('Criticality'), 'critical')
    await peek.getByLabel('Notes').fill('The **gateway**.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Saved.')).toBeVisible()
    await expect(grid.getByRole('row', { name: /10\.0\.0\.1 / })).toContainText('Critical')
    await peek.getByRole('tab', { name: 'Preview' }).click()
    await expect(peek.locator('strong')).toHaveText('gateway')
    await page.getByRole('button', { name: 'Close the preview' }).click()

    await grid.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    await page.keyboard.press('Shift+J')
    const bar = page.getByRole('toolbar', { name: 'Selection' })
    await expect(bar.getByText('3 selected')).toBeVisible()
    await bar.getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByRole('dialog', { name: 'Edit 3 targets' })).toBeVisible()
    await dialog.getByLabel('Add tags').fill('dmz')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('3 targets changed.')).toBeVisible()
    await expect(grid.getByText('dmz')).toHaveCount(3)
    await grid
      .getByRole('row', { name: /10\.0\.0\.2/ })
      .getByRole('checkbox')
      .click()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete target' }).click()
    await expect(page.getByText('1 target deleted.')).toBeVisible()
    await expect(page.getByText('3 targets', { exact: true })).toBeVisible()
  },
)

nightly(
  'an archived engagement shows its targets and accepts none; the address of a target leads to it',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { id, path } = await scoped(people, organization)
    const as = (method: string, address: string, body: unknown) =>
      people.call(organization.owner, method, `/api/web${address}`, body, organization.id)
    const target = (
      await as('POST', '/targets', { engagementId: id, value: '10.0.0.1', tags: ['dmz'], notes: 'The gateway.' })
    ).body.data
    for (const status of ['completed', 'archived']) await as('PATCH', `/engagements/${id}`, { status })
    await people.signIn(page, organization.owner, `/o/${organization.slug}/targets/${target.id}`)
    const peek = page.getByRole('complementary', { name: 'Preview' })
    await expect(peek).toContainText('The gateway.')
    expect(new URL(page.url()).pathname).toBe(path)
    await expect(peek.getByRole('button', { name: /Save|Delete/ })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /Add a target|Paste targets/ })).toHaveCount(0)
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    await page.goto(`${path}?add=many`)
    await expect(page.getByText('1 target')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
)

nightly(
  'a hostile paste is answered line by line, and one that is too long is refused with its reason and kept',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { path } = await scoped(people, organization)
    await people.signIn(page, organization.owner, path)
    await expect(page.getByRole('heading', { name: 'No targets yet' })).toBeVisible()
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog', { name: 'Paste targets' })
    const field = dialog.getByLabel('Targets, one per line')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const paste = async (text: string) => {
      await page.evaluate((data) => navigator.clipboard.writeText(data), text)
      await field.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+v')
    }
    const longLine = 'x'.repeat(1_000_000)
    await paste(`bidi\u202egnp.exe\nnul\u0000byte\n${longLine}\n<img src=x onerror=alert(1)>\n10.0.0.9`)
    await dialog.getByRole('button', { name: 'Add targets' }).click()
    await expect(dialog.getByRole('status')).toHaveText('1 target added, 0 already known, 4 rejected.')
    await expect(dialog.getByRole('region', { name: 'Outcome of each line' }).getByRole('listitem')).toHaveCount(5)
    await dialog.getByRole('button', { name: 'Correct what was rejected' }).click()
    const many = Array.from({ length: 10_001 }, (_, i) => `host-${i}.contoso.example`).join('\n')
    await paste(many)
    await expect(dialog.getByText('Only the first lines are previewed.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Add targets' }).click()
    await expect(dialog.getByText('Must have at most 10000 lines.')).toBeVisible()
    expect((await field.inputValue()) === many).toBe(true)
    await paste(many.slice(0, many.lastIndexOf('\n')))
    await dialog.getByRole('button', { name: 'Add targets' }).click()
    await expect(dialog.getByRole('status')).toHaveText('10,000 targets added, 0 already known, 0 rejected.', {
      timeout: 40_000,
    })
  },
)
