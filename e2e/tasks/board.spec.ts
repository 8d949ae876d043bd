import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import type { People } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

/** A card is named by its title and its short id. */
const cardName = (title: string) => new RegExp(`^${title} [A-Z]+-\\d+$`)

/** An engagement with tasks, its board open in the page. */
const openBoard = async (page: Page, people: People, tasks: readonly { title: string; status?: string }[]) => {
  const organization = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const engagementId = (await ask('POST', '/engagements', { name: 'Board' })).body.data.id
  for (const task of tasks) await ask('POST', '/tasks', { engagementId, ...task })
  const address = `/o/${organization.slug}/engagements/${engagementId}/tasks`
  await people.signIn(page, organization.owner, address)
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  return {
    address,
    column,
    /** The order on the board. */
    shown: async (name: string) => {
      const cards = await column(name).locator('li').all()
      const placed = await Promise.all(
        cards.map(async (card) => ({
          top: (await card.boundingBox())?.y ?? 0,
          title: await card.locator('[data-task] > :first-child').innerText(),
        })),
      )
      return placed.toSorted((a, b) => a.top - b.top).map(({ title }) => title)
    },
    /** The order on the server. */
    stored: async (status: string) => {
      const { data } = (
        await ask('GET', `/tasks?engagementId=${engagementId}&status=${status}&sort=position&order=asc`)
      ).body as { data: { title: string }[] }
      return data.map(({ title }) => title)
    },
    /** Moves a task as another user would, from another browser. */
    moveElsewhere: async (title: string, where: object) => {
      const colleague = await people.member(organization, 'member')
      const as = (method: string, path: string, body?: object) =>
        people.call(colleague, method, `/api/web${path}`, body, organization.id)
      const { data } = (await as('GET', `/tasks?engagementId=${engagementId}`)).body as {
        data: { id: string; title: string }[]
      }
      expect((await as('POST', `/tasks/${data.find((task) => task.title === title)?.id}/move`, where)).status).toBe(200)
    },
    card: (title: string) => page.getByRole('button', { name: cardName(title) }),
    announced: (message: string) => expect(page.getByRole('status').filter({ hasText: message })).toBeAttached(),
  }
}

const THREE = [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }]

nightly(
  'a board that cannot be read shows an error in place of empty columns, and is read again',
  async ({ page, sortie }) => {
    const board = await openBoard(page, sortie.people, THREE)
    await expect(board.card('One')).toBeVisible()
    await page.route('**/api/web/tasks?*', (route) =>
      route.fulfill({ status: 422, json: { error: { code: 'VALIDATION_FAILED', message: 'label: must be a label' } } }),
    )
    await page.reload()
    await expect(page.getByText('Label must be a label.')).toBeVisible()
    await expect(board.column('Open')).toBeHidden()
    await expectAccessible(page)
    await page.unroute('**/api/web/tasks?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(board.card('One')).toBeVisible()
  },
)

nightly(
  'Alt with the arrow keys reorders a column and announces each position; at an edge it announces that, and the browser stays',
  async ({ page, sortie }) => {
    const board = await openBoard(page, sortie.people, [...THREE, { title: 'Before', status: 'in_progress' }])
    await board.card('One').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await board.announced('One was moved to Open, position 2 of 3.')
    await page.keyboard.press('Alt+ArrowDown')
    await board.announced('One was moved to Open, position 3 of 3.')
    await expect(board.card('One')).toBeFocused()
    await page.keyboard.press('Alt+ArrowDown')
    await board.announced('One is the last of its column.')
    await page.keyboard.press('Alt+ArrowUp')
    await board.announced('One was moved to Open, position 2 of 3.')
    await expect.poll(() => board.stored('open')).toEqual(['Two', 'One', 'Three'])
    await expect.poll(() => board.shown('Open')).toEqual(['Two', 'One', 'Three'])

    await page.keyboard.press('Alt+ArrowLeft')
    await board.announced('Open is the first column.')
    await expect(board.card('One')).toBeFocused()
    expect(page.url()).toContain(board.address)
    // Its position among all tasks puts it above the existing one.
    await page.keyboard.press('Alt+ArrowRight')
    await board.announced('One was moved to In progress, position 1 of 2.')
    await expect.poll(() => board.shown('In progress')).toEqual(['One', 'Before'])
    await expect.poll(() => board.stored('in_progress')).toEqual(['One', 'Before'])
    for (const column of ['Blocked', 'Done', 'Cancelled']) {
      await page.keyboard.press('Alt+ArrowRight')
      await board.announced(`One was moved to ${column}, position 1 of 1.`)
      await expect(board.column(column).getByRole('button', { name: cardName('One') })).toBeFocused()
    }
    await page.keyboard.press('Alt+ArrowRight')
    await board.announced('Cancelled is the last column.')
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(keys.getByRole('heading', { name: 'Board', exact: true })).toBeVisible()
    await expect(keys.getByText('Move to the column on the right')).toBeVisible()
  },
)

test('a card is dropped between two others, on itself, and at the end of its own and of another column', async ({
  page,
  sortie,
}) => {
  const board = await openBoard(page, sortie.people, [...THREE, { title: 'Four', status: 'blocked' }])
  await board.card('Three').dragTo(board.card('Two'), { targetPosition: { x: 40, y: 4 } })
  await expect.poll(() => board.stored('open')).toEqual(['One', 'Three', 'Two'])
  await expect.poll(() => board.shown('Open')).toEqual(['One', 'Three', 'Two'])

  const scroller = (name: string) => board.column(name).locator('ul').locator('xpath=..')
  await board.card('One').dragTo(board.card('One'), { targetPosition: { x: 40, y: 24 } })
  await board.card('Three').dragTo(scroller('Open'), { targetPosition: { x: 40, y: 400 } })
  await board.announced('Three was moved to Open, position 3 of 3.')
  await expect.poll(() => board.stored('open')).toEqual(['One', 'Two', 'Three'])

  await board.card('One').dragTo(scroller('Blocked'), { targetPosition: { x: 40, y: 400 } })
  await board.announced('One was moved to Blocked, position 2 of 2.')
  await expect.poll(() => board.stored('blocked')).toEqual(['Four', 'One'])
  await expect.poll(() => board.shown('Blocked')).toEqual(['Four', 'One'])
})

nightly('a move that the server refuses is reverted, with the reason', async ({ page, sortie }) => {
  const board = await openBoard(page, sortie.people, THREE)
  await expect(board.card('One')).toBeVisible()
  const answers: (() => void)[] = []
  await page.route('**/api/web/tasks/*/move', async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve))
    await route.fulfill({
      status: 409,
      json: { error: { code: 'CONFLICT', message: 'This engagement is archived: reopen it first.' } },
    })
  })
  await board.card('One').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(board.column('In progress').locator('[data-task] > :first-child')).toHaveText('One')
  await expect.poll(() => answers.length).toBe(1)
  for (const answer of answers) answer()
  await expect(page.getByText('This engagement is archived: reopen it first.')).toBeVisible()
  await expect.poll(() => board.shown('Open')).toEqual(['One', 'Two', 'Three'])
  await expect(board.column('In progress').locator('[data-task]')).toHaveCount(0)
})

