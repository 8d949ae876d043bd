import path from 'node:path'
import type { Page } from '@playwright/test'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import pg from 'pg'
import {
  fillReport,
  fillTasks,
  fillWiki,
  longText,
  picture,
  resultRows,
  type Send,
  senderOf,
  SIZES,
} from '../../server/test/support/sizes/fill.ts'
import { isNightly } from '../support/server/nightly.ts'
import { sharedServer } from '../support/server/shared-server.ts'
import { expect, type Sortie, test } from '../support/server/sortie.ts'

/** The stated sizes at night; with a commit smaller ones, within the same bounds. */
const SIZE = isNightly ? SIZES : { ...SIZES, pages: 400, tasks: 400, results: 2_000, findings: 30, pictures: 20 }
/** Elements of a page, whatever the number of objects. */
const MAX_ELEMENTS = 2_500
/** Of the text of a page, which has tens of thousands of words. */
const MAX_TEXT_ELEMENTS = 20_000

const opened = async ({ people, origin }: Sortie, page: Page) => {
  const organization = await people.organization()
  const session = await people.session(organization.owner, organization.id)
  const key = { name: 'fill', environment: 'live', scopes: [...SCOPE_NAMES] }
  const { value } = (await session('POST', '/api/web/api-keys', key)).data
  const send = senderOf(origin, { authorization: `Bearer ${value}` })
  const engagementId: string = (await send('POST', '/engagements', { name: 'Large' })).id
  await people.signIn(page, organization.owner, '/')
  return { organization, send, engagementId, base: `/o/${organization.slug}/engagements/${engagementId}` }
}

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)

/** Requests of a page to the API, from now on. */
const listen = (page: Page) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/web/')) asked.push(pathname + search)
  })
  return { take: (part: string) => asked.splice(0).filter((address) => address.includes(part)) }
}

const titlesOf = async (send: Send, engagementId: string) =>
  (await send('GET', `/wiki-pages?engagementId=${engagementId}&tree=true`)) as { id: string; title: string }[]

