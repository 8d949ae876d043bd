import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import type { Sortie } from '../support/server/sortie.ts'
import { expect, test } from '../support/server/sortie.ts'

const prepare = async ({ people }: Sortie) => {
  const organization = await people.organization()
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body.data
  }
  const engagementId = (await ask('POST', '/engagements', { name: 'Documented' })).id as string
  const create = async (title: string, body = ''): Promise<string> =>
    (await ask('POST', '/wiki-pages', { engagementId, title, body })).id
  return { organization, ask, engagementId, create, home: `/o/${organization.slug}/engagements/${engagementId}/wiki` }
}

test('the wiki opens at the page that was open last, its tree is filtered, and headings are an outline', async ({
  page,
  sortie,
}) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  const { organization, create, home } = await prepare(sortie)
  await create('Kick-off')
  const section = (title: string) => `## ${title}\n\n${'A paragraph of the report.\n\n'.repeat(40)}`
  const id = await create('Accounts', `${section('Portal')}${section('Mail')}### Shared\n\ntext\n\n${section('Door')}`)
  await sortie.people.signIn(page, organization.owner, home)
  await expect(page.getByText('Choose a page')).toBeVisible()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Accounts' }).click()
  const outline = page.getByRole('navigation', { name: 'On this page' })
  await expect(outline.getByRole('button')).toHaveText(['Portal', 'Mail', 'Shared', 'Door'])
  await outline.getByRole('button', { name: 'Door' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Door' })).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Door' })).toBeFocused()
  await expectAccessible(page)

  await visit(page, home)
  await expect(page).toHaveURL(`${home}/${id}`)
  await page.keyboard.press('/')
  await page.keyboard.type('kick')
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Accounts' })).toBeHidden()
  await page.keyboard.press('Escape')
})

test('pages are dragged next to others and below them, and the toast moves them back', async ({ page, sortie }) => {
  const { organization, ask, engagementId, create, home } = await prepare(sortie)
  for (const title of ['First', 'Second', 'Third']) await create(title)
  await sortie.people.signIn(page, organization.owner, home)
  const tree = page.getByRole('navigation', { name: 'Pages' })
  const link = (name: string) => tree.getByRole('link', { name })
  const order = async () => {
    const pages = (await ask('GET', `/wiki-pages?engagementId=${engagementId}&tree=true`)) as {
      title: string
      parentId: string | null
    }[]
    return pages.map(({ title, parentId }) => `${parentId === null ? '' : '> '}${title}`)
  }
  await link('Third').dragTo(link('First'), { targetPosition: { x: 30, y: 2 } })
  await expect.poll(order).toEqual(['Third', 'First', 'Second'])
  await expect(tree.getByRole('link')).toHaveText(['Third', 'First', 'Second', 'Trash'])
  await link('Second').dragTo(link('Third'))
  await expect.poll(order).toEqual(['Third', '> Second', 'First'])
  await page.getByRole('status').filter({ hasText: 'Second' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(order).toEqual(['Third', 'First', 'Second'])
})

test('the editor shows links and pictures, and what others save while one is idle', async ({ page, sortie }) => {
  const { organization, ask, create, home } = await prepare(sortie)
  const id = await create('Notes', 'See [[Accounts]] and [the portal](https://portal.contoso.example).\n')
  await sortie.people.signIn(page, organization.owner, `${home}/${id}?view=edit`)
  const editor = page.getByRole('textbox', { name: 'Text of the page' })
  await expect(editor.locator('.cm-app-link')).toHaveText(['[[Accounts]]', 'the portal'])
  await expect(editor.locator('.cm-app-address').first()).toHaveText('](https://portal.contoso.example)')
  const revision = (await ask('GET', `/wiki-pages/${id}`)).revision
  await ask('PATCH', `/wiki-pages/${id}`, {
    body: 'See [[Accounts]].\n\nWritten by someone else.\n',
    baseRevision: revision,
  })
  await expect(editor).toContainText('Written by someone else.')
  await editor.press('Control+End')
  await page.keyboard.type('And by me.')
  await expect
    .poll(async () => (await ask('GET', `/wiki-pages/${id}`)).body)
    .toBe('See [[Accounts]].\n\nWritten by someone else.\nAnd by me.')

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'File', exact: true }).click(),
  ])
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await chooser.setFiles({ name: 'login.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
  await expect(editor.getByRole('img', { name: 'login.png' })).toBeVisible()
  await expectAccessible(page)
})
