import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import type { Sortie } from '../support/server/sortie.ts'
import { expect, test } from '../support/server/sortie.ts'

interface Cell {
  itemKey: string
  targetId: string | null
  taskId: string
  outcome: string
}

const TARGETS = ['a.contoso.example', 'b.contoso.example', 'c.contoso.example', 'd.contoso.example']

/** An engagement with targets, and the checks of a methodology on them. */
const prepare = async ({ people }: Sortie, items: object[] | 'wstg', hasTasks = true) => {
  const organization = await people.organization()
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const engagementId = (await ask('POST', '/engagements', { name: 'Covered' })).data.id as string
  await ask('POST', '/scope-rules', { engagementId, effect: 'allow', pattern: '*.contoso.example' })
  await ask('POST', '/targets/bulk', { engagementId, text: [...TARGETS, 'elsewhere.example'].join('\n') })
  const known = (await ask('GET', '/methodologies?perPage=100')).data as { id: string; name: string }[]
  const id =
    items === 'wstg'
      ? known.find(({ name }) => name.startsWith('OWASP'))?.id
      : (await ask('POST', '/methodologies', { name: 'Ours', items })).data.id
  if (hasTasks)
    await ask('POST', `/methodologies/${id}/expand`, { engagementId, targets: { filter: { verdict: ['in'] } } })
  const cells = async (): Promise<Cell[]> =>
    (await ask('GET', `/engagements/${engagementId}/coverage?methodologyId=${id}`)).data.cells
  const outcomes = async () => (await cells()).map(({ outcome }) => outcome)
  const path = `/o/${organization.slug}/engagements/${engagementId}/coverage?methodology=${id}`
  return { organization, ask, engagementId, cells, outcomes, path }
}

const ITEMS = [
  { key: 'A-1', title: 'Names', group: 'First', appliesTo: ['domain'] },
  { key: 'A-2', title: 'Mail', group: 'First', appliesTo: ['domain'], description: 'Ask for **MX** records.' },
  { key: 'B-1', title: 'Sign-in', group: 'Second', appliesTo: ['domain'] },
  { key: 'B-2', title: 'Report', group: 'Second' },
]

const matrixOf = (page: Page): Locator => page.getByRole('grid', { name: 'Coverage' })
const rowOf = (page: Page, key: string): Locator => matrixOf(page).getByRole('row', { name: new RegExp(`^${key} `) })
/** Outcomes of an item, column by column. */
const shown = (page: Page, key: string): Promise<string[]> =>
  rowOf(page, key)
    .locator('[data-column]')
    .evaluateAll((cells) => cells.map((cell) => cell.textContent?.replace(/^[✓✗–]/u, '') ?? ''))

test('outcomes are set by one key for each check, undone with Ctrl+Z and by the toast, and nothing leaves the page', async ({
  page,
  sortie,
}) => {
  const { organization, cells, outcomes, path } = await prepare(sortie, ITEMS)
  await sortie.people.signIn(page, organization.owner, path)
  await expect(matrixOf(page)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('pfn')
  await expect(page.getByText('10 untested, 1 passed, 1 failed, 1 not applicable')).toBeVisible()
  expect([await shown(page, 'A-1'), await shown(page, 'A-2'), await shown(page, 'B-1')]).toEqual([
    ['', 'Pass', 'Untested', 'Untested', 'Untested'],
    ['', 'Fail', 'Untested', 'Untested', 'Untested'],
    ['', 'Not applicable', 'Untested', 'Untested', 'Untested'],
  ])
  await expect.poll(async () => (await outcomes()).toSorted().slice(0, 3)).toEqual(['fail', 'not_applicable', 'pass'])
  await expect(page).toHaveURL(path)

  await page.keyboard.press('Control+z')
  await expect(page.getByText('11 untested, 1 passed, 1 failed, 0 not applicable')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await outcomes()).filter((outcome) => outcome !== 'untested')).toEqual(['pass'])
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await cells()).every(({ outcome }) => outcome === 'untested')).toBe(true)

  // A range; then the same by mouse.
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('n')
  await expect(page.getByText('9 untested, 0 passed, 0 failed, 4 not applicable')).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('13 untested, 0 passed')).toBeVisible()
  await rowOf(page, 'A-1').locator('[data-column="1"]').click()
  await rowOf(page, 'B-1')
    .locator('[data-column="4"]')
    .click({ modifiers: ['Shift'] })
  await expect(page.getByText('12 checks selected')).toBeVisible()
  await page.getByRole('button', { name: 'Pass' }).click()
  await expect(page.getByText('1 untested, 12 passed')).toBeVisible()
  await expect.poll(async () => (await outcomes()).filter((outcome) => outcome === 'pass').length).toBe(12)
  await expectAccessible(page)
})

