import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom, chooseOpen } from '../support/pages/choice.ts'
import { nightly } from '../support/server/nightly.ts'
import type { People } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

/** An engagement with tasks, and calls that read them from the server. */
const prepare = async (people: People, titles: readonly string[]) => {
  const organization = await people.organization()
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const engagementId = (await ask('POST', '/engagements', { name: 'Listed' })).data.id
  for (const title of titles) await ask('POST', '/tasks', { engagementId, title, labels: ['old'] })
  const tasks = async () =>
    (await ask('GET', `/tasks?engagementId=${engagementId}&sort=position&order=asc`)).data as {
      id: string
      title: string
      status: string
      priority: string
      assignee: { name: string } | null
      dueOn: string | null
      labels: string[]
    }[]
  return {
    organization,
    ask,
    engagementId,
    tasks,
    list: `/o/${organization.slug}/engagements/${engagementId}/tasks?view=list`,
  }
}

const rowOf = (page: Page, title: string) =>
  page.getByRole('grid', { name: 'Tasks' }).getByRole('row').filter({ hasText: title })

test('status, priority, assignee and due day are changed in the list, by mouse and by keyboard', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { organization, tasks, list } = await prepare(people, ['First', 'Second'])
  const mia = await people.member(organization, 'member', 'Mia')
  const first = async () => (await tasks()).find(({ title }) => title === 'First')
  await people.signIn(page, organization.owner, list)
  const row = rowOf(page, 'First')

  await row.getByRole('button', { name: 'Change status of First' }).click()
  await chooseOpen(row.getByRole('combobox', { name: 'status of First' }), 'in_progress')
  await expect(row.getByRole('button', { name: 'In progress Change status of First' })).toBeFocused()
  await expect.poll(async () => (await first())?.status).toBe('in_progress')

  await row.getByRole('button', { name: 'Change priority of First' }).click()
  await chooseOpen(row.getByRole('combobox', { name: 'priority of First' }), 'urgent')
  await expect(row.getByRole('button', { name: 'Urgent Change priority of First' })).toBeFocused()
  await expect.poll(async () => (await first())?.priority).toBe('urgent')

  await row.getByRole('button', { name: 'Change assignee of First' }).click()
  await chooseOpen(row.getByRole('combobox', { name: 'assignee of First' }), mia.name)
  await expect(row).toContainText(mia.name)
  await expect.poll(async () => (await first())?.assignee?.name).toBe(mia.name)
  await row.getByRole('button', { name: 'Change assignee of First' }).click()
  await chooseOpen(row.getByRole('combobox', { name: 'assignee of First' }), 'Unassigned')
  await expect.poll(async () => (await first())?.assignee).toBeNull()

  await row.getByRole('button', { name: 'Change due day of First' }).focus()
  await page.keyboard.press('Enter')
  await row.getByLabel('due day of First').fill('2031-02-03')
  await page.keyboard.press('Enter')
  await expect(row.getByRole('button', { name: '3 Feb 2031 Change due day of First' })).toBeFocused()
  await expect.poll(async () => (await first())?.dueOn).toBe('2031-02-03')
  await page.keyboard.press('Enter')
  await row.getByLabel('due day of First').fill('2040-01-01')
  await page.keyboard.press('Escape')
  await expect(row).toContainText('3 Feb 2031')
  await expectAccessible(page)
  expect((await first())?.dueOn).toBe('2031-02-03')
  expect((await tasks()).find(({ title }) => title === 'Second')).toMatchObject({
    status: 'open',
    priority: 'none',
    dueOn: null,
  })
})

nightly('a value that the server refuses in the list is reverted, with the reason', async ({ page, sortie }) => {
  const { organization, list } = await prepare(sortie.people, ['First'])
  await sortie.people.signIn(page, organization.owner, list)
  const row = rowOf(page, 'First')
  await page.route('**/api/web/tasks/tsk_*', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'CONFLICT', message: 'It came too late.' } } }),
  )
  await row.getByRole('button', { name: 'Change status of First' }).click()
  await chooseOpen(row.getByRole('combobox', { name: 'status of First' }), 'done')
  await expect(page.getByText('It came too late.')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Open Change status of First' })).toBeVisible()
})

test('selected tasks get status, priority, assignee, due day and labels together, and are deleted after a confirmation', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { organization, tasks, list } = await prepare(people, ['First', 'Second', 'Third'])
  const mia = await people.member(organization, 'member', 'Mia')
  await people.signIn(page, organization.owner, list)
  const select = async (...titles: string[]) => {
    for (const title of titles) await rowOf(page, title).getByRole('checkbox').check()
  }
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  for (const [button, item] of [
    ['Status', 'Blocked'],
    ['Priority', 'High'],
  ] as const) {
    await select('First', 'Second')
    // By keyboard: the message about the previous change covers the bar for a while.
    await bar.getByRole('button', { name: button }).press('Enter')
    await page.getByRole('menuitem', { name: item }).press('Enter')
    await expect(page.getByText('2 tasks changed.').last()).toBeVisible()
    await expect(bar).toBeHidden()
  }

  await select('First', 'Second')
  await bar.getByRole('button', { name: 'Assign and label' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Assign and label' })
  await chooseFrom(dialog.getByLabel('Assignee'), mia.name)
  await dialog.getByLabel('Due', { exact: true }).fill('2031-02-03')
  await dialog.getByLabel('Add labels').fill('week 1')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Remove labels').fill('old')
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(bar).toBeHidden()
  const changed = {
    status: 'blocked',
    priority: 'high',
    assignee: { name: mia.name },
    dueOn: '2031-02-03',
    labels: ['week 1'],
  }
  expect(await tasks()).toMatchObject([
    { title: 'First', ...changed },
    { title: 'Second', ...changed },
    { title: 'Third', status: 'open', priority: 'none', assignee: null, dueOn: null, labels: ['old'] },
  ])

  await select('First', 'Second')
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Delete the selected tasks?' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await tasks()).toHaveLength(3)
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('2 tasks deleted.')).toBeVisible()
  await expect(rowOf(page, 'First')).toHaveCount(0)
  expect((await tasks()).map(({ title }) => title)).toEqual(['Third'])
})