nightly('a card that another user moves appears in its new column without a reload', async ({ page, sortie }) => {
  const board = await openBoard(page, sortie.people, THREE)
  await expect(board.column('Open').getByRole('button', { name: cardName('Two') })).toBeVisible()
  await board.moveElsewhere('Two', { status: 'done' })
  await expect(board.column('Done').getByRole('button', { name: cardName('Two') })).toBeVisible()
  await expect(board.column('Open').getByRole('button', { name: cardName('Two') })).toHaveCount(0)
})

test('cards are as high as their text, name the target in a line of its own, and a column creates several tasks in a row', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const title = 'Compare what every certificate names with what the scope allows, and ask for what is missing'
  const { column } = await openBoard(page, people, [{ title: 'Short' }, { title }])
  const heightOf = async (text: string) =>
    (await column('Open').locator('[data-task]').filter({ hasText: text }).boundingBox())?.height ?? 0
  await expect(column('Open').getByText(title)).toBeVisible()
  expect(await heightOf(title)).toBeGreaterThan((await heightOf('Short')) + 10)
  const boxes = await column('Open')
    .locator('[data-task]')
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect()).toSorted((a, b) => a.top - b.top))
  expect((boxes[1]?.top ?? 0) - (boxes[0]?.bottom ?? 0)).toBeLessThan(10)

  await page.getByRole('button', { name: 'New task: Blocked' }).click()
  const dialog = page.getByRole('dialog', { name: 'New task: blocked' })
  await dialog.getByLabel('Create another').check()
  for (const name of ['First', 'Second']) {
    await dialog.getByLabel('Title').fill(name)
    await page.keyboard.press('Control+Enter')
    await expect(column('Blocked').getByText(name)).toBeVisible()
    await expect(dialog.getByLabel('Title')).toBeFocused()
    await expect(dialog.getByLabel('Title')).toHaveValue('')
  }
})

test('the board hides the checks of a methodology behind a chip that shows their number, and facts of a card are not cut', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const engagementId = (await ask('POST', '/engagements', { name: 'Board' })).body.data.id
  const items = ['A-1', 'A-2'].map((key) => ({ key, title: `Check ${key}` }))
  const { id } = (await ask('POST', '/methodologies', { name: 'Ours', items })).body.data
  await ask('POST', `/methodologies/${id}/expand`, { engagementId, targets: { filter: {} } })
  const address = `/o/${organization.slug}/engagements/${engagementId}/tasks`
  await people.signIn(page, organization.owner, address)
  await expect(page.getByRole('heading', { name: 'All tasks are checks of a methodology' })).toBeVisible()
  const assigneeId = (await ask('GET', '/account')).body.data.id
  await ask('POST', '/tasks', {
    engagementId,
    title: 'Call the provider',
    priority: 'medium',
    dueOn: '2030-12-01',
    assigneeId,
  })
  const cards = page.locator('[data-task]')
  await expect(cards).toHaveCount(1)
  const facts = await cards
    .first()
    .evaluate((card) =>
      [...(card.lastElementChild as Element).children].map(
        (fact) => fact.getBoundingClientRect().right <= card.getBoundingClientRect().right,
      ),
    )
  expect(facts).toEqual([true, true, true, true])
  await page.getByRole('button', { name: '2 checks hidden' }).click()
  await expect(cards).toHaveCount(3)
  await expect(page).toHaveURL(`${address}?checks=true`)
  await page.getByRole('button', { name: 'Checks shown' }).click()
  await expect(cards).toHaveCount(1)
  // A filter searches everything.
  await page.goto(`${address}?outcome=untested`)
  await expect(cards).toHaveCount(2)
})
