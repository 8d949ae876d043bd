import { expectAccessible } from '../support/pages/accessible.ts'
import { editor, newPage, saved, typeAfter, waiting } from '../support/pages/wiki-page.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('a user who keeps their own text keeps what others wrote elsewhere; each passage that both changed has its own choice', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { pageId, textOf, write } = await newPage(people, organization, 'port 80\n\nopen\n\nhost a\n\nclosed\n')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
  await expect(editor(page)).toBeVisible()
  const { promise: othersSaved, resolve: saveFirst } = Promise.withResolvers<void>()
  await page.route(`**/api/web/wiki-pages/${pageId}`, async (route) => {
    if (route.request().method() === 'PATCH') await othersSaved
    return route.continue()
  })
  await typeAfter(page, 'port 80', '80')
  await typeAfter(page, 'host a', 'a')
  await write('port 443\n\nopen\n\nhost b\n\nclosed since Monday\n')
  saveFirst()
  const yours = page.getByRole('region', { name: 'Your text' })
  await expect(yours).toHaveText([/Yours \(1 of 2\)port 8080/, /Yours \(2 of 2\)host aa/])
  await expect(page.getByRole('region', { name: 'The saved text' })).toHaveText([/port 443/, /host b/])
  await expectAccessible(page)
  await yours.first().getByRole('button', { name: 'Keep my text' }).click()
  await expect(yours.first().getByRole('button', { name: 'Keep my text' })).toHaveAttribute('aria-pressed', 'true')
  expect(await textOf()).toContain('port 443')
  await page.getByRole('button', { name: 'Keep both, one after the other' }).last().press('Enter')
  await expect(saved(page)).toBeVisible()
  expect(await textOf()).toBe('port 8080\n\nopen\n\nhost b\nhost aa\n\nclosed since Monday\n')
  await expect(editor(page)).toContainText('closed since Monday')
})

test('a page with Windows line breaks keeps them: opening it changes nothing, typing changes only that line', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { pageId, read, textOf, write } = await newPage(people, organization, 'one\r\ntwo\rthree\r\n\r\nfour\n')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
  await expect(editor(page)).toBeVisible()
  await page.keyboard.press('Control+s')
  expect((await read()).revision).toBe(1)
  await typeAfter(page, 'one', '!')
  await page.keyboard.press('Control+s')
  await expect(saved(page)).toBeVisible()
  expect(await textOf()).toBe('one!\r\ntwo\rthree\r\n\r\nfour\n')
  await write('one!\r\ntwo\rthree\r\n\r\nfour\r\nfive\r\n')
  await typeAfter(page, 'one!', '!')
  await page.keyboard.press('Enter')
  await page.keyboard.type('and a half')
  await expect.poll(textOf).toBe('one!!\nand a half\r\ntwo\rthree\r\n\r\nfour\r\nfive\r\n')
  await expect(editor(page)).toContainText('five')
  await typeAfter(page, 'five', '!')
  await expect.poll(textOf).toBe('one!!\nand a half\r\ntwo\rthree\r\n\r\nfour\r\nfive!\r\n')
})

test('the text of a writer is kept when the page is moved to the trash: the page reports it, restores it, and saves it once the page is back', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { pageId, textOf } = await newPage(people, organization, 'before')
  const trash = (method: string, path: string) =>
    people.call(organization.owner, method, `/api/web/wiki-pages/${pageId}${path}`, undefined, organization.id)
  const address = `/o/${organization.slug}/wiki/${pageId}`
  await people.signIn(page, organization.owner, `${address}?view=edit`)
  await typeAfter(page, 'before', ' and after')
  await trash('DELETE', '')
  await expect(page.getByRole('alert').filter({ hasText: 'moved to the trash' })).toContainText(
    'What you typed is kept in this browser.',
  )
  await expect(editor(page)).toContainText('before and after')
  await expectAccessible(page)

  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(address)
  const notice = page.getByRole('status').filter({ hasText: 'You have unsaved changes to this page' })
  await expect(notice).toContainText('before and after')
  await trash('POST', '/restore')
  await notice.getByRole('link', { name: 'Continue editing' }).click()
  await expect.poll(textOf).toBe('before and after')
  await expect(saved(page)).toBeVisible()
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page.getByRole('main')).toContainText('before and after')
  await expect(notice).toHaveCount(0)
})

nightly(
  'an unsaved text is offered when its page is opened, and is deleted once it is discarded',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { pageId, textOf } = await newPage(people, organization, 'before')
    const address = `/o/${organization.slug}/wiki/${pageId}`
    await people.signIn(page, organization.owner, `${address}?view=edit`)
    await page.route('**/api/web/wiki-pages/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    )
    await typeAfter(page, 'before', ' and after')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.goto(address)
    const notice = page.getByRole('status').filter({ hasText: 'You have unsaved changes to this page' })
    await notice.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await expect(notice).toHaveCount(0)
    await page.unroute('**/api/web/wiki-pages/*')
    await page.goto(`${address}?view=edit`)
    await expect(editor(page)).toHaveText('before')
    expect(await textOf()).toBe('before')
  },
)

nightly(
  'two tabs of one browser keep a text each: both are restored, one after another',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { pageId, textOf } = await newPage(people, organization, 'one\n\nmiddle\n\ntwo')
    const address = `/o/${organization.slug}/wiki/${pageId}`
    await people.signIn(page, organization.owner, `${address}?view=edit`)
    const other = await context.newPage()
    await other.goto(`${address}?view=edit`)
    for (const [tab, line] of [[page, 'one'] as const, [other, 'two'] as const]) {
      await tab.route('**/api/web/wiki-pages/*', (route) =>
        route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
      )
      await tab.bringToFront()
      await typeAfter(tab, line, ' and more')
      await expect(waiting(tab)).toBeVisible()
    }
    await page.close()
    await other.close()
    const next = await context.newPage()
    await next.goto(address)
    const notice = next.getByRole('status').filter({ hasText: 'You have unsaved changes to this page' })
    for (const text of ['one\n\nmiddle\n\ntwo and more', 'one and more\n\nmiddle\n\ntwo and more']) {
      await notice.getByRole('link', { name: 'Continue editing' }).click()
      await expect.poll(textOf).toBe(text)
      await expect(saved(next)).toBeVisible()
      await next.getByRole('link', { name: 'Done' }).click()
    }
    await expect(next.getByRole('main')).toContainText('one and more')
    await expect(notice).toHaveCount(0)
  },
)
