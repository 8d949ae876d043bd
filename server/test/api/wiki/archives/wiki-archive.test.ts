import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { checksumsOfOrganization } from '../../../support/inputs/snapshot.ts'
import { type ZipEntry, zipFrom, zipOf } from '../../../support/inputs/zip.ts'

let app: TestApp
let owner: TestClient
const WEB = '/api/web/wiki-pages'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const newEngagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Archive' })).body.data.id
const create = async (wanted: object) => {
  const { status, body, text } = await owner.post(WEB, wanted)
  expect(status, text).toBe(201)
  return body.data as { id: string }
}
const bringIn = (engagementId: string, zip: Buffer, client = owner) =>
  client.request('POST', `${WEB}/import?engagementId=${engagementId}`, { rawBody: zip })
const tree = async (engagementId: string) =>
  (await owner.get(`${WEB}?engagementId=${engagementId}&tree=true`)).body.data as {
    id: string
    title: string
    parentId: string | null
  }[]
const page = async (id: string) => (await owner.get(`${WEB}/${id}`)).body.data
const export_ = async (engagementId: string): Promise<Buffer> => {
  const answer = await fetch(`${app.origin}${WEB}/export?engagementId=${engagementId}`, { headers: owner.headers })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toContain('attachment')
  return Buffer.from(await answer.arrayBuffer())
}
const unzip = async (bytes: Buffer): Promise<Map<string, Buffer>> => {
  const zip = await yauzl.fromBufferPromise(bytes)
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) parts.push(chunk as Buffer)
    files.set(entry.fileName, Buffer.concat(parts))
  }
  return files
}

describe('an export', () => {
  test('has folders as the tree, files next to their page, relative links, and names for every system', async () => {
    const engagementId = await newEngagement()
    const top = await create({ title: 'Entry points', engagementId, body: 'text' })
    await create({ title: 'CON', engagementId })
    await create({ title: 'entry POINTS', engagementId })
    await create({ title: 'a/b: <c>?. ', engagementId })
    const below = await create({ title: 'Hosts', parentId: top.id })
    const file = (
      await owner.request('POST', `${WEB}/${below.id}/files?fileName=${encodeURIComponent('../shot 1.png')}`, {
        rawBody: PNG,
      })
    ).body.data
    await owner.patch(`${WEB}/${below.id}`, {
      body: `[[Entry points]] \`[[Entry points]]\` [[Nothing]] ![shot](${file.id})`,
      baseRevision: 1,
    })
    await owner.patch(`${WEB}/${top.id}`, { body: `[[${below.id}]]`, baseRevision: 1 })
    const files = await unzip(await export_(engagementId))
    expect([...files.keys()].toSorted()).toEqual(
      [
        'Entry points.md',
        'Entry points/Hosts.md',
        'Entry points/Hosts/_files/_shot 1.png',
        '_CON.md',
        'a_b_ _c__.md',
        'entry POINTS (2).md',
      ].toSorted(),
    )
    expect(files.get('Entry points/Hosts/_files/_shot 1.png')).toEqual(PNG)
    const text = files.get('Entry points/Hosts.md')?.toString()
    expect(text).toBe(
      '---\nsortie: 1\ntitle: "Hosts"\norder: 0\ntemplate: false\nfiles: [["_shot 1.png","../shot 1.png"]]\n---\n[Entry points](../Entry%20points.md) `[[Entry points]]` [[Nothing]] ![shot](Hosts/_files/_shot%201.png)',
    )
    expect(files.get('Entry points.md')?.toString()).toContain('[Hosts](Entry%20points/Hosts.md)')
  })

  test('comes back unchanged: titles, order, templates, links and files', async () => {
    const [from, to] = [await newEngagement(), await newEngagement()]
    const titles = ['Zulu', 'con', 'Ålpha: "quoted" 🧭', 'alpha', 'Alpha', '.hidden', 'x'.repeat(200)]
    const made = []
    for (const title of titles)
      made.push(await create({ title, engagementId: from, body: `# ${title}\n\n[[Zulu]] and [[alpha]]\n` }))
    const [first] = made as [{ id: string }]
    const file = (await owner.request('POST', `${WEB}/${first.id}/files?fileName=a.png`, { rawBody: PNG })).body.data
    await create({ title: 'Below', parentId: first.id, body: `see [[${first.id}]]` })
    await owner.patch(`${WEB}/${first.id}`, { body: `![a](${file.id})`, baseRevision: 1, isTemplate: true })
    const { status, body } = await bringIn(to, await export_(from))
    expect([status, body]).toEqual([201, { data: { pages: 8, files: 1, skipped: [] } }])
    const back = await tree(to)
    expect(back.map(({ title }) => title)).toEqual(['Zulu', 'Below', ...titles.slice(1)])
    const root = await page(back[0]?.id as string)
    expect(root).toMatchObject({ isTemplate: true, body: expect.stringMatching(/^!\[a\]\(fil_[0-9a-z]{26}\)$/) })
    const stored = (await owner.get(`${WEB}/${root.id}/files`)).body.data
    expect(stored).toMatchObject([{ fileName: 'a.png', sha256: file.sha256, mediaType: 'image/png' }])
    expect(root.body).toContain(stored[0].id)
    expect((await page(back[1]?.id as string)).body).toBe('see [[Zulu]]')
    expect((await owner.get(`${WEB}/${root.id}/backlinks`)).body.meta.total).toBe(7)
  })
})

