import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { nightly } from '../../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { zipFrom, zipOf } from '../../../support/inputs/zip.ts'

let app: TestApp
let owner: TestClient
const WEB = '/api/web/wiki-pages'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const newEngagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Archive' })).body.data.id
const create = async (wanted: object): Promise<string> => {
  const { status, body, text } = await owner.post(WEB, wanted)
  expect(status, text).toBe(201)
  return body.data.id
}
const attach = async (pageId: string, fileName: string, rawBody: string | Buffer = fileName): Promise<string> =>
  (await owner.request('POST', `${WEB}/${pageId}/files?fileName=${encodeURIComponent(fileName)}`, { rawBody })).body
    .data.id
const filesOf = async (pageId: string) =>
  ((await owner.get(`${WEB}/${pageId}/files`)).body.data as { fileName: string }[])
    .map(({ fileName }) => fileName)
    .toSorted()
const bringIn = async (engagementId: string, rawBody: Buffer) => {
  const { status, body, text } = await owner.request('POST', `${WEB}/import?engagementId=${engagementId}`, { rawBody })
  expect(status, text).toBe(201)
  return body.data as { pages: number; files: number; skipped: { path: string; reason: string }[] }
}
const tree = async (engagementId: string) =>
  (await owner.get(`${WEB}?engagementId=${engagementId}&tree=true`)).body.data as {
    id: string
    title: string
    parentId: string | null
  }[]
const bodyOf = async (engagementId: string, title: string): Promise<string> => {
  const { id } = (await tree(engagementId)).find((page) => page.title === title) as { id: string }
  return (await owner.get(`${WEB}/${id}`)).body.data.body
}
const open = async (engagementId: string) => {
  const answer = await fetch(`${app.origin}${WEB}/export?engagementId=${engagementId}`, { headers: owner.headers })
  expect(answer.status).toBe(200)
  return answer
}
const exported = async (engagementId: string): Promise<Buffer> =>
  Buffer.from(await (await open(engagementId)).arrayBuffer())
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

