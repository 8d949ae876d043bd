import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { menuField } from '../support/pages/menu-field.ts'
import type { People } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

const inEngagement = async (page: Page, people: People, tasks: readonly object[]) => {
  const organization = await people.organization()
  const as = (method: string, path: string, body?: unknown) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const engagementId = (await as('POST', '/engagements', { name: 'Meridian' })).body.data.id
  await as('PATCH', `/engagements/${engagementId}/details`, { prefix: 'MF' })
  const ids: string[] = []
  for (const task of tasks) ids.push((await as('POST', '/tasks', { engagementId, ...task })).body.data.id)
  const address = `/o/${organization.slug}/engagements/${engagementId}/tasks`
  await people.signIn(page, organization.owner, address)
  return { address, ids, read: async (id: string | undefined) => (await as('GET', `/tasks/${id}`)).body.data }
}

const TWO = [
  { title: 'Look at the login', priority: 'high' },
  { title: 'Ask for the VPN', description: 'By **phone**.' },
]

test('a card opens its task over the board with an address; Escape and Back close it, and the board keeps its place and its filter', async ({
  page,
  sortie,
}) => {
  const { address, ids } = await inEngagement(page, sortie.people, TWO)
  const panel = page.getByRole('complementary', { name: 'Task', exact: true })
  const card = page.getByRole('button', { name: /^Look at the login/ })
  await expect(card).toContainText('MF-1')
  await page.goto(`${address}?priority=high`)
  await expect(page.getByRole('button', { name: /^Ask for the VPN/ })).toHaveCount(0)
  // Set once on the element: a board that is rendered again would lose it.
  await card.evaluate((element) => element.setAttribute('data-kept', ''))
  await card.press('Enter')
  await expect(panel.getByRole('heading', { level: 2, name: 'Look at the login' })).toBeVisible()
  await expect(page).toHaveURL(`${address}/${ids[0]}?priority=high`)
  await expect(page).toHaveTitle(/^Look at the login/)
  await expect(panel).toBeFocused()
  await expect(page.locator('[data-kept]')).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(`${address}?priority=high`)
  await expect(card).toBeFocused()
  await card.click()
  await expect(panel).toBeVisible()
  await page.goBack()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(`${address}?priority=high`)
  await expect(page.locator('[data-kept]')).toHaveCount(1)

  await page.goto(`${address}/${ids[1]}?view=list`)
  await expect(panel.getByText('phone')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`${address}?view=list`)
  await page.getByRole('grid').getByRole('link', { name: 'Look at the login' }).click()
  await expect(page).toHaveURL(`${address}/${ids[0]}?view=list`)
  await expect(panel.getByRole('heading', { level: 2, name: 'Look at the login' })).toBeVisible()
  await page.getByRole('button', { name: 'Close the task' }).click()
  await expect(page.getByRole('row', { name: /Look at the login/ })).toBeVisible()
})

test('a task is in two columns; what is empty has no heading, and a button adds it; the task can fill the page', async ({
  page,
  sortie,
}) => {
  const { address, ids } = await inEngagement(page, sortie.people, TWO)
  await page.goto(`${address}/${ids[0]}`)
  const panel = page.getByRole('complementary', { name: 'Task', exact: true })
  const properties = panel.getByRole('region', { name: 'Properties' })
  const comment = panel.getByLabel('New comment')
  await expect(comment).toBeVisible()
  for (const empty of ['Checklist', 'Links', 'Files', 'Description'])
    await expect(panel.getByRole('heading', { name: empty })).toHaveCount(0)
  await expect(panel.getByText(/^No |None yet/)).toHaveCount(0)
  const [left, right] = [await comment.boundingBox(), await properties.boundingBox()]
  expect(left!.x + left!.width).toBeLessThan(right!.x)

  await panel.getByRole('button', { name: 'Add checklist' }).click()
  await expect(panel.getByLabel('New item')).toBeFocused()
  await page.keyboard.type('Reset the password')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('heading', { name: 'Checklist' })).toBeVisible()
  await panel.getByRole('button', { name: 'Open as a page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Look at the login' })).toBeVisible()
  await expect(page).toHaveURL(`${address}/${ids[0]}?full=true`)
  await expect(page.getByRole('button', { name: /^Ask for the VPN/ })).toHaveCount(0)
  await page.goBack()
  await expect(panel).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => panel.evaluate((element) => element.getBoundingClientRect().left)).toBe(0)
  expect(await panel.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
})

test('status, priority and assignee of the open task are chosen by two keys, and Escape in the menu closes only the menu', async ({
  page,
  sortie,
}) => {
  const { address, ids, read } = await inEngagement(page, sortie.people, TWO)
  await page.goto(`${address}/${ids[1]}`)
  const panel = page.getByRole('complementary', { name: 'Task', exact: true })
  await expect(menuField(page, 'Status')).toHaveAccessibleName('Status Open')
  await page.keyboard.press('s')
  await expect(page.getByRole('menuitem', { name: 'Blocked' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expect(panel).toBeVisible()
  for (const keys of ['sp', 'v3', 'a1']) for (const key of keys) await page.keyboard.press(key)
  await expect(menuField(page, 'Status')).toHaveAccessibleName('Status In progress')
  await expect(menuField(page, 'Priority')).toHaveAccessibleName('Priority High')
  await expect(menuField(page, 'Assignee')).not.toHaveAccessibleName(/Unassigned/)
  await expect.poll(async () => (await read(ids[1])).assignee !== null).toBe(true)
  expect(await read(ids[1])).toMatchObject({ status: 'in_progress', priority: 'high' })
  await menuField(page, 'Status').click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expect(panel).toBeVisible()
})
