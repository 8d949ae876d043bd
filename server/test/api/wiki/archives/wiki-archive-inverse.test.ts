import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { isNightly } from '../../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'

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

const exported = async (engagementId: string): Promise<Buffer> => {
  const answer = await fetch(`${app.origin}${WEB}/export?engagementId=${engagementId}`, { headers: owner.headers })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const bringIn = (engagementId: string, zip: Buffer) =>
  owner.request('POST', `${WEB}/import?engagementId=${engagementId}`, { rawBody: zip })

const unzipped = async (bytes: Buffer): Promise<Record<string, string>> => {
  const zip = await yauzl.fromBufferPromise(bytes)
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) parts.push(chunk as Buffer)
    files[entry.fileName] = Buffer.concat(parts).toString('base64')
  }
  return files
}

interface Page {
  id: string
  parentId: string | null
  title: string
  isTemplate: boolean
}

/** A tree as users see it, without ids. */
const seen = async (engagementId: string) => {
  const pages = (await owner.get(`${WEB}?engagementId=${engagementId}&tree=true`)).body.data as Page[]
  const places = new Map(pages.map(({ id }, index) => [id, index]))
  return Promise.all(
    pages.map(async ({ id, parentId, title, isTemplate }) => {
      const { body } = (await owner.get(`${WEB}/${id}`)).body.data
      const files = (await owner.get(`${WEB}/${id}/files`)).body.data as {
        id: string
        fileName: string
        sha256: string
      }[]
      const links = (await owner.get(`${WEB}/${id}/links`)).body.data as { id: string | null }[]
      const goals = links.map((link) => places.get(link.id ?? '') ?? null)
      return {
        parent: places.get(parentId ?? ''),
        title,
        isTemplate,
        body,
        files: files.map(({ fileName, sha256 }) => `${fileName} ${sha256}`).toSorted(),
        goals,
      }
    }),
  )
}

const ONLY_ONE = 'Only one'
/** Titles that texts link to. */
const NAMED = [ONLY_ONE, 'constructor']
const TITLES = [
  ONLY_ONE,
  'README',
  'index',
  'Notes',
  'notes',
  'Notes.md',
  '_files',
  'con',
  '.hidden',
  'a/b',
  '50 %',
  'C:',
  '..',
  'Ü',
  '---',
  'x'.repeat(200),
  '__MACOSX',
  'constructor',
  '[a](b)',
  '🧭',
]
/** Pieces of texts: no byte of them may change. */
const PIECES = [
  '---\n',
  'sortie: 1\n',
  'title: "x"\n',
  '\r\n',
  '\n',
  '\n\n',
  '  ',
  '\t',
  '\ufeff',
  '# Title\n',
  '```\n[[Nothing]]\n```\n',
  '`[[Nothing]]`',
  '[[Nothing like it]]',
  '[[ONLY one]]',
  '[[ Only One ]]',
  '[out](https://example.com/a%20b?c#d)',
  '![x](../x.png)',
  '[up](../../Notes.md)',
  '[x](Notes.md) [x](./Notes.md) [x](Notes.md#)',
  '[x](only one) [x](<Only one>) [x](Only%20one.md)',
  '![x](Notes/_files/a%20b.txt)',
  '[[constructor]] [[__proto__]] [x](toString) [[hasOwnProperty|valueOf]]',
  '<b>HTML</b> &amp; \\[[x]]',
  '\u001b[31mred\u001b[0m',
  '\u202e',
  'café',
  'cafe\u0301',
  '🧭',
  'x'.repeat(3_000),
]

const FILE_NAMES = [
  'a b.txt',
  'notes.md',
  '../a:b.png',
  '.htaccess',
  'Thumbs.db',
  'con',
  `${'long '.repeat(30)}.tar.gz`,
]

const page = fc.record({
  title: fc.constantFrom(...TITLES),
  pieces: fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
  /** Index of the parent among the earlier pages; the top if there is none. */
  above: fc.nat(6),
  isTemplate: fc.boolean(),
  /** A link by id to one of the earlier pages. */
  link: fc.option(fc.nat(6), { nil: undefined }),
  fileName: fc.option(fc.constantFrom(...FILE_NAMES), { nil: undefined }),
})

test('an export that is imported is the same tree byte for byte, and its export has the same files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 7 }), async (made) => {
      const from = await newEngagement()
      const ids: string[] = []
      for (const [index, { title: wanted, pieces, above, isTemplate, link, fileName }] of made.entries()) {
        // A link by a title that two pages have comes back as one by id.
        const title =
          NAMED.includes(wanted) && made.findIndex((each) => each.title === wanted) < index
            ? `${wanted} ${index}`
            : wanted
        const parentId = ids[above]
        const { data } = (await owner.post(WEB, { title, ...(parentId ? { parentId } : { engagementId: from }) })).body
        ids.push(data.id)
        const address = `${WEB}/${data.id}/files?fileName=${encodeURIComponent(fileName ?? '')}`
        const file =
          fileName === undefined
            ? undefined
            : (await owner.request('POST', address, { rawBody: `file of ${data.id}` })).body.data.id
        const linked = link === undefined ? undefined : ids[link]
        const words = made[link ?? 0]?.title.replaceAll(/[\\[\]]/g, '\\$&')
        const body = [
          ...pieces,
          ...(linked ? [`[words](${linked}) [${words}](${linked})`] : []),
          ...(file ? [`[file](${file})`] : []),
        ].join('')
        await owner.patch(`${WEB}/${data.id}`, { body, isTemplate, baseRevision: 1 })
      }
      const archive = await exported(from)
      const to = await newEngagement()
      const { status, text, body } = await bringIn(to, archive)
      expect(status, text).toBe(201)
      expect(body.data.skipped).toEqual([])
      const plain = (pages: Awaited<ReturnType<typeof seen>>) =>
        pages.map((each) => ({ ...each, body: each.body.replaceAll(/\b(?:wik|fil)_[0-9a-z]{26}\b/g, '') }))
      expect(plain(await seen(to))).toEqual(plain(await seen(from)))
      expect(await unzipped(await exported(to))).toEqual(await unzipped(archive))
    }),
    { numRuns: isNightly ? 20 : 4, endOnFailure: true },
  )
})

test('an export can be imported also if a page is one letter half a million times, or a file is zeros', async () => {
  const [from, to] = [await newEngagement(), await newEngagement()]
  const { data } = (await owner.post(WEB, { title: 'Long', engagementId: from, body: 'x'.repeat(500_000) })).body
  await owner.request('POST', `${WEB}/${data.id}/files?fileName=zeros.bin`, { rawBody: Buffer.alloc(2_000_000) })
  const { status, text } = await bringIn(to, await exported(from))
  expect(status, text).toBe(201)
  expect((await seen(to))[0]).toEqual((await seen(from))[0])
})
