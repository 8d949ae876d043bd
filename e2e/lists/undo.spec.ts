import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import type { People, TestOrganization } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

const prepare = async (people: People) => {
  const organization = await people.organization()
  const as = (method: string, path: string, body?: unknown) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const engagementId = (await as('POST', '/engagements', { name: 'Contoso' })).body.data.id
  return { organization, as, engagementId, root: `/o/${organization.slug}/engagements/${engagementId}` }
}

const selectAll = async (page: Page, list: string) => {
  const boxes = page.getByRole('grid', { name: list }).getByRole('checkbox')
  // The rows have arrived: without any, nothing can be selected.
  await expect(boxes.nth(1)).toBeVisible()
  await boxes.first().check()
  return page.getByRole('toolbar', { name: 'Selection' })
}

const asOwner = async (page: Page, people: People, { owner }: TestOrganization, path: string) =>
  people.signIn(page, owner, path)

test('a status of many tasks is undone with its toast, except for a task that someone changed since; Ctrl+Z restores deleted ones', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { organization, as, engagementId, root } = await prepare(people)
  const ids: string[] = []
  for (const title of ['First', 'Second', 'Third'])
    ids.push((await as('POST', '/tasks', { engagementId, title })).body.data.id)
  const statuses = async () =>
    (await as('GET', `/tasks?engagementId=${engagementId}`)).body.data
      .map(({ title, status }: { title: string; status: string }) => `${title} ${status}`)
      .toSorted()
  await asOwner(page, people, organization, `${root}/tasks?view=list`)
  const bar = await selectAll(page, 'Tasks')
  await bar.getByRole('button', { name: 'Status' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Blocked' }).press('Enter')
  await expect(page.getByText('3 tasks changed.')).toBeVisible()
  await as('PATCH', `/tasks/${ids[1]}`, { status: 'done' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone, except 1 row changed since.')).toBeVisible()
  expect(await statuses()).toEqual(['First open', 'Second done', 'Third open'])

  await selectAll(page, 'Tasks')
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('3 tasks deleted.')).toBeVisible()
  expect(await statuses()).toEqual([])
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').locator('input')).toBeFocused()
  await page.keyboard.type('Fourth')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Escape')
  expect(await statuses(), 'a field takes Ctrl+Z for itself').toEqual([])
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone.')).toBeVisible()
  expect(await statuses()).toEqual(['First open', 'Second done', 'Third open'])
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('grid', { name: 'Tasks' }).getByRole('row', { name: /Third/ })).toBeVisible()
  expect(await statuses(), 'each change is undone once').toHaveLength(3)
})

test('changed and deleted results and targets are as before after Undo', async ({ page, sortie }) => {
  const { people } = sortie
  const { organization, as, engagementId, root } = await prepare(people)
  for (const title of ['SQL injection', 'Stored XSS'])
    await as('POST', '/results', { engagementId, title, asset: 'a.example', severity: 'high' })
  await as('POST', '/targets/bulk', { engagementId, text: 'a.example\nb.example' })
  const listed = async (path: string): Promise<Record<string, unknown>[]> =>
    (await as('GET', `${path}?engagementId=${engagementId}`)).body.data.map(
      ({ updatedAt: _, ...row }: Record<string, unknown>) => row,
    )
  const results = () => listed('/results')
  const targets = () => listed('/targets')
  const before = [await results(), await targets()]

  await asOwner(page, people, organization, `${root}/results`)
  const bar = await selectAll(page, 'Results')
  await bar.getByRole('button', { name: 'Status' }).press('Enter')
  await page.getByRole('menuitem', { name: 'False positive' }).press('Enter')
  await expect(page.getByText('2 results changed.')).toBeVisible()
  await page.keyboard.press('Meta+z')
  await expect(page.getByText('Undone.')).toBeVisible()
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('2 results deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('grid', { name: 'Results' }).getByRole('row', { name: /SQL injection/ })).toBeVisible()
  // The row may be the one that was not hidden yet; leaving the page would end the request.
  await expect.poll(results).toEqual(before[0])

  await page.goto(`${root}/targets`)
  await selectAll(page, 'Targets')
  await bar.getByRole('button', { name: 'Edit' }).press('Enter')
  await chooseFrom(page.getByRole('dialog').getByLabel('Criticality'), 'critical')
  await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByText('2 targets changed.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone.')).toBeVisible()
  await selectAll(page, 'Targets')
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete targets' }).click()
  await expect(page.getByText('2 targets deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('grid', { name: 'Targets' }).getByRole('row', { name: /a\.example/ })).toBeVisible()
  await expect.poll(async () => [await results(), await targets()]).toEqual(before)
})

test('deleted results, targets, scope rules and tasks are found in the trash after a reload, and restored', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { organization, as, engagementId, root } = await prepare(people)
  const create = async (path: string, body: object) =>
    (await as('POST', path, { engagementId, ...body })).body.data.id as string
  const objects = {
    results: await create('/results', {
      title: 'SQL injection',
      asset: 'https://shop.contoso.example',
      severity: 'high',
    }),
    targets: await create('/targets', { value: 'shop.contoso.example' }),
    'scope-rules': await create('/scope-rules', { effect: 'allow', pattern: '*.contoso.example' }),
    tasks: await create('/tasks', { title: 'Ask the client' }),
  }
  await create('/tasks', { title: 'Stays' })
  for (const [path, id] of Object.entries(objects)) await as('DELETE', `/${path}/${id}`)
  const titles = async (path: string, trashed = '') =>
    (await as('GET', `/${path}?engagementId=${engagementId}${trashed}`)).body.data as object[]

  await asOwner(page, people, organization, `${root}/settings`)
  await page.getByRole('link', { name: 'Open the trash' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible()
  await page.reload()
  for (const [tab, path, name] of [
    ['Results', 'results', 'SQL injection'],
    ['Targets', 'targets', 'shop.contoso.example'],
    ['Scope rules', 'scope-rules', '*.contoso.example'],
    ['Tasks', 'tasks', 'Ask the client'],
  ] as const) {
    await page.getByRole('radiogroup', { name: 'Deleted' }).getByText(tab, { exact: true }).click()
    const grid = page.getByRole('grid', { name: `Deleted ${tab.toLowerCase()}` })
    await expect(grid.getByRole('row', { name })).toBeVisible()
    await expectAccessible(page)
    const bar = await selectAll(page, `Deleted ${tab.toLowerCase()}`)
    await bar.getByRole('button', { name: 'Restore' }).press('Enter')
    await expect(page.getByText(`1 ${tab.toLowerCase().slice(0, -1)} restored.`)).toBeVisible()
    await expect(page.getByRole('heading', { name: `No deleted ${tab.toLowerCase()}` })).toBeVisible()
    expect(await titles(path)).toHaveLength(path === 'tasks' ? 2 : 1)
    expect(await titles(path, '&trashed=true')).toEqual([])
  }
})

test('a member sees the trash of a result that was deleted while the page was open', async ({ page, sortie }) => {
  const { people } = sortie
  const { organization, as, engagementId, root } = await prepare(people)
  const id = (
    await as('POST', '/results', {
      engagementId,
      title: 'SQL injection',
      asset: 'https://shop.contoso.example',
      severity: 'high',
    })
  ).body.data.id
  const member = await people.member(organization, 'member')
  await people.signIn(page, member, `${root}/trash`)
  await expect(page.getByRole('heading', { name: 'No deleted results' })).toBeVisible()
  await as('DELETE', `/results/${id}`)
  await expect(
    page.getByRole('grid', { name: 'Deleted results' }).getByRole('row', { name: 'SQL injection' }),
  ).toBeVisible()
})

test('pasted targets are removed again by Undo; a target that existed before stays', async ({ page, sortie }) => {
  const { people } = sortie
  const { organization, as, engagementId, root } = await prepare(people)
  await as('POST', '/targets/bulk', { engagementId, text: 'a.example' })
  const names = async () =>
    (await as('GET', `/targets?engagementId=${engagementId}`)).body.data.map(({ value }: { value: string }) => value)
  await asOwner(page, people, organization, `${root}/targets`)
  await expect(page.getByRole('grid', { name: 'Targets' }).getByRole('row', { name: /a\.example/ })).toBeVisible()
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog', { name: 'Paste targets' })
  await dialog.getByLabel('Targets, one per line').fill('a.example\nb.example\nc.example')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('status')).toHaveText('2 targets added, 1 already known, 0 rejected.')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(names).toEqual(['a.example'])
  await expect(dialog.getByLabel('Targets, one per line')).toBeVisible()

  await dialog.getByLabel('Targets, one per line').fill('d.example')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('status')).toHaveText('1 target added, 0 already known, 0 rejected.')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone.')).toBeVisible()
  expect(await names()).toEqual(['a.example'])
})
