import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom, chooseOpen } from '../support/pages/choice.ts'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

nightly(
  'a page leads to the targets, results, tasks, requests and pages that it names by id, under their current titles',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { owner, id, slug } = await people.organization()
    const create = async (path: string, body: object): Promise<string> =>
      (await people.call(owner, 'POST', `/api/web/${path}`, body, id)).body.data.id
    const engagementId = await create('engagements', { name: 'Fabrikam perimeter' })
    const target = await create('targets', { engagementId, value: 'vpn.fabrikam.example' })
    const task = await create('tasks', { engagementId, title: 'Ask for an account' })
    const result = await create('results', {
      engagementId,
      title: 'Open redirect',
      asset: 'https://vpn.fabrikam.example',
      severity: 'high',
      data: {},
    })
    const request = await create('api-requests', {
      engagementId,
      name: 'Log in',
      method: 'GET',
      url: 'https://vpn.fabrikam.example/',
    })
    const other = await create('wiki-pages', { title: 'Handbook', engagementId: null, body: 'Ask first.' })
    const missing = `tgt_${'0'.repeat(26)}`
    const body = [target, task, result, request, other, missing].map((one) => `[[${one}]]`).join('\n\n')
    const notes = await create('wiki-pages', { title: 'Notes', engagementId, body })
    const address = `/o/${slug}/engagements/${engagementId}/wiki/${notes}`
    await people.signIn(page, owner, address)
    const links = page.getByRole('main').getByRole('paragraph').getByRole('link')
    await expect(links).toHaveText([
      'vpn.fabrikam.example',
      'Ask for an account',
      'Open redirect',
      'Log in',
      'Handbook',
    ])
    await expect(page.getByText(missing)).toBeVisible()
    await expectAccessible(page)
    for (const [name, leads] of [
      ['vpn.fabrikam.example', `/engagements/${engagementId}/targets?peek=${target}`],
      ['Ask for an account', `/tasks/${task}`],
      ['Open redirect', `/engagements/${engagementId}/results?peek=${result}`],
      ['Log in', `/requests/${request}`],
      ['Handbook', `/wiki/${other}`],
    ] as const) {
      await links.filter({ hasText: name }).click()
      await expect(page).toHaveURL(
        (url) => `${url.pathname}${url.search}`.startsWith(`/o/${slug}`) && url.href.endsWith(leads),
      )
      await page.goto(address)
    }
  },
)

test('a page is moved below another, serves as a template, has files, and is permanently deleted after a confirmation', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const ask = (method: string, path: string, body?: object) =>
    people.call(owner, method, `/api/web/wiki-pages${path}`, body, id)
  const create = async (title: string, body: string): Promise<string> =>
    (await ask('POST', '', { title, engagementId: null, body })).body.data.id
  const parent = await create('Methods', 'How we work.')
  await create('Accounts', 'Who has one.')
  const moved = await create('Kick-off', 'Ask who is on call.')
  const read = async () => (await ask('GET', `/${moved}`)).body.data as { parentId: string | null; isTemplate: boolean }
  await people.signIn(page, owner, `/o/${slug}/wiki/${moved}`)
  const more = page.getByRole('button', { name: 'More actions' })
  const tree = page.getByRole('navigation', { name: 'Pages' })

  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move' }).press('Enter')
  await page.getByRole('combobox', { name: 'Below' }).click()
  await expect(page.getByRole('option')).toHaveText(['The top', 'Methods', 'Accounts'])
  await chooseOpen(page.getByRole('combobox', { name: 'Below' }), 'Methods')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(tree.getByRole('listitem')).toHaveText(['Methods', 'Kick-off', 'Accounts'])
  expect((await read()).parentId).toBe(parent)
  await more.click()
  await page.getByRole('menuitem', { name: 'Move' }).click()
  await chooseFrom(page.getByLabel('Below'), 'The top')
  await chooseFrom(page.getByLabel('Position'), 'Before Methods')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(tree.getByRole('listitem')).toHaveText(['Kick-off', 'Methods', 'Accounts'])

  const files = page.getByRole('region', { name: 'Files' })
  await files
    .locator('input[type="file"]')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('who is on call') })
  await expect(files.getByRole('link', { name: 'notes.txt' })).toBeVisible()
  await files.getByRole('button', { name: 'Delete notes.txt' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await expect(files.getByText('No files.')).toBeVisible()

  await more.click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  await expect(page.getByText(/^A template\./)).toBeVisible()
  expect((await read()).isTemplate).toBe(true)
  await page.getByRole('button', { name: 'New page' }).click()
  await page.getByLabel('Title').fill('Kick-off of Contoso')
  await chooseFrom(page.getByLabel('Template'), 'Kick-off')
  await page.getByRole('button', { name: 'Create page' }).click()
  await expect(page.getByRole('textbox', { name: 'Text of the page' })).toContainText('Ask who is on call.')

  await visit(page, `/o/${slug}/wiki/${moved}`)
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect(page).toHaveURL((url) => url.pathname === `/o/${slug}/wiki`)
  await tree.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: 'Delete forever: Kick-off' }).click()
  await expect(page.getByRole('dialog')).toContainText("This can't be undone.")
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect((await ask('GET', `/${moved}`)).status).toBe(200)
  await page.getByRole('link', { name: 'Kick-off', exact: true }).click()
  await page.getByRole('button', { name: 'Delete forever' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete forever' }).click()
  await expect(page.getByText('The trash is empty.')).toBeVisible()
  expect((await ask('GET', `/${moved}`)).status).toBe(404)
})

