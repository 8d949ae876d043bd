import type { Browser, Page } from '@playwright/test'
import { zipOf } from '../../server/test/support/inputs/zip.ts'
import { LINES, PAYLOADS, partsOf, TEXTS } from '../support/hostile/payloads.ts'
import { serveUnsanitised } from '../support/hostile/unsanitised.ts'
import { expectInert } from '../support/pages/inert.ts'
import { visit } from '../support/pages/visit.ts'
import { isNightly, nightly, sampled } from '../support/server/nightly.ts'
import { expect, type Sortie, test, watch } from '../support/server/sortie.ts'

/** Removes the protections between a payload and the browser, one at a time. */
const WAYS = ['as it is', 'without its policy', 'without the sanitiser'] as const
/** Each commit runs this: a payload that passes would run, and its requests would not be blocked. */
const STRICTEST: (typeof WAYS)[number] = 'without its policy'
/** Marks the end of a text, because a long one is laid out part by part. */
const END = 'The end of all payloads.'
/** Number of hits of one search. */
const HITS = 50

/** A tab in which nothing may run, and no request may leave. */
const openTab = async (browser: Browser, { origin }: Sortie, way: (typeof WAYS)[number]) => {
  const context = await browser.newContext({ baseURL: origin, bypassCSP: way === 'without its policy' })
  if (way === 'without the sanitiser') await serveUnsanitised(context, origin)
  const offences = watch(context, origin)
  const close = async () => {
    await context.close()
    expect(offences).toEqual([])
  }
  return { tab: await context.newPage(), close }
}

test('the corpus has enough payloads, most of them of one line', () => {
  const wanted = isNightly ? 1_000 : 250
  expect(new Set(PAYLOADS).size).toBeGreaterThan(wanted)
  expect(LINES.length).toBeGreaterThan(0.8 * wanted)
})

for (const way of WAYS) {
  const declare = way === STRICTEST ? test : nightly
  declare(
    `B1, L18: ${PAYLOADS.length} payloads are text in every kind of object, the interface ${way}`,
    async ({ browser, sortie }) => {
      test.setTimeout(480_000)
      const { people } = sortie
      const organization = await people.organization()
      const session = await people.session(organization.owner, organization.id)
      const ask = async (path: string, body: object) =>
        (await session('POST', `/api/web/${path}`, body)).data as { id: string }
      const part = (maxLength: number, index = 0, texts = LINES) => {
        const parts = partsOf(texts, maxLength - END.length - 2)
        return `${parts[index % parts.length]}\n\n${END}`
      }
      /** Objects contain several: each has a field that a list shows. */
      const titles = LINES.filter((_, index) => index % Math.floor(LINES.length / 18) === 0)
      const [first = '', second = '', third = '', ...more] = titles
      const engagement = await ask('engagements', { name: first, description: part(9_000) })
      const engagementId = engagement.id
      const tasks = []
      const page = await ask('wiki-pages', {
        engagementId,
        title: third,
        body: `${part(200_000, 0, TEXTS)}[^1]\n\n[^1]: A note.`,
      })
      for (const [index] of partsOf(TEXTS, 40_000).entries()) {
        tasks.push(
          await ask('tasks', {
            engagementId,
            title: second,
            description: part(40_000, index, TEXTS),
            labels: [third.replaceAll(',', '').slice(0, 40)],
          }),
        )
      }
      for (const [index] of partsOf(TEXTS, 19_000).entries())
        await ask(`tasks/${tasks[0]?.id}/comments`, { body: part(19_000, index, TEXTS) })
      const results: { id: string }[] = []
      const targets: { id: string }[] = []
      const noteCount = partsOf(LINES, 9_000).length
      for (const [index, title] of more.entries()) {
        // The others are only listed.
        const [description, notes] = index < noteCount ? [part(19_000, index), part(9_000, index)] : [title, title]
        results.push(
          await ask('results', {
            engagementId,
            title,
            asset: title,
            severity: 'high',
            notes,
            data: { description, evidence: [title] },
          }),
        )
        targets.push(await ask('targets', { engagementId, value: title, kind: 'other', notes }))
      }
      const request = await ask('api-requests', {
        engagementId,
        name: first,
        method: 'GET',
        url: 'https://elsewhere.example/',
        description: part(9_000),
      })

      const { tab, close } = await openTab(browser, sortie, way)
      const outside = `/o/${organization.slug}`
      const inside = `${outside}/engagements/${engagementId}`
      await people.signIn(tab, organization.owner, inside)
      await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
      const lists = ['/targets', '/results', '/tasks', '/tasks?view=list', '/activity', '/requests'].map(
        (each) => inside + each,
      )
      const texts = [
        ...tasks.map(({ id }) => `${outside}/tasks/${id}`),
        // A part of the notes here and the next one there.
        ...sampled(results.slice(0, noteCount), 2).map(({ id }) => `${inside}/results?peek=${id}`),
        ...sampled(targets.slice(0, noteCount).toReversed(), 2).map(({ id }) => `${inside}/targets?peek=${id}`),
        `${inside}/wiki/${page.id}`,
      ]
      for (const address of [
        inside,
        `${outside}/requests/${request.id}`,
        ...lists,
        `${outside}/engagements`,
        ...texts,
      ]) {
        if (texts.includes(address)) {
          // Reloaded: otherwise the end of the previous text would count as this one's.
          await tab.goto(address)
          await expect(tab.getByText(END).first()).toBeAttached()
        } else await visit(tab, address)
        await expect(tab.getByRole('main')).toContainText(/onerror|onload|javascript|elsewhere|__ran/i)
        await expect(tab.locator('[aria-label="Loading"]')).toHaveCount(0)
        await expectInert(tab)
      }

      await expect(tab.locator('#fn-1')).toHaveCount(way === 'without the sanitiser' ? 1 : 0)

      await visit(tab, `${inside}/wiki/${page.id}?view=edit`)
      await expect(tab.getByRole('textbox', { name: 'Text of the page' })).toBeVisible()
      await expectInert(tab)
      await tab.getByRole('button', { name: 'Preview' }).click()
      await expect(tab.getByRole('region', { name: 'Preview' }).getByText(END)).toBeAttached()
      await expectInert(tab, '[aria-label="Preview"]')
      await expectInert(tab)
      await visit(tab, `${inside}/wiki/${page.id}?view=history`)
      await expect(tab.getByRole('region', { name: 'Revision 1' })).toContainText(END)
      await expectInert(tab)
      await close()
    },
  )
}