/** Pages 001, 002 and so on. */
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${String(index + 1).padStart(3, '0')}.md`, data: 'text' }))

describe('an export', () => {
  test('and its import accept the names that every JavaScript object has', async () => {
    const [from, to] = [await newEngagement(), await newEngagement()]
    const body =
      '[[constructor]] [[__proto__]] [[toString]] [x](toString) [x](__proto__) ![x](constructor) [[hasOwnProperty#a|b]]'
    await create({ title: 'constructor', engagementId: from })
    await create({ title: '__proto__', engagementId: from })
    await create({ title: 'Links', engagementId: from, body })
    expect(await bringIn(to, await exported(from))).toEqual({ pages: 3, files: 0, skipped: [] })
    expect(await bodyOf(to, 'Links')).toBe(body)
    await bringIn(to, zipOf({ 'Foreign.md': body, '__proto__/constructor.md': '[x](valueOf) [[valueOf]]' }))
    expect(await bodyOf(to, 'Foreign')).toMatch(/^\[\[constructor\]\] \[\[__proto__\]\] \[\[toString\]\]/)
  })

  test('keeps attached Markdown files attached, also below pages with the name of the folder for files', async () => {
    const [from, to] = [await newEngagement(), await newEngagement()]
    const top = await create({ title: 'Notes', engagementId: from })
    const odd = await create({ title: '_files', parentId: top })
    await create({ title: 'Below', parentId: odd })
    for (const id of [top, odd]) await attach(id, 'notes.md', `# Attached to ${id}`)
    expect(await bringIn(to, await exported(from))).toEqual({ pages: 3, files: 2, skipped: [] })
    const pages = await tree(to)
    expect(pages.map(({ title }) => title)).toEqual(['Notes', '_files', 'Below'])
    for (const { id, title } of pages) expect(await filesOf(id), title).toEqual(title === 'Below' ? [] : ['notes.md'])
  })

  test('keeps the extensions of long file names, uses each name once, and an import restores the original names', async () => {
    const [from, to] = [await newEngagement(), await newEngagement()]
    const id = await create({ title: 'Page', engagementId: from })
    const long = 'a screenshot of the login page '.repeat(7).trim()
    const names = [
      `${long} 1.png`,
      `${long} 2.png`,
      `${long} 3.txt`,
      'shot.png',
      'shot.txt',
      'SHOT.PNG',
      'Thumbs.db',
      '.htaccess',
      'a:b.png',
    ]
    for (const name of names) await attach(id, name)
    const zip = await exported(from)
    const paths = [...(await unzip(zip)).keys()]
      .filter((path) => path.startsWith('Page/_files/'))
      .map((path) => path.slice('Page/_files/'.length))
    const cut = long.slice(0, 76).trim()
    expect(paths.toSorted()).toEqual(
      [
        `${cut}.png`,
        `${cut} (2).png`,
        `${cut}.txt`,
        'shot.png',
        'shot.txt',
        'SHOT (2).PNG',
        '_Thumbs.db',
        'htaccess',
        'a_b.png',
      ].toSorted(),
    )
    expect(await bringIn(to, zip)).toMatchObject({ files: names.length, skipped: [] })
    expect(await filesOf((await tree(to))[0]?.id as string)).toEqual(names.toSorted())
  })

  test('has no file and folder of one name, and no junk files of operating systems', async () => {
    const [from, to] = [await newEngagement(), await newEngagement()]
    const titles = ['Notes', 'Notes.md', 'NOTES.MD', 'Other.md', 'Other', '__MACOSX', 'desktop.ini', '_export.txt']
    for (const title of titles)
      await create({ title: `below ${title}`, parentId: await create({ title, engagementId: from }) })
    const zip = await exported(from)
    const paths = [...(await unzip(zip)).keys()].map((path) => path.toLowerCase())
    const folders = new Set(
      paths.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))),
    )
    expect(paths.filter((path) => folders.has(path))).toEqual([])
    expect(await bringIn(to, zip)).toEqual({ pages: 2 * titles.length, files: 0, skipped: [] })
    expect((await tree(to)).map(({ title }) => title)).toEqual((await tree(from)).map(({ title }) => title))
  })

  test('keeps the text of people unchanged, though it names a file of the archive', async () => {
    const [from, to] = [await newEngagement(), await newEngagement()]
    const notes = await create({ title: 'Notes', engagementId: from })
    const body = `[x](Notes.md) ![x](./Notes.md) [x](Notes.md#top) [x](notes) [[Notes]] [[notes]] [Notes](${notes}) [Notes](${notes} "title") [words](${notes})`
    await create({ title: 'Links', engagementId: from, body })
    await bringIn(to, await exported(from))
    const again = (await tree(to))[0]?.id as string
    expect(await bodyOf(to, 'Links')).toBe(body.replaceAll(notes, again))
  })

  test('ends unfinished when its right is revoked', async () => {
    const from = await newEngagement()
    await attach(await create({ title: '000', engagementId: from }), 'long.bin', Buffer.alloc(40_000_000, 'x'))
    // Texts are read fifty at a time.
    await bringIn(from, zipFrom(numbered(60)))
    const leaving = await app.signedIn('member')
    const answer = await fetch(`${app.origin}${WEB}/export?engagementId=${from}`, { headers: leaving.headers })
    const reader = answer.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
    await reader.read()
    expect((await owner.delete(`/api/web/organizations/current/members/${leaving.user.id}`)).status).toBe(200)
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow()
  })

  test('continues without pages that are deleted during it, and reports it', async () => {
    const [from, to] = [await newEngagement(), await newEngagement()]
    const first = await create({ title: 'First', engagementId: from })
    await attach(first, 'long.bin', Buffer.alloc(40_000_000, 'x'))
    const second = await create({ title: 'Second', engagementId: from, body: 'text' })
    const shot = await attach(second, 'shot.png')
    await attach(second, 'kept.txt')
    await bringIn(from, zipFrom(numbered(48)))
    // Texts are read fifty at a time.
    const third = await create({ title: 'Third', engagementId: from })
    const reader = (await open(from)).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
    const parts: Uint8Array[] = [(await reader.read()).value as Uint8Array]
    expect((await owner.delete(`${WEB}/${second}/files/${shot}`)).status).toBe(200)
    expect((await owner.delete(`${WEB}/${third}`)).status).toBe(200)
    expect((await owner.delete(`${WEB}/${third}?forever=true`)).status).toBe(200)
    for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value)
    const zip = Buffer.concat(parts)
    const files = await unzip(zip)
    expect([...files.keys()].slice(0, 5)).toEqual([
      'First.md',
      'First/_files/long.bin',
      'Second.md',
      'Second/_files/kept.txt',
      '001.md',
    ])
    expect([...files.keys()].slice(-2)).toEqual(['048.md', '_export.txt'])
    expect(files.get('_export.txt')?.toString()).toMatch(
      /^Second\/_files\/shot\.png is missing: .*\nThird\.md is missing: .*\n$/,
    )
    const { skipped, ...counts } = await bringIn(to, zip)
    expect(counts).toEqual({ pages: 50, files: 2 })
    expect(skipped).toEqual([{ path: '_export.txt', reason: 'is neither a page nor a file of a page' }])
  })
})

