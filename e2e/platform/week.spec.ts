import { Counted } from '../support/pages/counted.ts'
import { visit } from '../support/pages/visit.ts'
import { openRequests, test } from '../support/requests.ts'
import { expect } from '../support/server/sortie.ts'

/**
 * Keys and clicks of a consultant's week, compared with the product that needs the fewest, by its documented shortcuts:
 * Linear for triage and tasks, Burp and Bruno for requests, Outline for the wiki. docs/web.md has the table.
 */
const BEST = {
  'set the status of a row': 2,
  'set the priority of a row': 2,
  'assign a row to me': 1,
  'select three rows and close them': 5,
  'undo that': 1,
  'open a task from the list': 1,
  'label it': 2,
  'close it': 1,
  'create a task': 2,
  'create the next one': 1,
  'find a task by its id': 2,
  'move a card to the next column': 2,
  'confirm a result and set its severity': 4,
  'send a request': 1,
  'change it and send it again': 1,
  'save it': 1,
  'go to the next open request': 1,
  'capture a value of the response': 4,
  'write a page': 2,
  'edit a page': 1,
  'find a page': 2,
} as const

test('the tasks of a week need no more keys and clicks than in the product that is best at each', async ({
  page,
  sortie,
  side,
}) => {
  const { home, engagementId, call } = await openRequests(page, sortie, side)
  const base = home.replace(/\/requests$/, '')
  await call('PATCH', `/engagements/${engagementId}/details`, { prefix: 'MF' })
  for (const title of ['One', 'Two', 'Three']) await call('POST', '/tasks', { engagementId, title })
  const asset = 'portal.contoso.example'
  await call('POST', '/results', { engagementId, title: 'Weak cipher', asset, severity: 'low' })
  const counted = new Counted(page)
  const needed: Partial<Record<keyof typeof BEST, number>> = {}
  const done = (task: keyof typeof BEST) => {
    needed[task] = counted.drain()
  }

  await visit(page, `${base}/tasks?view=list`)
  const grid = page.getByRole('grid', { name: 'Tasks' })
  const row = (title: string) => grid.getByRole('row', { name: new RegExp(title) })
  const finished = grid.getByRole('row').filter({ hasText: /Done/ })
  await expect(row('Three')).toBeVisible()
  await page.keyboard.press('j')
  await counted.press('s', 'p')
  await expect(row('One')).toContainText('In progress')
  done('set the status of a row')
  await counted.press('v', '3')
  await expect(row('One')).toContainText('High')
  done('set the priority of a row')
  await counted.press('i')
  await expect(row('One')).toContainText(/Olga/)
  done('assign a row to me')
  await counted.press('x', 'Shift+J', 'Shift+J')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('3')
  await counted.press('s', 'd')
  await expect(finished).toHaveCount(3)
  done('select three rows and close them')
  await counted.press('Control+z')
  await expect(finished).toHaveCount(0)
  done('undo that')

  const panel = page.getByRole('complementary', { name: 'Task', exact: true })
  await page.keyboard.press('k')
  await counted.press('Enter')
  await expect(panel.getByRole('heading', { level: 2 })).toBeVisible()
  done('open a task from the list')
  await counted.press('l')
  await expect(panel.getByRole('combobox', { name: 'Labels' }).or(panel.getByLabel('Labels'))).toBeFocused()
  await counted.type('web')
  await counted.press('Enter')
  await expect(panel.getByText('web', { exact: true })).toBeVisible()
  done('label it')
  await panel.getByRole('heading', { level: 2 }).click()
  await counted.press('Escape')
  await expect(panel).toHaveCount(0)
  done('close it')

  await visit(page, `${base}/tasks`)
  await expect(page.locator('[data-task]')).toHaveCount(3)
  await counted.press('c')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await counted.type('Four')
  await dialog.getByLabel('Create another').check()
  await dialog.getByLabel('Title').focus()
  await counted.press('Control+Enter')
  await expect(page.locator('[data-task]')).toHaveCount(4)
  done('create a task')
  await expect(dialog.getByLabel('Title')).toHaveValue('')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await counted.type('Five')
  await counted.press('Control+Enter')
  await expect(page.locator('[data-task]')).toHaveCount(5)
  done('create the next one')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await counted.press('Control+k')
  await counted.type('mf-2')
  await expect(page.getByRole('option', { name: /Two/ })).toBeVisible()
  await counted.press('Enter')
  await expect(panel.getByRole('heading', { level: 2, name: 'Two' })).toBeVisible()
  done('find a task by its id')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Four/ }).focus()
  await counted.press('Alt+ArrowRight')
  await expect(page.getByRole('region', { name: 'In progress' }).getByRole('button', { name: /^Four/ })).toBeVisible()
  done('move a card to the next column')

  await visit(page, `${base}/results`)
  const result = page.getByRole('grid', { name: 'Results' }).getByRole('row', { name: /Weak cipher/ })
  await expect(result).toBeVisible()
  await page.keyboard.press('j')
  await counted.press('s', 'c', '4')
  await expect(result).toContainText('Confirmed')
  await expect(result).toContainText('High')
  done('confirm a result and set its severity')

  const other = await call('POST', '/api-requests', { engagementId, name: 'Other', url: `${side.origin}/api/other` })
  const request = await call('POST', '/api-requests', { engagementId, name: 'Order', url: `${side.origin}/api/orders` })
  await visit(page, `${home}/${other.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Other' })).toBeVisible()
  await visit(page, `${home}/${request.id}`)
  const address = page.getByLabel('Address', { exact: true })
  await expect(address).toHaveValue(/orders/)
  await address.focus()
  await counted.press('Control+Enter')
  const body = page.getByRole('region', { name: 'Response body' })
  await expect(body).toContainText('"count": 1')
  done('send a request')
  await address.press('End')
  await counted.type('?page=2')
  await counted.press('Control+Enter')
  await expect(body).toContainText('"count": 2')
  done('change it and send it again')
  await counted.press('Control+s')
  await expect(page.getByText('Request saved.')).toBeVisible()
  done('save it')
  await counted.click(body.locator('[data-value]').filter({ hasText: /^2$/ }).first())
  await counted.click(page.getByRole('menuitem', { name: 'Capture as a variable' }))
  await expect(page.getByLabel('Variable of capture 1')).toHaveValue('count')
  done('capture a value of the response')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('There are unsaved changes.')).toHaveCount(0)
  await page.getByRole('heading', { level: 1 }).click()
  await counted.press('[')
  await expect(page.getByRole('heading', { level: 1, name: 'Other' })).toBeVisible()
  done('go to the next open request')

  await visit(page, `${base}/wiki`)
  await expect(page.getByRole('button', { name: 'Create the first page' })).toBeVisible()
  await counted.press('c')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await counted.type('Kick-off')
  await counted.press('Enter')
  const editor = page.getByRole('textbox', { name: 'Text of the page' })
  await expect(editor).toBeVisible()
  done('write a page')
  await editor.click()
  await page.keyboard.type('Agreed.')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await visit(page, new URL(page.url()).pathname)
  await expect(page.getByText('Agreed.')).toBeVisible()
  await counted.press('e')
  await expect(editor).toBeVisible()
  done('edit a page')
  await visit(page, `${base}/targets`)
  await expect(page.getByRole('heading', { level: 1, name: 'Targets' })).toBeVisible()
  await counted.press('Control+k')
  await counted.type('kick')
  await expect(page.getByRole('option', { name: /Kick-off/ })).toBeVisible()
  await counted.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Kick-off' })).toBeVisible()
  done('find a page')

  test.info().annotations.push({ type: 'keys and clicks', description: JSON.stringify(needed) })
  for (const [task, best] of Object.entries(BEST))
    expect.soft(needed[task as keyof typeof BEST] ?? Number.POSITIVE_INFINITY, task).toBeLessThanOrEqual(best)
})