/** The titles of a tree from its top to its end: the page contains only the visible part of a long one. */
const treeOf = async (tab: Page): Promise<(string | null)[]> => {
  const tree = tab.getByRole('navigation', { name: 'Pages' })
  const scroller = tree.getByRole('region')
  await expect(tree.getByRole('listitem')).not.toHaveCount(0)
  const found = new Map<number, string | null>()
  for (let top: number | null = 0; top !== null;) {
    top = await scroller.evaluate(async (element, place) => {
      element.scrollTop = place
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      return element.scrollTop + element.clientHeight < element.scrollHeight - 1 ? place + element.clientHeight : null
    }, top)
    const shown = await tree
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => [Number(item.ariaPosInSet), item.textContent] as const))
    for (const [place, text] of shown) found.set(place, text)
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, text]) => text)
}

for (const way of WAYS.slice(0, 2)) {
  nightly(
    `B1, L18: ${LINES.length} payloads are text as titles and as hits of a search, the interface ${way}`,
    async ({ browser, sortie }) => {
      test.setTimeout(480_000)
      const { people } = sortie
      const organization = await people.organization()
      const session = await people.session(organization.owner, organization.id)
      const { tab, close } = await openTab(browser, sortie, way)
      await people.signIn(tab, organization.owner)
      const wordOf = (index: number) => `marigold${Math.floor(index / HITS)}x`
      const pages = LINES.map((title, index) => {
        const front = `---\nsortie: 1\ntitle: ${JSON.stringify(title)}\norder: ${index}\ntemplate: false\n---\n`
        return [`Top/${index}.md`, `${front}[[Hub]] ${wordOf(index)} ${title}`]
      })
      const imported = await tab.request.post('/api/web/wiki-pages/import', {
        headers: { 'x-organization': organization.id },
        data: zipOf({ 'Hub.md': 'Everything leads here.', 'Top.md': 'Above all.', ...Object.fromEntries(pages) }),
      })
      expect((await imported.json()).data).toEqual({ pages: LINES.length + 2, files: 0, skipped: [] })
      const { data } = (await session('GET', '/api/web/wiki-pages?organization=true&tree=true')) as {
        data: { id: string; title: string }[]
      }
      const titles = data.map(({ title }) => title)
      const idOf = (title: string) => data.find((page) => page.title === title)?.id as string
      expect(titles).toHaveLength(LINES.length + 2)

      const outside = `/o/${organization.slug}`
      await tab.goto(`${outside}/wiki/${idOf('Hub')}`)
      expect(await treeOf(tab)).toEqual(titles)
      const below = titles.filter((title) => title !== 'Hub' && title !== 'Top')
      const showAll = async () => {
        const more = tab.getByRole('button', { name: 'Show more' })
        const rows = tab.getByRole('main').locator('section li, ul[class*=entries] > li:has(button)')
        for (let shown = await rows.count(); shown < below.length; shown = await rows.count()) {
          await more.click()
          await expect.poll(() => rows.count()).toBeGreaterThan(shown)
        }
        return rows
      }
      await expect(tab.getByRole('heading', { name: 'Linked from' })).toBeVisible()
      expect((await (await showAll()).allTextContents()).toSorted()).toEqual(below.toSorted())
      await expectInert(tab)

      // One by one: each payload is the title of the tab, the heading and the path of the page.
      for (const title of below.filter((_, index) => index % 100 === 0)) {
        await tab.goto(`${outside}/wiki/${idOf(title)}`)
        await expect(tab.getByRole('heading', { level: 1 })).toHaveText(title)
        await expect(tab).toHaveTitle(`${title} · ${organization.name} · Sortie`)
        await expectInert(tab, 'body > div')
      }

      for (let index = 0; index < LINES.length; index += HITS) {
        await tab.goto(`${outside}/search?q=${wordOf(index)}`)
        const hits = tab.getByRole('list', { name: 'Results' }).getByRole('listitem')
        await expect(hits).toHaveCount(Math.min(HITS, LINES.length - index))
        await expectInert(tab)
        await tab.keyboard.press('Control+k')
        await tab.keyboard.type(wordOf(index))
        await expect(tab.getByRole('option').filter({ hasText: 'Wiki page' })).not.toHaveCount(0)
        await expectInert(tab, '[role="dialog"]')
      }

      await session('DELETE', `/api/web/wiki-pages/${idOf('Top')}`)
      await tab.goto(`${outside}/wiki?view=trash`)
      await expect(tab.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible()
      await showAll()
      await expectInert(tab)
      await close()
    },
  )
}