nightly(
  'an export of more pages than a foreign ZIP may have can be imported',
  async () => {
    const [from, to] = [await newEngagement(), await newEngagement()]
    for (const part of ['a', 'b']) {
      const entries = Array.from({ length: 2_600 }, (_, index) => ({
        name: `${part}/${index}.md`,
        data: `[next](${index + 1}.md) text`,
      }))
      expect(await bringIn(from, zipFrom(entries))).toMatchObject({ pages: 2_601 })
    }
    const zip = await exported(from)
    expect((await yauzl.fromBufferPromise(zip)).entryCount).toBe(5_202)
    expect(await bringIn(to, zip)).toEqual({ pages: 5_202, files: 0, skipped: [] })
  },
  600_000,
)

nightly('an export that is too large to be imported reports it', async () => {
  const from = await newEngagement()
  await attach(await create({ title: 'Page', engagementId: from }), 'disk.img', Buffer.alloc(201 * 1024 * 1024))
  const zip = await exported(from)
  const end = zip.indexOf('_export.txt') + '_export.txt'.length
  expect(zip.subarray(end, end + 200).toString('latin1')).toMatch(
    /^This export is too large for one import. It has 202 MiB; an import takes 200 MiB.\n/,
  )
})

describe('an import', () => {
  test('reads unmarked names in UTF-8, as macOS writes them, and others in the encoding of the first ZIPs', async () => {
    const engagementId = await newEngagement()
    const zip = zipFrom([
      { name: 'Überblick 日本.md'.normalize('NFD'), data: '![](Bilder/Gerät.png)', flags: 0 },
      { name: 'Bilder/Gerät.png'.normalize('NFD'), data: 'x', flags: 0 },
      { name: Buffer.from('M\x81ller.md', 'latin1'), data: 'x', flags: 0 },
    ])
    expect(await bringIn(engagementId, zip)).toMatchObject({ files: 1, skipped: [] })
    expect((await tree(engagementId)).map(({ title }) => title).toSorted()).toEqual(['Müller', 'Überblick 日本'])
    expect(await bodyOf(engagementId, 'Überblick 日本')).toMatch(/^!\[\]\(fil_\w+\)$/)
  })

  test('reads names of a Japanese Windows, and Western ones as before', async () => {
    const engagementId = await newEngagement()
    const zip = zipFrom([
      { name: Buffer.from('93fa967b8ceac1b02e6d64', 'hex'), data: 'x', flags: 0 },
      { name: Buffer.from('Gr\x94\xe1e.md', 'latin1'), data: 'x', flags: 0 },
    ])
    expect(await bringIn(engagementId, zip)).toMatchObject({ pages: 2, skipped: [] })
    expect((await tree(engagementId)).map(({ title }) => title).toSorted()).toEqual(['Größe', '日本語ﾁｰ'])
  })

  test('finds links of Obsidian in tables, where a backslash precedes the bar', async () => {
    const engagementId = await newEngagement()
    const body =
      '| a | b |\n| - | - |\n| [[Note\\|words]] | ![[shot.png\\|300]] |\n| [[Note#Part\\|the part]] | [[Note\\|Note]] |\n'
    await bringIn(engagementId, zipOf({ 'Table.md': body, 'deep/Note.md': 'x', 'shot.png': 'x' }))
    expect(await bodyOf(engagementId, 'Table')).toMatch(
      /^\| a \| b \|\n\| - \| - \|\n\| \[words\]\(wik_\w+\) \| !\[shot\.png\]\(fil_\w+\) \|\n\| \[the part\]\(wik_\w+\) \| \[\[Note\]\] \|\n$/,
    )
  })

  test('of a folder of Markdown named like the folder for files makes pages of it', async () => {
    const engagementId = await newEngagement()
    await bringIn(
      engagementId,
      zipOf({ '_files/a.md': 'a', 'top.md': 'x', 'top/_files.md': 'y', 'top/_files/b.md': 'b' }),
    )
    expect((await tree(engagementId)).map(({ title }) => title)).toEqual(['_files', 'a', 'top', '_files', 'b'])
  })
})