test('Ctrl+Shift+Z and a button repeat what was undone, except checks that someone else changed since; a new outcome ends that', async ({
  page,
  sortie,
}) => {
  const { organization, ask, cells, outcomes, path } = await prepare(sortie, ITEMS)
  await sortie.people.signIn(page, organization.owner, path)
  await expect(matrixOf(page)).toBeFocused()
  const stored = async () => (await outcomes()).filter((outcome) => outcome !== 'untested').toSorted()
  const redo = page.getByRole('button', { name: 'Redo' })
  await expect(redo).toBeDisabled()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('pf')
  await expect.poll(stored).toEqual(['fail', 'pass'])
  for (let undone = 0; undone < 2; undone++) await page.keyboard.press('Control+z')
  await expect(page.getByText('13 untested, 0 passed')).toBeVisible()
  await expect.poll(stored).toEqual([])
  for (let repeated = 0; repeated < 2; repeated++) await page.keyboard.press('Control+Shift+Z')
  await expect(page.getByText('11 untested, 1 passed, 1 failed')).toBeVisible()
  await expect.poll(stored).toEqual(['fail', 'pass'])
  await page.keyboard.press('Control+z')
  await expect.poll(stored).toEqual(['pass'])

  const others = (await cells()).filter(({ itemKey }) => itemKey === 'A-2').map(({ taskId }) => taskId)
  for (const taskId of others) await ask('PATCH', `/tasks/${taskId}`, { outcome: 'not_applicable' })
  await redo.click()
  await expect(page.getByText('1 check has changed since and stays as it is.')).toBeVisible()
  await expect.poll(stored).toEqual(['not_applicable', 'not_applicable', 'not_applicable', 'not_applicable', 'pass'])
  await page.keyboard.press('Control+z')
  await expect(redo).toBeEnabled()
  await page.keyboard.press('p')
  await expect(redo).toBeDisabled()
})

test('the name of a target in the head of its column ends with an ellipsis where it is cut', async ({
  page,
  sortie,
}) => {
  const { organization, ask, engagementId, path } = await prepare(sortie, ITEMS, false)
  const long = `${'very-long-name-'.repeat(4)}of.contoso.example`
  const { id } = (await ask('POST', '/targets', { engagementId, value: long })).data
  const methodology = new URL(path, 'http://127.0.0.1').searchParams.get('methodology')
  await ask('POST', `/methodologies/${methodology}/expand`, { engagementId, targets: { ids: [id] } })
  await sortie.people.signIn(page, organization.owner, path)
  const head = matrixOf(page).getByRole('columnheader', { name: long }).getByRole('button')
  await expect(head).toBeVisible()
  expect(
    await head.evaluate((button) => {
      const [own, column] = [button.getBoundingClientRect(), (button.parentElement as Element).getBoundingClientRect()]
      return {
        isCut: button.scrollWidth > button.clientWidth,
        isInside: own.right <= column.right,
        ellipsis: getComputedStyle(button).textOverflow,
      }
    }),
  ).toEqual({ isCut: true, isInside: true, ellipsis: 'ellipsis' })
})

test('undo leaves checks that someone else changed since, and counts them', async ({ page, sortie }) => {
  const { organization, ask, cells, path } = await prepare(sortie, ITEMS)
  await sortie.people.signIn(page, organization.owner, path)
  await expect(matrixOf(page)).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('f')
  await expect(page.getByText('0 untested, 0 passed, 13 failed')).toBeVisible()
  await expect.poll(async () => (await cells()).filter(({ outcome }) => outcome === 'fail').length).toBe(13)
  const [first] = await cells()
  await ask('PATCH', `/tasks/${first?.taskId}`, { outcome: 'pass' })
  await page.keyboard.press('Control+z')
  await expect(page.getByText('1 check has changed since and stays as it is.')).toBeVisible()
  await expect(page.getByText('12 untested, 1 passed, 0 failed')).toBeVisible()
})

