import { hereMs } from '../../server/test/support/app/machine.ts'
import { createStage } from '../../server/test/support/app/server-process.ts'
import { editor, newPage, saved, typeAfter, waiting } from '../support/pages/wiki-page.ts'
import { nightly } from '../support/server/nightly.ts'
import { startServer } from '../support/server/shared-server.ts'
import { expect, openSortie, test } from '../support/server/sortie.ts'

test('two browsers write in one page at once: each shows the other user, and both texts are in it', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const { pageId, textOf } = await newPage(people, organization, 'first\n\nmiddle\n\nlast')
  const address = `/o/${organization.slug}/wiki/${pageId}?view=edit`
  await people.signIn(page, organization.owner, address)
  await people.signIn(otherPage, member, address)
  await expect(page.getByText(`Also here: ${member.name}`)).toBeVisible()
  await expect(otherPage.getByText(`Also here: ${organization.owner.name}`)).toBeVisible()
  await Promise.all([typeAfter(page, 'first', ' of one'), typeAfter(otherPage, 'last', ' of the other')])
  await expect.poll(textOf).toBe('first of one\n\nmiddle\n\nlast of the other')
  for (const each of [page, otherPage]) {
    await expect(saved(each)).toBeVisible()
    await typeAfter(each, 'middle', '.')
    await each.keyboard.press('Control+s')
    await expect(saved(each)).toBeVisible()
    await expect(editor(each)).toContainText('first of one')
    await expect(editor(each)).toContainText('last of the other')
  }
})

nightly(
  'if both changed one line, nothing is saved before the user has chosen, and both can be kept',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { pageId, textOf, write } = await newPage(people, organization, 'the port is 80')
    await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
    await expect(editor(page)).toBeVisible()
    await write('the port is 443')
    await typeAfter(page, 'the port is 80', ', open')
    await expect(page.getByRole('region', { name: 'Your text' })).toContainText('the port is 80, open')
    await expect(page.getByRole('region', { name: 'The saved text' })).toContainText('the port is 443')
    expect(await textOf()).toBe('the port is 443')
    await page.getByRole('button', { name: 'Keep both, one after the other' }).click()
    await expect(saved(page)).toBeVisible()
    expect(await textOf()).toBe('the port is 443\nthe port is 80, open')
  },
)

nightly('text typed while a choice is open is part of the kept text', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { pageId, textOf, write } = await newPage(people, organization, 'the port is 80')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
  await expect(editor(page)).toBeVisible()
  await write('the port is 443')
  await typeAfter(page, 'the port is 80', ', open')
  await expect(page.getByRole('region', { name: 'Your text' })).toBeVisible()
  await typeAfter(page, 'the port is 80, open', ', seen today')
  await page.getByRole('button', { name: 'Keep my text' }).click()
  await expect(saved(page)).toBeVisible()
  expect(await textOf()).toBe('the port is 80, open, seen today')
  await expect(page.getByRole('region', { name: 'Your text' })).toHaveCount(0)
})

nightly(
  'in the trash nothing is saved, and the user learns why instead of being asked to choose',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { pageId } = await newPage(people, organization, 'before')
    // Otherwise the page reports it before the next key.
    await page.route('**/api/web/events**', (route) => route.abort())
    await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
    await expect(editor(page)).toBeVisible()
    await people.call(organization.owner, 'DELETE', `/api/web/wiki-pages/${pageId}`, undefined, organization.id)
    await typeAfter(page, 'before', ' and after')
    await expect(page.getByRole('alert').filter({ hasText: /trash/ })).toContainText(
      'What you typed is kept in this browser.',
    )
    await expect(page.getByRole('region', { name: 'Your text' })).toHaveCount(0)
  },
)

