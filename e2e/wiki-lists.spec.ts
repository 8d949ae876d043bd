import { expectAccessible } from './support/accessible.ts'
import { nightly } from './support/nightly.ts'
import { expect } from './support/sortie.ts'

/** One more than is read at once. */
const MANY = 51

nightly('the history of a page is shown to its first entry, part by part, and each entry says what it changed', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const ask = await people.session(owner, id)
  const { data } = await ask('POST', '/api/web/wiki-pages', { title: 'Notes', engagementId: null, body: 'first' })
  await ask('PATCH', `/api/web/wiki-pages/${data.id}`, { body: 'second', baseRevision: 1 })
  // Each text that is brought back is an entry of its own.
  for (let entry = 1; entry < MANY; entry++) await ask('POST', `/api/web/wiki-pages/${data.id}/revisions/${entry % 2 ? 1 : 2}/restore`)
  await people.signIn(page, owner, `/o/${slug}/wiki/${data.id}?view=history`)
  const main = page.getByRole('main')
  const entries = main.getByRole('button', { name: /bytes/ })
  // Of the last one that was read it is not known yet what it changed.
  await expect(entries).toHaveCount(MANY - 2)
  await entries.last().click()
  await expect(main.getByRole('region', { name: /^Revision/ }).locator('[data-type="added"]')).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show more' }).focus()
  await page.keyboard.press('Enter')
  // The second save belongs to the first entry: one person made both within ten minutes.
  await expect(entries).toHaveCount(MANY)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  await entries.last().click()
  await expect(main.getByRole('region', { name: 'Revision 2' })).toContainText('second')
})

nightly('the trash and the pages that link to one are shown whole, part by part', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const ask = await people.session(owner, id)
  const create = async (body: object): Promise<string> => (await ask('POST', '/api/web/wiki-pages', { engagementId: null, ...body })).data.id
  const named = await create({ title: 'Handbook' })
  const top = await create({ title: 'Field notes' })
  for (let index = 1; index < MANY; index++) await create({ title: `Note ${index}`, body: '[[Handbook]]', parentId: top, engagementId: undefined })
  await create({ title: 'Summary', body: '[[Handbook]]' })
  await people.signIn(page, owner, `/o/${slug}/wiki/${named}`)
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Linked from' }) })
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(section.getByRole('link')).toHaveCount(MANY - 1)
  await expectAccessible(page)
  await more.click()
  await expect(section.getByRole('link')).toHaveCount(MANY)
  await expect(more).toHaveCount(0)
  expect(new Set(await section.getByRole('link').allTextContents()).size).toBe(MANY)

  await ask('DELETE', `/api/web/wiki-pages/${top}`)
  await page.goto(`/o/${slug}/wiki?view=trash`)
  const trashed = page.getByRole('main').getByRole('link', { name: /^(?:Note \d+|Field notes)$/ })
  await expect(trashed).toHaveCount(MANY - 1)
  await expectAccessible(page)
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(trashed).toHaveCount(MANY)
  await expect(more).toHaveCount(0)
  expect(new Set(await trashed.allTextContents()).size).toBe(MANY)
})
