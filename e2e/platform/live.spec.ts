import type { Page } from '@playwright/test'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

const streamsOf = (page: Page): string[] => {
  const streams: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/web/events') streams.push(request.url())
  })
  return streams
}

test("another user's change appears without a reload, in the list and inside of the engagement", async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const colleague = await people.member(organization, 'admin')
  const change = (method: string, path: string, body: unknown) =>
    people.call(colleague, method, path, body, organization.id)
  const open = page.waitForResponse('**/api/web/events')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await open
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  const created = await change('POST', '/api/web/engagements', { name: 'By a colleague' })
  await page.getByRole('link', { name: 'By a colleague' }).click()
  await expect(page.getByRole('heading', { name: 'By a colleague', level: 1 })).toBeVisible()
  await change('PATCH', `/api/web/engagements/${created.body.data.id}`, { name: 'Renamed by a colleague' })
  await expect(page.getByRole('heading', { name: 'Renamed by a colleague', level: 1 })).toBeVisible()
})

test('the members page shows who joins without a reload, and asks for nothing in between', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const reads: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/organizations/current/members')) reads.push(request.url())
  })
  const open = page.waitForResponse('**/api/web/events')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
  await open
  await expect(page.getByText('1 person', { exact: true })).toBeVisible()
  const colleague = await people.member(organization, 'member')
  await expect(page.getByText('2 people', { exact: true })).toBeVisible()
  await expect(page.getByText(colleague.email)).toBeVisible()
  const before = reads.length
  await people.call(colleague, 'PATCH', '/api/web/account', { name: 'Another Name' })
  await expect(page.getByText('Another Name')).toBeVisible()
  expect(reads.length).toBe(before + 1)
})

test('settings of the organization appear on open pages without a reload: clients, methodologies and custom fields', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const colleague = await people.member(organization, 'admin')
  const create = (path: string, body: unknown) =>
    people.call(colleague, 'POST', `/api/web${path}`, body, organization.id)
  const open = page.waitForResponse('**/api/web/events')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/clients`)
  await open
  await expect(page.getByRole('heading', { name: 'No clients yet' })).toBeVisible()
  await create('/clients', { name: 'Contoso Ltd.' })
  await expect(page.getByRole('link', { name: 'Contoso Ltd.' })).toBeVisible()
  await visit(page, `/o/${organization.slug}/methodologies`)
  await expect(page.getByRole('heading', { level: 1, name: 'Methodologies' })).toBeVisible()
  await create('/methodologies', { name: 'List of a colleague', items: [{ key: 'A-1', title: 'Look' }] })
  // Rows between those that are shown wait until they are asked for.
  await page.getByRole('button', { name: '1 new' }).click()
  await expect(page.getByText('List of a colleague')).toBeVisible()
  await visit(page, `/o/${organization.slug}/settings/fields`)
  await expect(page.getByRole('heading', { level: 1, name: 'Custom fields' })).toBeVisible()
  await create('/field-definitions', { objectType: 'finding', key: 'team', type: 'text', label: 'Team of the owner' })
  await expect(page.getByText('Team of the owner')).toBeVisible()
})

nightly(
  'an open target and a result of the scope tester update when another user changes the scope',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const colleague = await people.member(organization, 'admin')
    const change = (method: string, path: string, body: unknown) =>
      people.call(colleague, method, path, body, organization.id)
    const engagementId = (await change('POST', '/api/web/engagements', { name: 'Contoso' })).body.data.id
    const target = (await change('POST', '/api/web/targets', { engagementId, value: '10.20.0.7' })).body.data
    const home = `/o/${organization.slug}/engagements/${engagementId}`
    await people.signIn(page, organization.owner, `${home}/targets?peek=${target.id}`)
    const preview = page.getByRole('complementary', { name: 'Preview' })
    await expect(preview).toContainText('Unknown')
    const rule = (
      await change('POST', '/api/web/scope-rules', { engagementId, effect: 'allow', pattern: '10.20.0.0/24' })
    ).body.data
    await expect(preview).toContainText('In scope')
    await page.goto(`${home}/scope`)
    await page.getByRole('textbox', { name: /in scope/i }).fill('10.20.0.7')
    await page.keyboard.press('Enter')
    const answer = page.getByRole('status', { name: 'Answer' })
    await expect(answer).toContainText('In scope')
    await change('PATCH', `/api/web/scope-rules/${rule.id}`, { effect: 'deny' })
    await expect(answer).toContainText('Out of scope')
  },
)

test('two tabs share one stream, and the other takes over when the one that reads it closes', async ({
  page,
  context,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const create = (name: string) =>
    people.call(organization.owner, 'POST', '/api/web/engagements', { name }, organization.id)
  const list = `/o/${organization.slug}/engagements`
  const other = await context.newPage()
  const [own, others] = [streamsOf(page), streamsOf(other)]
  const open = page.waitForResponse('**/api/web/events')
  await people.signIn(page, organization.owner, list)
  await open
  await other.goto(list)
  await expect(other.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await create('Seen by both')
  for (const tab of [page, other]) await expect(tab.getByRole('link', { name: 'Seen by both' })).toBeVisible()
  expect([own.length, others.length]).toEqual([1, 0])

  const takenOver = other.waitForResponse('**/api/web/events')
  await page.close()
  await takenOver
  await create('Seen by the one that is left')
  await other.getByRole('button', { name: '1 new' }).click()
  await expect(other.getByRole('link', { name: 'Seen by the one that is left' })).toBeVisible()
  expect(others.length).toBe(1)
})

nightly('if the stream is blocked, the page polls every 15 seconds', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await page.route('**/api/web/events', (route) => route.abort())
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Asked for' }, organization.id)
  await expect(page.getByRole('link', { name: 'Asked for' })).toBeVisible({ timeout: 60_000 })
})

nightly(
  "rows that others add wait behind a button: visible rows do not move, and the user's own rows show at once",
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const colleague = await people.member(organization, 'member')
    const as = (person: typeof colleague, path: string, body: unknown) =>
      people.call(person, 'POST', `/api/web${path}`, body, organization.id)
    const { id } = (await as(organization.owner, '/engagements', { name: 'Contoso' })).body.data
    const paste = (person: typeof colleague, text: string) => as(person, '/targets/bulk', { engagementId: id, text })
    const hosts = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name}-${index}.example.com`).join('\n')
    await paste(organization.owner, hosts('old', 130))
    const open = page.waitForResponse('**/api/web/events')
    await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/targets`)
    await open
    await expect(page.getByText('130 targets', { exact: true })).toBeVisible()
    const grid = page.getByRole('grid', { name: 'Targets' })
    const first = await grid.getByRole('row').nth(1).textContent()

    await paste(colleague, hosts('new', 12))
    const pill = page.getByRole('button', { name: '12 new' })
    await expect(pill).toBeVisible()
    await expect(page.getByText('142 targets', { exact: true })).toBeVisible()
    expect(await grid.getByRole('row').nth(1).textContent()).toBe(first)
    await page.keyboard.press('.')
    await expect(pill).toBeHidden()
    await expect(grid.getByRole('row').nth(1)).toContainText('new-')

    await page.keyboard.press('c')
    await page.getByLabel('Value').fill('own.example.com')
    await page.getByRole('button', { name: 'Add target' }).click()
    await expect(grid.getByRole('row').nth(1)).toContainText('own.example.com')
    await expect(page.getByRole('button', { name: /new$/ })).toHaveCount(0)
  },
)