test('a wiki at its stated size reads its tree once, shows what is in view, and follows others', async ({
  page,
  sortie,
}) => {
  const { send, engagementId, base } = await opened(sortie, page)
  await fillWiki(send, engagementId, SIZE.pages)
  const requests = listen(page)
  await page.goto(`${base}/wiki?view=all`)
  const tree = page.getByRole('navigation', { name: 'Pages' })
  await expect(tree.getByRole('link', { name: 'Page 00000' })).toBeVisible()
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
  const last = `Page ${String(SIZE.pages - 1).padStart(5, '0')}`
  await tree.getByRole('region').evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(tree.getByRole('link', { name: last })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(last.slice(-5))
  await expect(tree.getByRole('listitem')).toHaveText([last])
  await tree.getByRole('link', { name: last }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(last)
  await page.getByLabel('Filter the pages').fill('')
  await tree.getByRole('link', { name: last }).waitFor()

  // Others save and open pages all the time. A title comes with the pages that changed last; a new page with the tree.
  const all = await titlesOf(send, engagementId)
  const [first, neighbour] = [all[0], all.at(-2)] as [{ id: string }, { id: string; title: string }]
  await send('PATCH', `/wiki-pages/${first.id}`, { body: 'Saved by others.', baseRevision: 1 })
  await send('PATCH', `/wiki-pages/${neighbour.id}`, { title: 'Renamed by others' })
  await expect(tree.getByRole('link', { name: 'Renamed by others' })).toBeVisible()
  await tree.getByRole('link', { name: 'Renamed by others' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renamed by others')
  for (const { id, title } of all.slice(-6, -2)) {
    await send('PATCH', `/wiki-pages/${id}`, { title: `${title} of others` })
    await tree.getByRole('link', { name: `${title} of others` }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${title} of others`)
  }
  // When the wiki opens, and once the stream of events is open.
  expect(requests.take('tree=true').length).toBeLessThanOrEqual(2)
  await send('DELETE', `/wiki-pages/${all.at(-1)?.id}`)
  await expect(tree.getByRole('link', { name: last })).toHaveCount(0)
  expect(requests.take('tree=true').length).toBeGreaterThanOrEqual(1)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /^Move/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Move the page' })
  await dialog.getByRole('combobox', { name: 'Below' }).fill('Page 00100')
  await page.getByRole('option', { name: 'Page 00100' }).click()
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Page 00100')
})

test('a page of the stated length opens, is edited where its end is, and is saved', async ({ page, sortie }) => {
  const { send, engagementId, base } = await opened(sortie, page)
  const body = longText(SIZE.pageCharacters)
  const { id } = await send('POST', '/wiki-pages', { engagementId, title: 'Long', body })
  await page.goto(`${base}/wiki/${id}`)
  await expect(page.getByRole('heading', { name: 'Host 1', exact: true })).toBeVisible()
  const parts = body.match(/^## Host \d+$/gm)?.length
  await expect(page.getByRole('heading', { name: `Host ${(parts ?? 0) - 1}`, exact: true })).toBeAttached()
  expect(await elements(page)).toBeLessThan(MAX_TEXT_ELEMENTS)
  await page.keyboard.press('e')
  const editor = page.locator('.cm-content')
  await editor.click()
  await page.keyboard.press('Control+End')
  // The text is as long as it may be.
  for (let index = 0; index < 6; index++) await page.keyboard.press('Backspace')
  await page.keyboard.type(' done')
  await expect(editor).toContainText(' done')
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
  await expect
    .poll(async () => ((await send('GET', `/wiki-pages/${id}`)) as { body: string }).body.endsWith(' done'))
    .toBe(true)
})

test('a board at its stated size draws the cards in view, scrolls to its end, and moves a card by key', async ({
  page,
  sortie,
}) => {
  const { send, engagementId, base } = await opened(sortie, page)
  await fillTasks(send, engagementId, SIZE.tasks)
  const requests = listen(page)
  await page.goto(`${base}/tasks`)
  await page.getByRole('button', { name: 'Show them' }).click()
  requests.take('')
  const open = page.getByRole('region', { name: 'Open' })
  const cards = open.getByRole('button', { name: /^Check / })
  await expect(open.getByRole('heading')).toHaveText(`Open ${SIZE.tasks}`)
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
  // Each column reads one window, and again once the stream of events is open.
  expect(requests.take('/tasks?').length).toBeLessThanOrEqual(10)
  const scroller = open.locator('ul').locator('xpath=..')
  const first = await cards.first().textContent()
  const windows = Math.min(SIZE.tasks / 100, 20)
  await expect(async () => {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    expect(await scroller.evaluate((element) => element.scrollHeight / 68)).toBeGreaterThan(windows * 100 - 50)
  }).toPass()
  expect(await cards.first().textContent()).not.toBe(first)
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
  expect(requests.take('/tasks?').length).toBeLessThan(windows + 5)
  const card = cards.nth(5)
  await card.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page.getByRole('region', { name: 'In progress' }).getByRole('button', { name: /^Check / })).toHaveCount(
    1,
  )
})

test('a list of results at its stated size opens, scrolls, is filtered and searched, and shows a row by key', async ({
  page,
  sortie,
}) => {
  const { organization, engagementId, base } = await opened(sortie, page)
  const database = new pg.Client({
    host: path.join(sharedServer().dataDir, 'postgres'),
    port: 5432,
    user: 'sortie',
    database: 'sortie',
  })
  await database.connect()
  await database.query(resultRows(organization.id, engagementId, SIZE.results))
  await database.end()
  const requests = listen(page)
  await page.goto(`${base}/results?sort=asset&order=asc`)
  const grid = page.getByRole('grid', { name: 'Results' })
  await expect(grid.getByRole('row', { name: /Result 1\b/ })).toBeVisible()
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
  expect(requests.take('/results?').length).toBeLessThanOrEqual(2)
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(grid.getByRole('row', { name: /Result 400\b/ })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
  // A window for each hundred rows; those that were read are read again once the stream of events is open.
  expect(requests.take('/results?').length).toBeLessThanOrEqual(10)
  await page.keyboard.press('/')
  await page.keyboard.type('severity:high host-1003')
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('row', { name: /Result 1003\b/ })).toBeVisible()
  await page.locator('body').click({ position: { x: 600, y: 20 } })
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Result 1003')
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
})

test('a report at its stated size opens in the editor, and its preview follows what is typed', async ({
  page,
  sortie,
}) => {
  const { send, engagementId, base } = await opened(sortie, page)
  const id = await fillReport(send, engagementId, SIZE.findings, SIZE.pictures)
  const requests = listen(page)
  await page.goto(`${base}/reports/${id}`)
  const outline = page.getByRole('navigation', { name: 'Sections of the report' })
  await expect(outline).toBeVisible()
  const preview = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe[data-ready]')
  const last = `Finding ${String(SIZE.findings - 1).padStart(5, '0')}`
  await expect(preview.getByText(last).last()).toBeAttached()
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
  await outline.getByRole('link').first().click()
  await page.getByRole('textbox', { name: 'Text of the section' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Typed into the report.')
  await expect(preview.getByText('Typed into the report.')).toBeAttached()
  const pictures = preview.locator('main img[src^="data:image/png"]')
  await expect(pictures).toHaveCount(SIZE.pictures)
  // With all pictures until the first is shown; what was typed comes without them.
  const previews = requests.take('/html?')
  expect(previews.filter((address) => address.includes('pictures=named')).length).toBeLessThanOrEqual(4)
  expect(previews.filter((address) => address.includes('pictures=omitted')).length).toBeGreaterThanOrEqual(1)
  const [finding] = (await send('GET', `/findings?engagementId=${engagementId}&perPage=1`)) as { id: string }[]
  await send('POST', `/findings/${finding?.id}/files?fileName=new.png`, picture(-1))
  await expect(pictures).toHaveCount(SIZE.pictures + 1)
  await page.keyboard.type(' And more.')
  await expect(preview.getByText('And more.')).toBeAttached()
  await expect(pictures).toHaveCount(SIZE.pictures + 1)
  expect(await elements(page)).toBeLessThan(MAX_ELEMENTS)
})
