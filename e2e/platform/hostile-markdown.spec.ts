import type { Page } from '@playwright/test'
import { isNightly, nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

const of = (length: number, piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
const deeper = (length: number, line: (depth: number) => string) => {
  const lines: string[] = []
  for (let size = 0; size < length; size += (lines.at(-1) ?? '').length + 1) lines.push(line(lines.length))
  return lines.join('\n').slice(0, length)
}

/** Texts of about `length` that are slow to parse as Markdown, or lead to deep recursion. */
const hostile = (length: number): Record<string, string> => ({
  brackets: of(length, '['),
  pictures: of(length, '!['),
  stars: of(length, '***a** b*'),
  underscores: of(length, '_a'),
  quotes: of(length, '>'),
  'quotes with blanks': of(length, '> '),
  'lists in lists of one line': of(length, '1. '),
  'lists in lists': deeper(length, (depth) => `${' '.repeat(2 * depth)}- a`),
  backticks: deeper(length, (depth) => '`'.repeat(depth + 1)),
  tags: of(length, '<a '),
  strikes: of(length, '~~a~~ '),
  'short rows of a wide table': `|${of(400, 'a|')}\n|${of(400, '-|')}\n${of(length - 804, '|a|\n')}`,
  footnotes: of(length, '[^a]'),
  definitions: of(length, '[^a]: '),
  notes: deeper(length / 2, (depth) => `[^${depth}] `) + deeper(length / 2, (depth) => `[^${depth}]: [^${depth + 1}]`),
  addresses: of(length, 'www.a@a.b '),
  'one line': of(length, 'a '),
})

/** Each commit runs one that is too complex, and one that is laid out, with many footnotes. */
const OF_EACH_COMMIT = new Set(['quotes', 'notes'])

const TOO_COMPLEX = new Set([
  'lists in lists of one line',
  'quotes',
  'quotes with blanks',
  'short rows of a wide table',
])

/** The longest page at night; much less in a commit, because many tests run at the same time. */
const LENGTH = isNightly ? 500_000 : 20_000

/**
 * On an idle machine the longest pause is about a second; without limits several of these texts block a page forever.
 */
const STOPPED_MS = 15_000

/** The longest time, in milliseconds, for which the page was blocked since measuring started. */
const longestPause = (page: Page) => page.evaluate(() => (window as unknown as { longestPause: number }).longestPause)

/** Waits for this number of frames: a text is laid out part by part. */
const frames = (page: Page, count: number) =>
  page.evaluate(async (wanted) => {
    for (let frame = 0; frame < wanted; frame++) await new Promise(requestAnimationFrame)
  }, count)

test('B4: no Markdown blocks a page: a text that is too complex is shown as it was written, and the rest of the page responds', async ({
  page,
  sortie: { people },
}) => {
  test.setTimeout(isNightly ? 360_000 : 180_000)
  const { owner, id, slug } = await people.organization()
  const engagementId = (await people.call(owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, id)).body.data.id
  const pages: [string, string][] = []
  const texts = Object.entries(hostile(LENGTH)).filter(([name]) => isNightly || OF_EACH_COMMIT.has(name))
  for (const [name, body] of texts) {
    const made = await people.call(owner, 'POST', '/api/web/wiki-pages', { title: name, engagementId, body }, id)
    expect(made.status, name).toBe(201)
    pages.push([name, made.body.data.id])
  }
  const task = await people.call(
    owner,
    'POST',
    '/api/web/tasks',
    { engagementId, title: 'Quoted', description: of(9_000, '> ') },
    id,
  )
  await people.signIn(page, owner)
  await page.addInitScript(() => {
    const own = window as unknown as { longestPause: number }
    own.longestPause = 0
    let last = performance.now()
    setInterval(() => {
      const now = performance.now()
      own.longestPause = Math.max(own.longestPause, now - last)
      last = now
    }, 10)
  })
  const shown = page.getByText('This text is too complex to format, so it is shown as plain text.')
  for (const [name, pageId] of pages) {
    await page.goto(`/o/${slug}/wiki/${pageId}`)
    // By CSS selectors: roles would be computed for each element of the text.
    await expect(page.locator('h1')).toHaveText(name)
    await frames(page, 5)
    if (TOO_COMPLEX.has(name)) await expect(shown.first(), name).toBeVisible()
    else await expect(shown, name).toHaveCount(0)
    expect(await longestPause(page), name).toBeLessThan(STOPPED_MS)
    await page.locator('a', { hasText: /^Edit$/ }).click({ trial: true })
  }
  await page.goto(`/o/${slug}/tasks/${task.body.data.id}`)
  await expect(shown).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Quoted' })).toBeVisible()
})

nightly('code of any length stays code, and the text after it is text', async ({ page, sortie: { people } }) => {
  const { owner, id, slug } = await people.organization()
  const output = Array.from({ length: 3_000 }, (_, index) => `# line ${index}\n`).join('\n')
  const body = `Before.\n\n\`\`\`\`sh\n${output}\`\`\`\n# after three signs\n\`\`\`\`\n\n## After\n`
  const made = await people.call(
    owner,
    'POST',
    '/api/web/wiki-pages',
    { title: 'Output', engagementId: null, body },
    id,
  )
  await people.signIn(page, owner, `/o/${slug}/wiki/${made.body.data.id}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'After', exact: true })).toBeVisible()
  await expect(main.getByRole('heading', { name: /^line|three signs/ })).toHaveCount(0)
  const code = await main.locator('pre code').allInnerTexts()
  expect(code.length).toBeGreaterThan(1)
  expect(code.join('')).toBe(`${output}\`\`\`\n# after three signs\n`)
})
