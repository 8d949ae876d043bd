import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import type { Sortie } from '../support/server/sortie.ts'
import { expect, test } from '../support/server/sortie.ts'

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })

/** The editor of a page of the organization's wiki, and a function that reads the saved text. */
const openEditor = async (page: Page, { people }: Sortie, body: string) => {
  const { owner, id, slug } = await people.organization()
  const ask = (method: string, path: string, content?: object) =>
    people.call(owner, method, `/api/web/wiki-pages${path}`, content, id)
  const pageId: string = (await ask('POST', '', { title: 'Notes', engagementId: null, body })).body.data.id
  await people.signIn(page, owner, `/o/${slug}/wiki/${pageId}?view=edit`)
  await expect(editor(page)).toBeFocused()
  const saved = async (): Promise<string> => {
    await page.keyboard.press('Control+s')
    await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
    return (await ask('GET', `/${pageId}`)).body.data.body
  }
  const create = async (path: string, content: object): Promise<string> =>
    (await people.call(owner, 'POST', `/api/web/${path}`, content, id)).body.data.id
  return { saved, create }
}

/** A list that has just appeared or changed ignores keys for 75 ms: a key meant for the text would choose an entry. */
const LIST_TAKES_KEYS_MS = 500

test('a slash at the start of a line offers blocks, which the keyboard chooses; elsewhere it is a slash', async ({
  page,
  sortie,
}) => {
  const { saved } = await openEditor(page, sortie, '')
  const offers = page.getByRole('option')
  await page.keyboard.type('/')
  await expect(offers.first()).toContainText('/heading')
  await expect(offers.first()).toHaveAttribute('aria-selected', 'true')
  await expect(editor(page)).toHaveAttribute('aria-activedescendant', /./)
  await expectAccessible(page)
  await page.keyboard.type('tab')
  await expect(offers).toHaveCount(1)
  await page.waitForTimeout(LIST_TAKES_KEYS_MS)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Host')
  await expect(offers).toHaveCount(0)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('/code')
  await expect(offers).toHaveText([/\/code/])
  await page.waitForTimeout(LIST_TAKES_KEYS_MS)
  await page.keyboard.press('Enter')
  await page.keyboard.type('id')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('see /etc')
  await expect(offers).toHaveCount(0)
  expect(await saved()).toBe('| HostColumn | Column |\n| --- | --- |\n|  |  |\n```\nid\n```\nsee /etc')
})

nightly('a slash and the toolbar choose files, and the text names them', async ({ page, sortie }) => {
  const { saved } = await openEditor(page, sortie, '')
  // The browser reports file choosers from now on: requested only when one is about to open, this may be late.
  page.on('filechooser', () => undefined)
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('who is on call') }
  await page.keyboard.type('/file')
  await expect(editor(page)).toHaveText('/file')
  await expect(page.getByRole('option')).toHaveText([/\/file/])
  await page.waitForTimeout(LIST_TAKES_KEYS_MS)
  const chooser = page.waitForEvent('filechooser', { timeout: 40_000 })
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(file)
  await expect(editor(page)).toContainText('[notes.txt](fil_')
  const again = page.waitForEvent('filechooser', { timeout: 40_000 })
  await page.getByRole('button', { name: 'File', exact: true }).click()
  await (await again).setFiles({ ...file, name: 'more.txt' })
  await expect(editor(page)).toContainText('[more.txt](fil_')
  expect(await saved()).toMatch(/^\[notes\.txt\]\(fil_\w+\)\n\[more\.txt\]\(fil_\w+\)\n$/)
})

nightly(
  'Ctrl+B and Ctrl+I set and remove marks, the toolbar makes headings and tables, and Ctrl+K opens the palette',
  async ({ page, sortie }) => {
    const { saved } = await openEditor(page, sortie, 'ports')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+b')
    await expect(editor(page)).toHaveText('**ports**')
    await page.keyboard.press('Control+i')
    await expect(editor(page)).toHaveText('***ports***')
    await page.keyboard.press('Control+i')
    await page.keyboard.press('Control+b')
    await expect(editor(page)).toHaveText('ports')
    await page.getByRole('button', { name: 'Heading' }).focus()
    await page.keyboard.press('Enter')
    await expect(editor(page)).toBeFocused()
    await page.getByRole('button', { name: 'Table' }).click()
    expect(await saved()).toBe('## ports\n\n| Column | Column |\n| --- | --- |\n|  |  |\n')
    await editor(page).focus()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search pages' })).toBeFocused()
  },
)

nightly(
  'the preview follows the typed text, next to the editor, and in its place if the window is narrow',
  async ({ page, sortie }) => {
    await openEditor(page, sortie, 'first')
    const preview = page.getByRole('region', { name: 'Preview' })
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(preview).toHaveText('first')
    await editor(page).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and **second**')
    await expect(preview.locator('strong')).toHaveText('second')
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(editor(page)).toBeHidden()
    await expect(preview).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(preview).toHaveCount(0)
    await expect(editor(page)).toHaveText('first and **second**')
  },
)

test('on a phone the line being typed stays visible above the bar at the bottom', async ({
  page,
  sortie: { people },
}) => {
  const { owner, id, slug } = await people.organization()
  const create = async (path: string, content: object): Promise<string> =>
    (await people.call(owner, 'POST', `/api/web/${path}`, content, id)).body.data.id
  const engagementId = await create('engagements', { name: 'Fabrikam' })
  const pageId = await create('wiki-pages', { title: 'Notes', engagementId, body: 'line\n'.repeat(60) })
  await page.setViewportSize({ width: 390, height: 844 })
  await people.signIn(page, owner, `/o/${slug}/engagements/${engagementId}/wiki/${pageId}?view=edit`)
  await expect(editor(page)).toBeFocused()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('the last one')
  const bar = page.getByRole('navigation', { name: 'Engagement', exact: true })
  const [line, top] = [await editor(page).getByText('the last one').boundingBox(), (await bar.boundingBox())?.y]
  expect((line?.y ?? Number.NaN) + (line?.height ?? 0)).toBeLessThanOrEqual(top ?? 0)
})

test('two brackets and two letters offer matching objects; a page is named by its title, all others by their id', async ({
  page,
  sortie,
}) => {
  const { saved, create } = await openEditor(page, sortie, '')
  const engagementId = await create('engagements', { name: 'Fabrikam' })
  const target = await create('targets', { engagementId, value: 'marigold.fabrikam.example' })
  await create('wiki-pages', { title: 'Marigold house', engagementId: null, body: '' })
  const offers = page.getByRole('option')
  await page.keyboard.type('See [[mar')
  await expect(offers).toHaveCount(2)
  await page.keyboard.type('igold h')
  await expect(offers).toHaveText([/Marigold house/])
  await page.keyboard.press('Backspace')
  await expect(offers).toHaveText([/Marigold house.*Wiki page/, /marigold\.fabrikam\.example.*Target/])
  await page.keyboard.press('Enter')
  await expect(editor(page)).toHaveText('See [[Marigold house]]')
  await page.keyboard.type(' and ')
  await page.getByRole('button', { name: 'Link to a page' }).click()
  await page.keyboard.type('marigold')
  await expect(offers).toHaveCount(2)
  await page.keyboard.type('.fab')
  await expect(offers).toHaveText([/marigold\.fabrikam\.example.*Target/])
  await page.keyboard.press('Enter')
  expect(await saved()).toBe(`See [[Marigold house]] and [[${target}]]`)
})
