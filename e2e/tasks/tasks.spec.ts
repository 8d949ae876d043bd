import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { choose, menuField } from '../support/pages/menu-field.ts'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('tasks are written, moved by mouse and keyboard, opened and commented on', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, path, body, organization.id)
  const engagementId = (await ask('POST', '/api/web/engagements', { name: 'Board' })).body.data.id
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${engagementId}/tasks`)
  await expect(page.getByRole('heading', { name: 'No tasks yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create tasks from a methodology' })).toBeVisible()
  for (const title of ['First', 'Second'])
    await ask('POST', '/api/web/tasks', { engagementId, title, priority: 'high', dueOn: '2030-12-01' })
  const statuses = async () => {
    const { data } = (await ask('GET', `/api/web/tasks?engagementId=${engagementId}`)).body as {
      data: { title: string; status: string }[]
    }
    return data.map(({ title, status }) => `${title}: ${status}`)
  }
  await expect(page.getByRole('region', { name: 'Open' }).getByRole('button', { name: /^First/ })).toBeVisible()

  await page.keyboard.press('c')
  await page.getByLabel('Title').fill('Third')
  await page.getByRole('button', { name: 'Create task' }).click()
  await expect(page.getByRole('region', { name: 'Open' }).getByRole('button', { name: /^Third/ })).toBeVisible()

  const card = page.getByRole('button', { name: /^Second/ })
  await card.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page.getByRole('region', { name: 'In progress' }).getByRole('button', { name: /^Second/ })).toBeFocused()
  await expect(page.getByText('Second was moved to In progress, position 1 of 1.')).toBeAttached()
  await expect.poll(statuses).toEqual(['First: open', 'Second: in_progress', 'Third: open'])

  await page
    .getByRole('button', { name: /^Third/ })
    .dragTo(page.getByRole('region', { name: 'Done' }).locator('ul'), { targetPosition: { x: 20, y: 0 }, force: true })
  await expect(page.getByRole('region', { name: 'Done' }).getByRole('button', { name: /^Third/ })).toBeVisible()
  await expect.poll(statuses).toContain('Third: done')
  await page.getByRole('button', { name: 'Move Third' }).click()
  await page.getByRole('menuitem', { name: 'Blocked' }).click()
  await expect.poll(statuses).toContain('Third: blocked')
  await expectAccessible(page)

  await page.getByRole('button', { name: /^First/ }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'First' })).toBeVisible()
  await choose(page, 'Status', 'Blocked')
  await page.getByRole('button', { name: 'Add checklist' }).click()
  await page.getByLabel('New item').fill('Ask the client')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabel('Ask the client', { exact: true }).check()
  await page.getByLabel('New comment').fill('**Done** soon')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('article').getByText('Done', { exact: true })).toBeVisible()
  await visit(page, `/o/${organization.slug}/engagements/${engagementId}/tasks?view=list`)
  await expect(page.getByRole('grid', { name: 'Tasks' }).getByRole('link', { name: 'First' })).toBeVisible()
})

test('a methodology is expanded to tasks, and its matrix shows what is untested', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, path, body, organization.id)
  const engagementId = (await ask('POST', '/api/web/engagements', { name: 'Covered' })).body.data.id
  await ask('POST', '/api/web/scope-rules', { engagementId, effect: 'allow', pattern: '*.contoso.example' })
  await ask('POST', '/api/web/targets', { engagementId, value: 'https://portal.contoso.example/' })
  const items = [{ key: 'A-1', title: 'Password reset', appliesTo: ['url'] }]
  const { id } = (await ask('POST', '/api/web/methodologies', { name: 'A list of ours', items })).body.data
  await people.signIn(
    page,
    organization.owner,
    `/o/${organization.slug}/engagements/${engagementId}/coverage?methodology=${id}`,
  )
  await page.getByRole('button', { name: 'Create tasks' }).click()
  await page.getByRole('button', { name: 'Create 1 task' }).click()
  await expect(page.getByText('1 untested, 0 passed')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('gridcell', { name: 'Untested', exact: true }).dblclick()
  await choose(page, 'Outcome of A-1', 'Pass')
  await expect(page.getByText('0 untested, 1 passed')).toBeVisible()
})

nightly(
  'a failed check is recorded as a vulnerability, linked both ways; the task shows links, files and history',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const ask = (method: string, path: string, body?: object) =>
      people.call(organization.owner, method, path, body, organization.id)
    const engagementId = (await ask('POST', '/api/web/engagements', { name: 'Checked' })).body.data.id
    const target = (await ask('POST', '/api/web/targets', { engagementId, value: 'shop.contoso.example' })).body.data
    const items = [{ key: 'LOGIN-1', title: 'Try default passwords', appliesTo: ['domain'] }]
    const methodology = (await ask('POST', '/api/web/methodologies', { name: 'Own checks', items })).body.data
    await ask('POST', `/api/web/methodologies/${methodology.id}/expand`, {
      engagementId,
      targets: { ids: [target.id] },
    })
    const [task] = (await ask('GET', `/api/web/tasks?engagementId=${engagementId}`)).body.data as { id: string }[]
    const taskPage = `/o/${organization.slug}/tasks/${task?.id}`
    await people.signIn(page, organization.owner, taskPage)

    await choose(page, 'Outcome of LOGIN-1', 'Fail')
    await page.getByRole('link', { name: 'Add vulnerability' }).click()
    await expect(page.getByLabel('Title')).toHaveValue('Try default passwords: shop.contoso.example')
    await expect(page.getByLabel('Asset')).toHaveValue('shop.contoso.example')
    await page.getByLabel('Title').fill('Default password of the shop')
    await chooseFrom(page.getByLabel('Severity'), 'high')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Added Default password of the shop.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'this check' })).toHaveAttribute('href', taskPage)
    await page.goto(taskPage)
    await expect(page.getByRole('link', { name: 'Default password of the shop' })).toBeVisible()
    await expect(page.getByText('This check failed')).toBeHidden()

    await page.getByRole('combobox', { name: 'Link to' }).fill('contoso')
    await page.getByRole('option', { name: 'Target: shop.contoso.example' }).click()
    await expect(page.getByRole('link', { name: 'shop.contoso.example' })).toBeVisible()
    await page.getByRole('button', { name: 'Remove the link to shop.contoso.example' }).click()
    await expect(page.getByRole('link', { name: 'shop.contoso.example' })).toBeHidden()

    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add files' }).click()
    await (await chooser).setFiles({ name: 'login.txt', mimeType: 'text/plain', buffer: Buffer.from('admin:admin') })
    await expect(page.getByRole('link', { name: 'login.txt' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'History' }).click()
    await expect(page.getByRole('tabpanel')).toContainText('untested → fail')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Delete login.txt' }).click()
    await page.getByRole('button', { name: 'Delete file' }).click()
    await expect(page.getByRole('heading', { name: 'Files' })).toHaveCount(0)
  },
)

nightly(
  'ticks and choices are shown before the server answers, and reverted with the reason if they are refused',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const ask = (path: string, body: object) =>
      people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
    const engagementId = (await ask('/engagements', { name: 'Ticked' })).body.data.id
    const { id } = (await ask('/tasks', { engagementId, title: 'One', checklist: [{ text: 'Ask' }] })).body.data
    await people.signIn(page, organization.owner, `/o/${organization.slug}/tasks/${id}`)
    const answers: (() => void)[] = []
    await page.route(`**/api/web/tasks/${id}**`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      await new Promise<void>((resolve) => answers.push(resolve))
      const message = `The ${route.request().url().includes('/checklist/') ? 'tick' : 'choice'} came too late.`
      return route.fulfill({ status: 409, json: { error: { code: 'CONFLICT', message } } })
    })
    await page.getByLabel('Ask', { exact: true }).check()
    await menuField(page, 'Status').press('Enter')
    await page.keyboard.press('d')
    await expect(menuField(page, 'Status')).toBeFocused()
    await expect(menuField(page, 'Status')).toHaveAccessibleName('Status Done')
    await expect.poll(() => answers.length).toBe(2)
    for (const answer of answers) answer()
    await expect(page.getByText('The tick came too late.')).toBeVisible()
    await expect(page.getByText('The choice came too late.')).toBeVisible()
    await expect(page.getByLabel('Ask', { exact: true })).not.toBeChecked()
    await expect(menuField(page, 'Status')).toHaveAccessibleName('Status Open')
  },
)

nightly(
  'a task links to scans of its engagement and to pages of the organization, and is offered nothing of other engagements',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const ask = (path: string, body: object) =>
      people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
    const [engagementId, other] = [
      (await ask('/engagements', { name: 'Own' })).body.data.id,
      (await ask('/engagements', { name: 'Other' })).body.data.id,
    ]
    await ask('/wiki-pages', { title: 'Perimeter handbook', body: 'For everyone.' })
    await ask('/wiki-pages', { engagementId: other, title: 'Perimeter of others', body: 'Secret.' })
    // The operator's policy refuses loopback: the scan touches nothing.
    const nowhere = (await ask('/targets', { engagementId, value: '127.0.0.1' })).body.data
    const scan = {
      engagementId,
      name: 'Perimeter at night',
      scanners: [{ id: 'ports', options: { ports: '9' } }],
      targets: { ids: [nowhere.id] },
    }
    expect((await ask('/scans', { ...scan, override: { reason: 'Agreed by phone' } })).status).toBe(201)
    const { id } = (await ask('/tasks', { engagementId, title: 'Read on' })).body.data
    await people.signIn(page, organization.owner, `/o/${organization.slug}/tasks/${id}`)
    await page.getByRole('button', { name: 'Add link' }).click()
    for (const [option, title] of [
      ['Scan: Perimeter at night', 'Perimeter at night'],
      ['Wiki page: Perimeter handbook', 'Perimeter handbook'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Link to' }).fill('perimeter')
      await expect(page.getByRole('option', { name: option })).toBeVisible()
      await expect(page.getByRole('option', { name: 'Perimeter of others' })).toHaveCount(0)
      await page.getByRole('option', { name: option }).click()
      await expect(page.getByRole('link', { name: title })).toBeVisible()
    }
  },
)

nightly('a link to a deleted object stays as its title, struck out', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const engagementId = (await ask('POST', '/engagements', { name: 'Linked' })).body.data.id
  const target = (await ask('POST', '/targets', { engagementId, value: 'shop.contoso.example' })).body.data
  const task = (
    await ask('POST', '/tasks', { engagementId, title: 'Look', links: [{ type: 'target', id: target.id }] })
  ).body.data
  await people.signIn(page, organization.owner, `/o/${organization.slug}/tasks/${task.id}`)
  await expect(page.getByRole('link', { name: 'shop.contoso.example' })).toBeVisible()
  await ask('DELETE', `/targets/${target.id}`)
  await page.reload()
  await expect(page.locator('del')).toHaveText('shop.contoso.example')
  await expect(page.getByRole('link', { name: 'shop.contoso.example' })).toHaveCount(0)
})