test('groups fold, a key on the row of a group sets its checks, the filter opens with / only, and Enter opens the panel', async ({
  page,
  sortie,
}) => {
  const { organization, path } = await prepare(sortie, ITEMS)
  await sortie.people.signIn(page, organization.owner, path)
  await expect(matrixOf(page)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'A-1')).toBeHidden()
  await page.keyboard.press('n')
  await expect(page.getByText('11 untested, 0 passed, 0 failed, 2 not applicable')).toBeVisible()
  await page.getByRole('button', { name: 'First' }).click()
  await expect(rowOf(page, 'A-1')).toBeVisible()
  expect(await shown(page, 'A-1')).toEqual(['', 'Not applicable', 'Untested', 'Untested', 'Untested'])

  await matrixOf(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Preview' })
  await expect(panel.getByRole('heading', { name: 'Mail: a.contoso.example' })).toBeVisible()
  await expect(panel.getByText('Ask for MX records.')).toBeVisible()
  await expect(page).toHaveURL(/peek=tsk_/)
  // The panel follows the cursor, and keys stay with the matrix.
  await page.keyboard.press('f')
  await expect(panel.getByRole('heading', { name: 'Sign-in: a.contoso.example' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await page.keyboard.press('/')
  await expect(page.getByRole('textbox', { name: 'Filter' })).toBeFocused()
  await page.keyboard.type('sign')
  await expect(rowOf(page, 'A-1')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(matrixOf(page)).toBeFocused()
})

test('388 outcomes are set as fast as keys come, and none is lost while answers are slow', async ({ page, sortie }) => {
  const { organization, cells, path } = await prepare(sortie, 'wstg')
  await sortie.people.signIn(page, organization.owner, path)
  await expect(page.getByText('388 untested, 0 passed')).toBeVisible()
  await expect(matrixOf(page)).toBeFocused()
  // Answers come later than keys.
  await page.route('**/tasks/bulk-update', async (route) => {
    const response = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.fulfill({ response })
  })
  const keys = Array.from({ length: 388 }, (_, index) => 'ppfnp'[index % 5] as string)
  const started = Date.now()
  await page.keyboard.type(keys.join(''))
  const perSecond = (1_000 * keys.length) / (Date.now() - started)
  test.info().annotations.push({ type: 'keys per second', description: perSecond.toFixed(0) })
  await expect(page.getByText('0 untested, 233 passed, 78 failed, 77 not applicable')).toBeVisible()
  await expect.poll(async () => (await cells()).filter(({ outcome }) => outcome === 'untested').length).toBe(0)
  const saved = await cells()
  const count = (wanted: string) => saved.filter(({ outcome }) => outcome === wanted).length
  expect([count('pass'), count('fail'), count('not_applicable')]).toEqual([233, 78, 77])
  await page.unrouteAll({ behavior: 'wait' })
})

test('an outcome that cannot be saved stays in the matrix, says why, and can be repeated or discarded', async ({
  page,
  sortie,
}) => {
  const { organization, outcomes, path } = await prepare(sortie, ITEMS)
  await sortie.people.signIn(page, organization.owner, path)
  await expect(matrixOf(page)).toBeFocused()
  await page.route('**/tasks/bulk-update', (route) => route.abort('connectionrefused'))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('pf')
  await expect(page.getByRole('alert').filter({ hasText: '2 outcomes were not saved.' })).toBeVisible()
  expect(await shown(page, 'A-1')).toEqual(['', 'Pass, not saved', 'Untested', 'Untested', 'Untested'])
  await expectAccessible(page)
  await page.unroute('**/tasks/bulk-update')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect
    .poll(async () => (await outcomes()).filter((outcome) => outcome !== 'untested').toSorted())
    .toEqual(['fail', 'pass'])
  await expect(page.getByText('not saved')).toHaveCount(0)

  await page.route('**/tasks/bulk-update', (route) => route.abort('connectionrefused'))
  await matrixOf(page).press('n')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('11 untested, 1 passed, 1 failed, 0 not applicable')).toBeVisible()
})

test('creating the tasks of a methodology shows their number first, for chosen targets and groups, and can be undone', async ({
  page,
  sortie,
}) => {
  const { organization, ask, cells, outcomes, path } = await prepare(sortie, ITEMS, false)
  await sortie.people.signIn(page, organization.owner, path)
  await page.getByRole('button', { name: 'Create tasks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create tasks' })
  await expect(dialog.getByRole('button', { name: 'Create 13 tasks' })).toBeVisible()
  await dialog.getByRole('radio', { name: 'All', exact: true }).check()
  await expect(dialog.getByRole('button', { name: 'Create 16 tasks' })).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Second (2)' }).uncheck()
  await expect(dialog.getByRole('button', { name: 'Create 10 tasks' })).toBeVisible()
  await dialog.getByRole('radio', { name: 'Choose targets' }).check()
  await expect(dialog.getByText('Choose at least one target.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Targets to test' }).fill('b.cont')
  await page.getByRole('option', { name: 'b.contoso.example' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Create 2 tasks' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create 2 tasks' }).click()
  await expect(page.getByText('2 untested, 0 passed')).toBeVisible()
  const [first] = await cells()
  await ask('PATCH', `/tasks/${first?.taskId}`, { outcome: 'fail' })
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1 task has changed since and stays.')).toBeVisible()
  expect(await outcomes()).toEqual(['fail'])
})