nightly(
  'tasks are filtered by any member, methodology and target; the address shows it, and Back removes it',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { organization, ask, engagementId, tasks, list } = await prepare(people, ['Of no one', 'Of Mia'])
    const mia = await people.member(organization, 'member', 'Mia')
    const members = (await ask('GET', '/organizations/current/members')).data as { id: string; name: string }[]
    const miaId = members.find(({ name }) => name === mia.name)?.id
    const [, ofMia] = await tasks()
    await ask('PATCH', `/tasks/${ofMia?.id}`, { assigneeId: miaId })
    const target = (await ask('POST', '/targets', { engagementId, value: 'shop.contoso.example' })).data
    await ask('POST', '/targets', { engagementId, value: 'mail.contoso.example' })
    const items = [{ key: 'A-1', title: 'Password reset', appliesTo: ['domain'] }]
    const methodology = (await ask('POST', '/methodologies', { name: 'Own checks', items })).data
    await ask('POST', `/methodologies/${methodology.id}/expand`, { engagementId, targets: { filter: {} } })
    await people.signIn(page, organization.owner, list)
    const titles = page.getByRole('grid', { name: 'Tasks' }).getByRole('link')
    await expect(titles).toHaveCount(4)

    const choose = async (filter: string, value: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('menuitem', { name: filter }).click()
      await page.getByRole('group', { name: filter }).getByLabel(value).check()
      await page.keyboard.press('Escape')
    }
    await choose('Assignee', mia.name)
    await expect(titles).toHaveText(['Of Mia'])
    await expect(page).toHaveURL(new RegExp(`assigneeId=${miaId}`))
    await page.goBack()
    await expect(titles).toHaveCount(4)
    await choose('Methodology', 'Own checks')
    await expect(titles).toHaveCount(2)
    await expect(page).toHaveURL(new RegExp(`methodologyId=${methodology.id}`))
    await choose('Target', 'shop.contoso.example')
    await expect(titles).toHaveCount(1)
    await expect(page).toHaveURL(new RegExp(`targetId=${target.id}`))
    await page.reload()
    await expect(page.getByRole('button', { name: 'Target: shop.contoso.example' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Methodology: Own checks' })).toBeVisible()
    await expect(titles).toHaveCount(1)
    await expectAccessible(page)

    await page.goBack()
    await expect(titles).toHaveCount(2)
  },
)

nightly(
  'my tasks are those of all engagements, each with a link to its own, and are changed in place',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { organization, ask, engagementId } = await prepare(people, [])
    const other = (await ask('POST', '/engagements', { name: 'Another client' })).data.id
    const self = ((await ask('GET', '/organizations/current/members')).data as { id: string; name: string }[]).find(
      ({ name }) => name === organization.owner.name,
    )
    for (const [id, title] of [
      [engagementId, 'Here'],
      [other, 'Yonder'],
    ]) {
      await ask('POST', '/tasks', { engagementId: id, title, assigneeId: self?.id })
    }
    await people.signIn(page, organization.owner, `/o/${organization.slug}/tasks`)
    await expect(rowOf(page, 'Here').getByRole('link', { name: 'Listed' })).toBeVisible()
    await expectAccessible(page)
    await rowOf(page, 'Here').getByRole('button', { name: 'Change status of Here' }).click()
    await chooseOpen(page.getByRole('combobox', { name: 'status of Here' }), 'done')
    await expect(rowOf(page, 'Here')).toHaveCount(0)
    await rowOf(page, 'Yonder').getByRole('link', { name: 'Another client' }).click()
    await expect(page).toHaveURL(new RegExp(`/engagements/${other}/tasks`))
    await expect(page.getByRole('button', { name: /^Yonder/ })).toBeVisible()
  },
)

nightly(
  'all tasks that match the filters are changed together, including those not loaded yet',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { organization, ask, engagementId, list } = await prepare(people, ['Another'])
    await ask('POST', '/targets/bulk', {
      engagementId,
      text: Array.from({ length: 130 }, (_, index) => `10.0.0.${index + 1}`).join('\n'),
    })
    const methodology = (
      await ask('POST', '/methodologies', {
        name: 'Own checks',
        items: [{ key: 'A-1', title: 'Ports', appliesTo: ['ip'] }],
      })
    ).data
    await ask('POST', `/methodologies/${methodology.id}/expand`, { engagementId, targets: { filter: {} } })
    await people.signIn(page, organization.owner, `${list}&status=open,blocked&methodologyId=${methodology.id}`)
    await page.getByRole('checkbox', { name: 'Select all rows that are shown' }).check()
    await page.getByRole('button', { name: 'Select all 130 tasks that match' }).click()
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('menuitem', { name: 'High' }).click()
    await expect(page.getByText('130 tasks changed.')).toBeVisible()
    const counts = (await ask('GET', `/tasks/facets?engagementId=${engagementId}&by=priority`)).data.priority
    expect(counts).toMatchObject({ high: 130, none: 1 })
  },
)
