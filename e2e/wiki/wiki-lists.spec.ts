import { readFile } from 'node:fs/promises'
import { zipOf } from '../../server/test/support/inputs/zip.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

/** One more than is read at once. */
const MANY = 51

nightly(
  'the history of a page is shown to its first entry, part by part, and each entry shows its change',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { owner, id, slug } = await people.organization()
    const ask = await people.session(owner, id)
    const { data } = await ask('POST', '/api/web/wiki-pages', { title: 'Notes', engagementId: null, body: 'first' })
    await ask('PATCH', `/api/web/wiki-pages/${data.id}`, { body: 'second', baseRevision: 1 })
    // Each restored text is a separate entry.
    for (let entry = 1; entry < MANY; entry++)
      await ask('POST', `/api/web/wiki-pages/${data.id}/revisions/${entry % 2 ? 1 : 2}/restore`)
    await people.signIn(page, owner, `/o/${slug}/wiki/${data.id}?view=history`)
    const main = page.getByRole('main')
    const entries = main.getByRole('button', { name: /bytes/ })
    // The change of the last entry read so far is not known yet.
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
  },
)

nightly('the trash and the pages that link to one are shown completely, part by part', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const ask = await people.session(owner, id)
  const create = async (body: object): Promise<string> =>
    (await ask('POST', '/api/web/wiki-pages', { engagementId: null, ...body })).data.id
  const named = await create({ title: 'Handbook' })
  const top = await create({ title: 'Field notes' })
  for (let index = 1; index < MANY; index++)
    await create({ title: `Note ${index}`, body: '[[Handbook]]', parentId: top, engagementId: undefined })
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

test('a wiki is exported and imported by its buttons, and everything left out is listed with the reason', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const ask = await people.session(owner, id)
  await ask('POST', '/api/web/wiki-pages', { title: 'Handbook', engagementId: null, body: 'Ask first.' })
  await people.signIn(page, owner, `/o/${slug}/wiki`)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  expect((await readFile(await (await download).path())).toString('latin1')).toContain('Handbook.md')

  const strange = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`strange ${index}.exe`, 'MZ']))
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import' }).click()
  await (
    await choosing
  ).setFiles({
    name: 'notes.zip',
    mimeType: 'application/zip',
    buffer: zipOf({ 'Field notes.md': 'From elsewhere.', ...strange }),
  })
  const dialog = page.getByRole('dialog', { name: '7 entries left out' })
  await expect(dialog.getByRole('listitem')).toHaveCount(7)
  await expect(dialog.getByRole('listitem').last()).toContainText('strange 6.exe')
  await expect(dialog.getByRole('listitem').last()).toContainText('It belongs to no page.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem')).toHaveText([
    'Handbook',
    'Field notes',
  ])
})

nightly(
  'of a tree of thousands only the visible part is in the page, starting at the open page',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { owner, id, slug } = await people.organization()
    await people.signIn(page, owner, `/o/${slug}/wiki`)
    const pages = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`Note ${String(index).padStart(4, '0')}.md`, 'Of one host.']),
    )
    const imported = await page.request.post('/api/web/wiki-pages/import', {
      headers: { 'x-organization': id },
      data: zipOf(pages),
    })
    expect(imported.status()).toBe(201)
    const ask = await people.session(owner, id)
    const { data } = (await ask('GET', '/api/web/wiki-pages?organization=true&tree=true')) as {
      data: { id: string; title: string }[]
    }
    const open = data.find(({ title }) => title === 'Note 2000') as { id: string }
    await page.goto(`/o/${slug}/wiki/${open.id}`)
    const entries = page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem')
    await expect(entries.getByRole('link', { name: 'Note 2000' })).toBeInViewport()
    expect(await entries.count()).toBeLessThan(100)
    await expectAccessible(page)
    await entries.getByRole('link', { name: 'Note 2001' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Note 2001')
  },
)