nightly(
  '"Done" saves text typed a moment before; a user who leaves during a save finds the rest again',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { pageId, textOf } = await newPage(people, organization, 'before')
    const address = `/o/${organization.slug}/wiki/${pageId}`
    await people.signIn(page, organization.owner, `${address}?view=edit`)
    await typeAfter(page, 'before', ' and after')
    await page.getByRole('link', { name: 'Done' }).click()
    await expect(page.getByRole('main')).toContainText('before and after')
    await expect(editor(page)).toHaveCount(0)
    expect(await textOf()).toBe('before and after')

    await page.goto(`${address}?view=edit`)
    await expect(editor(page)).toBeVisible()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route(`**/api/web/wiki-pages/${pageId}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await answered
      return route.continue()
    })
    await typeAfter(page, 'before and after', ', one')
    const sending = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.keyboard.press('Control+s')
    await sending
    await page.keyboard.type(', two')
    await page.getByRole('complementary', { name: 'Navigation' }).getByRole('link', { name: 'Engagements' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Engagements' })).toBeVisible()
    answer()
    await expect.poll(textOf).toBe('before and after, one')
    await page.unroute(`**/api/web/wiki-pages/${pageId}`)
    await page.goto(`${address}?view=edit`)
    await expect(editor(page)).toContainText('before and after, one, two')
    await expect.poll(textOf).toBe('before and after, one, two')
  },
)

test('without a network the text is kept and reported as kept, also through a reload, and is saved when the network is back', async ({
  page,
  context,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { pageId, textOf } = await newPage(people, organization, 'before')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
  await expect(editor(page)).toBeVisible()
  await context.setOffline(true)
  await typeAfter(page, 'before', ' and after')
  await expect(waiting(page)).toBeVisible()
  expect(await textOf()).toBe('before')
  await context.setOffline(false)
  await expect(saved(page)).toBeVisible()
  expect(await textOf()).toBe('before and after')

  await page.route('**/api/web/wiki-pages/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
  )
  await page.keyboard.type(', and later')
  await expect(waiting(page)).toBeVisible()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(editor(page)).toContainText('before and after, and later')
  await page.unroute('**/api/web/wiki-pages/*')
  await expect(saved(page)).toBeVisible()
  expect(await textOf()).toBe('before and after, and later')
})

test("a save whose response is lost does not count as another user's change: later text is saved as well, also by the next visit", async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { pageId, textOf } = await newPage(people, organization, 'before')
  const address = `/o/${organization.slug}/wiki/${pageId}?view=edit`
  await people.signIn(page, organization.owner, address)
  await expect(editor(page)).toBeVisible()
  const { promise: never } = Promise.withResolvers<void>()
  const loseAnswer = (lost: 'reset' | 'late') =>
    page.route(
      `**/api/web/wiki-pages/${pageId}`,
      async (route) => {
        if (route.request().method() !== 'PATCH') return route.fallback()
        await route.fetch()
        if (lost === 'late') await never
        return route.abort('connectionreset')
      },
      { times: 1 },
    )
  await loseAnswer('reset')
  await typeAfter(page, 'before', ', one')
  await page.keyboard.press('Control+s')
  await expect.poll(textOf).toBe('before, one')
  await page.keyboard.type(', two')
  await expect(saved(page)).toBeVisible()
  expect(await textOf()).toBe('before, one, two')

  await loseAnswer('late')
  await page.keyboard.type(', three')
  await page.keyboard.press('Control+s')
  await expect.poll(textOf).toBe('before, one, two, three')
  await page.keyboard.type(', four')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(editor(page)).toContainText('three, four')
  await expect(saved(page)).toBeVisible()
  expect(await textOf()).toBe('before, one, two, three, four')
})

test('the last key before a reload is kept, also by a browser that stores slowly', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { pageId } = await newPage(people, organization, 'before')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
  await expect(editor(page)).toBeVisible()
  await page.route(`**/api/web/wiki-pages/${pageId}`, (route) =>
    route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
  )
  page.on('dialog', (dialog) => void dialog.accept())
  // Each write to the database of drafts ends a second after it was asked for.
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function slowPut(this: IDBObjectStore, ...values: Parameters<typeof put>) {
      const started = performance.now()
      const wait = () => {
        if (performance.now() - started < 1_000) this.count().addEventListener('success', wait)
      }
      wait()
      return put.apply(this, values)
    }
  })
  await typeAfter(page, 'before', ' and after')
  await page.reload()
  await expect(editor(page)).toContainText('before and after')
})

nightly(
  'a session that ends during writing is renewed over the page, and then the text is saved',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { pageId, textOf } = await newPage(people, organization, 'before')
    await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
    await expect(editor(page)).toBeVisible()
    // Blocks reads and saves that would ask for the session before the text is typed.
    await page.route('**/api/web/wiki-pages/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    )
    await typeAfter(page, 'before', ' and after')
    await expect(waiting(page)).toBeVisible()
    await context.clearCookies()
    await page.unroute('**/api/web/wiki-pages/*')
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByLabel('Password', { exact: true }).fill(organization.owner.password)
    await ended.getByRole('button', { name: 'Sign in' }).click()
    await expect(ended).toBeHidden()
    await expect(editor(page)).toContainText('before and after')
    await expect(saved(page)).toBeVisible()
    expect(await textOf()).toBe('before and after')
  },
)

nightly(
  'after a lid was closed for an hour while others wrote, the text continues from where it was, and is merged with theirs',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { pageId, textOf, write } = await newPage(people, organization, 'mine\n\nours\n\ntheirs')
    await page.clock.install()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
    await expect(editor(page)).toBeVisible()
    // Asleep in the middle of a word: nothing is sent, no timer runs.
    await context.setOffline(true)
    await typeAfter(page, 'mine', ' of before')
    await page.clock.pauseAt(Date.now() + 60_000)
    await write('mine\n\nours\n\ntheirs of the hour between')
    await context.setOffline(false)
    await page.clock.fastForward('01:00:00')
    await page.clock.resume()
    await page.keyboard.type(' and after')
    await expect(saved(page)).toBeVisible()
    expect(await textOf()).toBe('mine of before and after\n\nours\n\ntheirs of the hour between')
    await expect(editor(page)).toContainText('theirs of the hour between')
  },
)

nightly(
  'after the server is killed and the browser closed, the text is restored, and is saved once the server is back',
  async ({ browser }) => {
    const stage = createStage()
    const context = await browser.newContext()
    try {
      const started = await startServer(stage, {})
      const { people, origin } = openSortie(started)
      const organization = await people.organization()
      const { pageId, textOf } = await newPage(people, organization, 'before')
      const address = `${origin}/o/${organization.slug}/wiki/${pageId}?view=edit`
      const page = await context.newPage()
      await people.signIn(page, organization.owner, address)
      await expect(editor(page)).toBeVisible()
      await started.server.kill()
      await typeAfter(page, 'before', ' and after')
      await expect(waiting(page)).toBeVisible()
      await page.close({ runBeforeUnload: false })
      await (
        await stage.server({ port: started.server.port, dataDir: started.dataDir, env: { FRONTEND_URL: undefined } })
      ).ready()
      const next = await context.newPage()
      await next.goto(address)
      await expect(editor(next)).toContainText('before and after')
      await expect(saved(next)).toBeVisible()
      expect(await textOf()).toBe('before and after')
    } finally {
      await context.close()
      await stage.close()
    }
  },
)

for (const preview of ['closed', 'open'] as const)
  nightly(
    `a page of 500 kB takes keys as they are typed, the preview ${preview}, and is saved`,
    async ({ page, sortie }) => {
      const { people } = sortie
      const organization = await people.organization()
      const line = 'A **line** with a [link](https://example.com), `code` and words enough to fill it up to its end.\n'
      const { pageId, textOf } = await newPage(
        people,
        organization,
        `# Start\n\n${line.repeat(Math.floor(499_000 / line.length))}`,
      )
      await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${pageId}?view=edit`)
      await expect(editor(page)).toBeVisible()
      if (preview === 'open') await page.getByRole('button', { name: 'Preview' }).click()
      await editor(page).getByText('Start').click()
      await page.keyboard.press('End')
      // Between a key and the next frame, in milliseconds.
      await page.evaluate(() => {
        const waits: number[] = []
        Object.assign(globalThis, { waits })
        const note = () => {
          const pressed = performance.now()
          requestAnimationFrame(() => waits.push(performance.now() - pressed))
        }
        addEventListener('keydown', note, true)
      })
      const typed = ' of a long page, typed without a pause'
      await page.keyboard.type(typed)
      await expect(editor(page)).toContainText(`Start${typed}`)
      const waits = await page.evaluate(() =>
        (globalThis as unknown as { waits: number[] }).waits.toSorted((a, b) => a - b),
      )
      expect(waits).toHaveLength(typed.length)
      // A longer wait would be noticeable.
      expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(hereMs(100))
      await expect(saved(page)).toBeVisible()
      expect((await textOf()).startsWith(`# Start${typed}\n`)).toBe(true)
    },
  )

nightly(
  'every letter typed into an editor is text, also those that are shortcuts elsewhere',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { pageId, textOf } = await newPage(people, organization, 'Start')
    const address = `/o/${organization.slug}/wiki/${pageId}?view=edit`
    await people.signIn(page, organization.owner, address)
    // `g e`, `g w` and others lead to pages, `c` creates, `/` filters, `?` helps, `.` shows what is new.
    const typed = ' page, gw go gs gt gr gn gi gk gq c / ? . j k x'
    await typeAfter(page, 'Start', typed)
    await expect(saved(page)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/wiki/${pageId}\\?view=edit$`))
    expect(await textOf()).toBe(`Start${typed}`)
  },
)
