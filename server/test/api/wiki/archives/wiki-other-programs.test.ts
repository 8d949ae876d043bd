import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { zipFrom, zipOf } from '../../../support/inputs/zip.ts'

let app: TestApp
let owner: TestClient
const WEB = '/api/web/wiki-pages'
const ID = '0a1b2c3d4e5f60718293a4b5c6d7e8f9'
const OTHER = '1a1b2c3d4e5f60718293a4b5c6d7e8f9'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const bringIn = async (rawBody: Buffer) => {
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Archive' })).body.data.id
  const { status, body, text } = await owner.request('POST', `${WEB}/import?engagementId=${engagementId}`, { rawBody })
  expect(status, text).toBe(201)
  const pages = (await owner.get(`${WEB}?engagementId=${engagementId}&tree=true`)).body.data as {
    id: string
    title: string
    parentId: string | null
  }[]
  const bodyOf = async (title: string): Promise<string> =>
    (await owner.get(`${WEB}/${pages.find((page) => page.title === title)?.id}`)).body.data.body
  return {
    ...(body.data as { pages: number; files: number; skipped: { path: string; reason: string }[] }),
    pagesOf: pages,
    titles: pages.map(({ title }) => title).toSorted(),
    bodyOf,
  }
}

test('Notion: ids are not part of titles, links to its own pages lead to them, and a ZIP in the ZIP is unpacked', async () => {
  const inner = zipOf({
    [`Notes ${ID}.md`]: `# Notes\n\n[Recon](Notes%20${ID}/Recon%20${OTHER}.md)\n`,
    [`Notes ${ID}/Recon ${OTHER}.md`]: `[Back](https://www.notion.so/Notes-${ID}?pvs=21)\n`,
  })
  const { titles, bodyOf, pagesOf } = await bringIn(zipOf({ 'ExportBlock-1-Part-1.zip': inner }))
  expect(titles).toEqual(['Notes', 'Recon'])
  expect(pagesOf.find(({ title }) => title === 'Recon')?.parentId).toBe(
    pagesOf.find(({ title }) => title === 'Notes')?.id,
  )
  expect(await bodyOf('Notes')).toContain('[[Recon]]')
  expect(await bodyOf('Recon')).toContain(`[Back](${pagesOf.find(({ title }) => title === 'Notes')?.id})`)
})

test('Confluence: HTML pages become Markdown with their attachments, and nothing of them runs', async () => {
  const page = `<html><head><title>SPACE : Page one</title><script>alert(1)</script></head><body><div id="navigation">menu</div><div id="main-content" class="wiki-content"><h1>Head</h1><p>text <b>bold</b> &amp; <a href="Page-two_2.html">two</a></p><ul><li>a<ul><li>b</li></ul></li></ul><table><tr><th>A</th></tr><tr><td>1|2</td></tr></table><pre>x &lt;y&gt;</pre><img src="attachments/1/2.png"></div></body></html>`
  const { titles, files, bodyOf } = await bringIn(
    zipOf({
      'SPACE/Page-one_1.html': page,
      'SPACE/Page-two_2.html': '<html><head><title>SPACE : Page two</title></head><body><p>two</p></body></html>',
      'SPACE/attachments/1/2.png': 'picture',
    }),
  )
  expect([titles, files]).toEqual([['Page one', 'Page two', 'SPACE'], 1])
  const body = await bodyOf('Page one')
  expect(body).toMatch(
    /^# Head\n\ntext \*\*bold\*\* & \[two\]\(wik_\w+\)\n\n- a\n {3}- b\n\n\| A \|\n\| --- \|\n\| 1\\\|2 \|\n\n```\nx <y>\n```\n\n!\[\]\(fil_\w+\)\n$/,
  )
})

test('texts are pages where there is no Markdown, and are attached where there is', async () => {
  expect((await bringIn(zipOf({ 'a.txt': 'plain', 'b.html': '<h1>x</h1>' }))).titles).toEqual(['a', 'b'])
  const { titles, files } = await bringIn(zipOf({ 'Page.md': '[out](out.txt)', 'out.txt': 'output' }))
  expect([titles, files]).toEqual([['Page'], 1])
})

test('Windows-1252, UTF-16, backslashes between folders and assets of GitBook are read', async () => {
  const { titles, bodyOf, files } = await bringIn(
    zipFrom([
      { name: 'Folder\\Old.md', data: Buffer.from('Pr\u00fcfung', 'latin1') },
      { name: 'Wide.md', data: Buffer.from('\ufeffÜnicode', 'utf16le') },
      { name: 'Book.md', data: '![](.gitbook/assets/a.png)' },
      { name: '.gitbook/assets/a.png', data: 'picture' },
    ]),
  )
  expect(titles).toEqual(['Book', 'Folder', 'Old', 'Wide'])
  expect([await bodyOf('Old'), await bodyOf('Wide'), files]).toEqual(['Prüfung', 'Ünicode', 1])
})

test('hostile HTML takes time in proportion to its size', async () => {
  const pages = ['<li>x', '<td>x', '<a href="x">y', '<!-- ', '<script>', '<blockquote>z'].map((part, index) => ({
    name: `${index}.html`,
    data: part.repeat(20_000),
    method: 0,
  }))
  expect((await bringIn(zipFrom(pages))).pages).toBe(6)
})