nightly(
  'the palette creates, edits and moves pages, and the path to a page names those above it',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { owner, id, slug } = await people.organization()
    const create = async (path: string, body: object): Promise<string> =>
      (await people.call(owner, 'POST', `/api/web/${path}`, body, id)).body.data.id
    const engagementId = await create('engagements', { name: 'Contoso' })
    const top = await create('wiki-pages', { title: 'Methods', engagementId })
    const middle = await create('wiki-pages', { title: 'Recon', engagementId, parentId: top })
    const low = await create('wiki-pages', { title: 'Names', engagementId, parentId: middle })
    const wiki = `/o/${slug}/engagements/${engagementId}/wiki`
    await page.setViewportSize({ width: 1440, height: 900 })
    await people.signIn(page, owner, `${wiki}/${low}`)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
    await expect(crumbs).toHaveText(['Engagements', 'Contoso', 'Wiki', 'Methods', 'Recon'])
    await crumbs.last().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Recon' })).toBeVisible()
    await expect(crumbs).toHaveText(['Engagements', 'Contoso', 'Wiki', 'Methods'])
    await expectAccessible(page)

    const choose = async (words: string, name: string) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(words)
      await expect(page.getByRole('option', { selected: true })).toContainText(name)
      await page.keyboard.press('Enter')
    }
    await choose('move this', 'Move this page')
    await expect(page.getByRole('dialog', { name: 'Move the page' })).toBeVisible()
    await page.keyboard.press('Escape')
    await choose('below this', 'New page below this one')
    await expect(page.getByLabel('Title')).toBeFocused()
    await page.keyboard.type('Ports')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Ports' })).toBeVisible()
    await expect(crumbs).toHaveText(['Engagements', 'Contoso', 'Wiki', 'Methods', 'Recon'])
    await page.goto(`${wiki}/${low}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Names' })).toBeVisible()
    await choose('edit this', 'Edit this page')
    await expect(page.getByRole('textbox', { name: 'Text of the page' })).toBeFocused()

    await page.goto(`/o/${slug}/engagements/${engagementId}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Contoso' })).toBeVisible()
    await choose('new page', 'New page')
    await expect(page.getByRole('dialog', { name: 'New page' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(new RegExp(`${wiki}$`))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('c')
    await page.getByLabel('Title').fill('Accounts')
    await page.keyboard.press('Enter')
    await expect(crumbs).toHaveText(['Engagements', 'Contoso', 'Wiki'])
  },
)

test('text in double brackets is the title of a page, also if it looks like an address or like Markdown', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const create = async (body: object): Promise<string> =>
    (await people.call(owner, 'POST', '/api/web/wiki-pages', { engagementId: null, ...body }, id)).body.data.id
  const titles = ['www.contoso.example', 'admin@contoso.example', '__init__', 'https://contoso.example/login']
  for (const title of titles) await create({ title })
  const body = `${titles.map((title) => `[[${title}]]`).join(' ')} ![[__init__]] [[nothing]] [[1]](https://fabrikam.example) [of [[__init__]]](https://fabrikam.example)`
  await people.signIn(page, owner, `/o/${slug}/wiki/${await create({ title: 'Hosts', body })}`)
  const links = page.getByRole('main').getByRole('paragraph').getByRole('link')
  await expect(links).toHaveText([...titles, '__init__', '[1]', 'of __init__'])
  for (const link of (await links.all()).slice(0, 5))
    await expect(link).toHaveAttribute('href', new RegExp(`^/o/${slug}/wiki/wik_`))
})