test('an export and its import keep links to pages with brackets in their titles, and links with their own text', async () => {
  const [from, to] = [await newEngagement(), await newEngagement()]
  const named = await create({ title: 'Notes [draft] \\ [2]', engagementId: from })
  const body = `[[${named.id}]] [words](${named.id}) [\\[words\\]](${named.id}) ![shown](${named.id} "with a title")`
  await create({ title: 'Links', engagementId: from, body })
  expect((await bringIn(to, await export_(from))).status).toBe(201)
  const [again, links] = await tree(to)
  expect(again?.title).toBe('Notes [draft] \\ [2]')
  expect((await page(links?.id as string)).body).toBe(body.replaceAll(named.id, again?.id as string))
  expect((await owner.get(`${WEB}/${again?.id}/backlinks`)).body.meta.total).toBe(1)
})

describe('an import', () => {
  test('of a foreign folder: folders become pages, README their text, files are attached where they are named', async () => {
    const engagementId = await newEngagement()
    const zip = zipOf({
      'notes/README.md': '# Notes\n[one](one.md) ![p](img/p.png)',
      'notes/one.md':
        '[back](./README.md#top) [other words](two%20words.md) [out](https://example.com) [up](../../x.md)',
      'notes/two words.md': 'plain',
      'notes/img/p.png': PNG,
      'deep/er/page.md': 'text',
      'deep/lonely.txt': 'hangs on its folder',
      'top.txt': 'belongs nowhere',
      'notes/bad.md': Buffer.from([0xff, 0xfe, 0x41]),
      'notes/long.md': Array.from({ length: 100_000 }, (_, index) => (index * 2_654_435_761).toString(36)).join(' '),
      '__MACOSX/._x.md': 'x',
    })
    const { status, body } = await bringIn(engagementId, zip)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ pages: 6, files: 2 })
    expect(
      Object.fromEntries(body.data.skipped.map(({ path, reason }: { path: string; reason: string }) => [path, reason])),
    ).toEqual({
      'top.txt': 'belongs to no page',
      'notes/bad.md': 'is not text',
      'notes/long.md': 'has more than 500000 characters',
      '__MACOSX/._x.md': 'is neither a page nor a file of a page',
    })
    const pages = await tree(engagementId)
    expect(pages.map(({ title }) => title)).toEqual(['deep', 'er', 'page', 'notes', 'one', 'two words'])
    const bodyOf = async (title: string) => (await page(pages.find((one) => one.title === title)?.id as string)).body
    expect(await bodyOf('notes')).toMatch(/^# Notes\n\[\[one\]\]|^# Notes\n\[one\]\(wik_/)
    expect(await bodyOf('one')).toMatch(
      /^\[back\]\(wik_\w+\) \[other words\]\(wik_\w+\) \[out\]\(https:\/\/example.com\) \[up\]\(..\/..\/x.md\)$/,
    )
  })

  test('of a vault of Obsidian: links by name, with text and headings, embedded images and notes, and properties as code', async () => {
    const engagementId = await newEngagement()
    const zip = zipOf({
      '.obsidian/app.json': '{}',
      'Hosts.md':
        '---\ntags: [recon]\nalias: x\n---\n[[Notes]] [[deep/Notes|the deep one]] [[login#Form]] [[Nothing]] `[[Notes]]`',
      'deep/Notes.md': '[[hosts]] ![[shot.png|300]] ![[Login]] ![[report.txt]] [[#Here]]',
      'deep/Login.md': '[up](<../Hosts.md>) \\![[shot.png]]',
      'attachments/shot.png': PNG,
      'attachments/report.txt': 'text',
    })
    const { status, body, text } = await bringIn(engagementId, zip)
    expect(status, text).toBe(201)
    expect(body.data).toMatchObject({ pages: 4, files: 2, skipped: [{ path: '.obsidian/app.json' }] })
    const pages = await tree(engagementId)
    const bodyOf = async (title: string) =>
      (await page(pages.find((one) => one.title === title)?.id as string)).body as string
    expect(await bodyOf('Hosts')).toMatch(
      /^```yaml\ntags: \[recon\]\nalias: x\n```\n\[\[Notes\]\] \[the deep one\]\(wik_\w+\) \[\[Login\]\] \[\[Nothing\]\] `\[\[Notes\]\]`$/,
    )
    expect(await bodyOf('Notes')).toMatch(
      /^\[\[Hosts\]\] !\[shot\.png\]\(fil_\w+\) \[\[Login\]\] \[report\.txt\]\(fil_\w+\) \[\[#Here\]\]$/,
    )
    expect(await bodyOf('Login')).toMatch(/^\[up\]\(wik_\w+\) \\!\[shot\.png\]\(fil_\w+\)$/)
  })

  test("of Outline's export: documents below a document, links between them, and attachments in their own folder", async () => {
    const engagementId = await newEngagement()
    const zip = zipOf({
      'Engineering/Runbook.md':
        '# Runbook\n\nSee [Deploy](./Runbook/Deploy%20it.md) and ![](uploads/b6a1/7c2e/shot%201.png " =300x200")',
      'Engineering/Runbook/Deploy it.md':
        '# Deploy it\n\n[Runbook](../Runbook.md)\n\n[notes.txt 4](../uploads/b6a1/91aa/notes.txt)',
      'Engineering/uploads/b6a1/7c2e/shot 1.png': PNG,
      'Engineering/uploads/b6a1/91aa/notes.txt': 'text',
    })
    const { status, body, text } = await bringIn(engagementId, zip)
    expect(status, text).toBe(201)
    expect(body.data).toEqual({ pages: 3, files: 2, skipped: [] })
    const pages = await tree(engagementId)
    expect(pages.map(({ title }) => title)).toEqual(['Engineering', 'Runbook', 'Deploy it'])
    const bodyOf = async (title: string) =>
      (await page(pages.find((one) => one.title === title)?.id as string)).body as string
    expect(await bodyOf('Runbook')).toMatch(/^# Runbook\n\nSee \[Deploy\]\(wik_\w+\) and !\[\]\(fil_\w+ " =300x200"\)$/)
    expect(await bodyOf('Deploy it')).toMatch(/^# Deploy it\n\n\[\[Runbook\]\]\n\n\[notes\.txt 4\]\(fil_\w+\)$/)
  })

  const one = (entry: Partial<ZipEntry>): Buffer =>
    zipFrom([
      { name: 'Page.md', data: 'text' },
      { name: 'Other.md', data: 'text', ...entry },
    ])

  test.each<[string, Buffer]>([
    ['a path that leaves it', one({ name: '../out.md' })],
    ['a path that leaves it further in', one({ name: 'a/../../out.md' })],
    ['an absolute path', one({ name: '/etc/out.md' })],
    ['a path of Windows', one({ name: 'C:/out.md' })],
    ['a path with backslashes', one({ name: '..\\out.md' })],
    ['a symbolic link', one({ mode: 0o120_777, data: '/etc/passwd' })],
    ['a device', one({ mode: 0o020_666 })],
    ['a named pipe', one({ mode: 0o010_666 })],
    ['an encrypted entry', one({ flags: 0x801 })],
    ['a size that is too small', one({ data: 'x'.repeat(1_000), size: 10 })],
    ['a size that is too large', one({ data: 'text', size: 400 })],
    ['a path that is too long', one({ name: `${'a/'.repeat(70)}x.md` })],
    ['5,001 entries', zipFrom(Array.from({ length: 5_001 }, (_, index) => ({ name: `${index}.md`, method: 0 })))],
    ['a bomb', zipOf({ 'Page.md': 'text', 'zeros.bin': Buffer.alloc(20 * 1024 * 1024) })],
    [
      'more than 200 MiB',
      zipFrom(Array.from({ length: 3 }, (_, index) => ({ name: `${index}.bin`, method: 0, size: 90 * 1024 * 1024 }))),
    ],
    ['bytes that are not a ZIP', Buffer.from('PK no zip at all')],
    ['half of a ZIP', zipOf({ 'Page.md': 'text '.repeat(100) }).subarray(0, 60)],
  ])('U1, U2: with %s is refused completely, and leaves nothing behind', async (_, zip) => {
    const engagementId = await newEngagement()
    const before = await checksumsOfOrganization(app.db, app.organization.id)
    const { status, text } = await bringIn(engagementId, zip)
    expect(status, text).toBe(422)
    expect(await checksumsOfOrganization(app.db, app.organization.id)).toEqual(before)
    const names = new Set((await app.db.selectFrom('files').select('id').execute()).map(({ id }) => id))
    const onDisk = readdirSync(app.platform.config.STORAGE_PATH, {
      recursive: true,
      encoding: 'utf8',
      withFileTypes: true,
    }).filter((file) => file.isFile())
    // In addition to files there is the mark that says whose storage it is.
    const others = onDisk.map(({ name }) => name).filter((name) => !names.has(name))
    expect(others.filter((name) => !/^\.sortie-storage(?:-beat)?\.json$/.test(name))).toEqual([])
  })

  test('skips unreadable entries, with the reason', async () => {
    const zip = zipFrom([
      { name: 'Page.md', data: 'text' },
      { name: 'damaged.md', data: 'text', crc: 1 },
      { name: 'packed.md', data: 'text', method: 12 },
      { name: 'page.MD', data: 'twice' },
      { name: 'Page/empty.png', data: '' },
      { name: 'Page/damaged.png', data: PNG, crc: 1 },
    ])
    const { status, body, text } = await bringIn(await newEngagement(), zip)
    expect(status, text).toBe(201)
    expect(body.data).toMatchObject({ pages: 1, files: 0 })
    expect(
      new Map(body.data.skipped.map(({ path, reason }: { path: string; reason: string }) => [path, reason])),
    ).toEqual(
      new Map([
        ['packed.md', 'uses an unsupported compression method'],
        ['page.MD', 'occurs twice'],
        ['damaged.md', 'is damaged'],
        ['Page/empty.png', 'is empty'],
        ['Page/damaged.png', 'is damaged'],
      ]),
    )
  })
})
