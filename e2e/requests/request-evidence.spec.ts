import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import { openRequests, test } from '../support/requests.ts'
import { nightlyOf } from '../support/server/nightly.ts'
import { expect } from '../support/server/sortie.ts'

const nightly = nightlyOf(test)

nightly(
  'a run becomes a file of a wiki page by the mouse, and of another one by keys only',
  async ({ page, sortie, side }) => {
    const { home, call, create } = await openRequests(page, sortie, side)
    const [first, second] = [
      await create('/wiki-pages', { title: 'Entry points' }),
      await create('/wiki-pages', { title: 'Findings of the week' }),
    ]
    const request = await create('/api-requests', { name: 'Who am I', url: `${side.origin}/whoami` })
    const run = (await call('POST', `/api-requests/${request.id}/execute`, {})).id
    const filesOf = (id: string) => call('GET', `/wiki-pages/${id}/files`)

    await page.goto(`${home}/${run}`)
    await page.getByRole('button', { name: 'Use as evidence' }).click()
    await page.getByRole('radio', { name: 'A page' }).locator('..').click()
    await page.getByRole('combobox', { name: 'Page' }).click()
    await page.getByRole('option', { name: 'Entry points' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Attach' }).click()
    await expect(page.getByText('Request and response attached.')).toBeVisible()
    expect(await filesOf(first.id)).toMatchObject([{ fileName: `${run}.http`, runId: run }])

    await page.getByRole('button', { name: 'Use as evidence' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Title')).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: 'A page' })).toBeChecked()
    await page.keyboard.press('Tab')
    await page.keyboard.type('week')
    await expect(page.getByRole('option')).toHaveText(['Findings of the week'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Attach' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await filesOf(second.id)).toMatchObject([{ fileName: `${run}.http`, runId: run }])

    await page.goto(`${home.replace(/\/requests$/, '/wiki')}/${second.id}`)
    await expect(page.getByText(`${run}.http`)).toBeVisible()
  },
)

test('a new vulnerability is created from a run by keys only, with request and response, and a task gets them as a file', async ({
  page,
  sortie,
  side,
}) => {
  const { home, call, create, engagementId } = await openRequests(page, sortie, side)
  const request = await create('/api-requests', { name: 'Orders', url: `${side.origin}/orders` })
  const run = (await call('POST', `/api-requests/${request.id}/execute`, {})).id
  await visit(page, `${home}/${run}`)
  await page.getByRole('button', { name: 'Use as evidence' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Title')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('Orders of others can be read')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Hi')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 2, name: 'Orders of others can be read' })).toBeVisible()
  const [made] = await call('GET', `/results?engagementId=${engagementId}`)
  expect(made).toMatchObject({ title: 'Orders of others can be read', severity: 'high' })
  const { data } = await call('GET', `/results/${made.id}`)
  expect(data.request).toContain('GET ')
  expect(data.response).toContain('12345678901234567890')

  const task = await create('/tasks', { title: 'Look at the orders' })
  await visit(page, `${home}/${run}`)
  await page.getByRole('button', { name: 'Use as evidence' }).click()
  await page.getByRole('radio', { name: 'A task' }).locator('..').click()
  await page.getByRole('combobox', { name: 'Task' }).click()
  await page.getByRole('option', { name: 'Look at the orders' }).click()
  await page.getByRole('button', { name: 'Attach' }).click()
  await expect(page.getByText('Request and response attached.')).toBeVisible()
  expect(await call('GET', `/tasks/${task.id}/files`)).toHaveLength(1)
})
