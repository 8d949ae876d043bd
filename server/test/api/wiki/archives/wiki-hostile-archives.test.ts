import { readdirSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hereMs } from '../../../support/app/machine.ts'
import { runs } from '../../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { checksumsOfOrganization } from '../../../support/inputs/snapshot.ts'
import { zipQuine } from '../../../support/inputs/zip-quine.ts'
import { type ZipEntry, zipFrom, zipOf } from '../../../support/inputs/zip.ts'

let app: TestApp
let owner: TestClient
const WEB = '/api/web/wiki-pages'
const MIB = 1024 * 1024

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  const { body } = await bringIn(await newEngagement(), zipOf({ 'Page.md': 'text', 'Page/_files/a.txt': 'text' }))
  expect(body.data).toEqual({ pages: 1, files: 1, skipped: [] })
})
afterAll(() => app.close())

const newEngagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Hostile' })).body.data.id
const bringIn = (engagementId: string, rawBody: Buffer) =>
  owner.request('POST', `${WEB}/import?engagementId=${engagementId}`, { rawBody })
const filesOnDisk = () => {
  const all = readdirSync(app.platform.config.STORAGE_PATH, { recursive: true, encoding: 'utf8', withFileTypes: true })
  return all.filter((file) => file.isFile()).map(({ name }) => name)
}

/** A page as users write it, and one malicious entry. */
const zipWith = (entry: Partial<ZipEntry>): Buffer =>
  zipFrom([
    { name: 'Page.md', data: 'text' },
    { name: 'Other.md', data: 'text', ...entry },
  ])

const field = (id: number, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

/** Sizes of 64 bits, as the directory states them. */
const longSize = (bytes: bigint): Buffer => {
  const data = Buffer.alloc(8)
  data.writeBigUInt64LE(bytes)
  return field(1, data)
}

/** A second name that replaces the one of the header. */
const unicodePath = (crcOfName: number, path: string): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt8(1, 0)
  head.writeUInt32LE(crcOfName, 1)
  return field(0x7075, Buffer.concat([head, Buffer.from(path)]))
}

/** A ZIP of sixteen ZIPs of sixteen ZIPs and so on, the last of which contain zeros. */
const nested = (depth: number): Buffer => {
  let zip = zipOf({ 'zeros.bin': Buffer.alloc(4 * MIB) })
  for (let level = 0; level < depth; level++) {
    const inner = zip
    zip = zipFrom(Array.from({ length: 16 }, (_, index) => ({ name: `lib ${index}.zip`, data: inner })))
  }
  return zip
}

describe('an import is refused completely, and leaves nothing behind', () => {
  const kernel = Buffer.alloc(2 * MIB, 'text of a page, ')

  test.each<[string, Buffer]>([
    ['a NUL in a name', zipWith({ name: 'a\0.md' })],
    ['a NUL and an ending behind it', zipWith({ name: 'shot.png\0.md' })],
    ['a name of 256 characters', zipWith({ name: `${'n'.repeat(253)}.md` })],
    ['101 combining marks in a name', zipWith({ name: `a${'\u0301\u0323'.repeat(50)}\u0301.md` })],
    ['an absolute path', zipWith({ name: '/etc/cron.d/x.md' })],
    ['a path to another machine', zipWith({ name: '\\\\server\\share\\x.md' })],
    ['a drive of Windows', zipWith({ name: 'C:x.md' })],
    ['a path that leaves it', zipWith({ name: '../../x.md' })],
    ['one that leaves it in the end', zipWith({ name: 'a/b/..' })],
    ['one that leaves it without saying that it is UTF-8', zipWith({ name: 'ü/../../x.md', flags: 0 })],
    ['one that leaves it in a second name', zipWith({ name: 'x.md', extra: unicodePath(0x27_90_8c_2e, '../x.md') })],
    ['an encoded backslash of an old code page', zipWith({ name: Buffer.from('..\\x.md', 'latin1'), flags: 0 })],
    ['a symbolic link', zipWith({ mode: 0o120_777, data: '/etc/passwd' })],
    [
      'a symbolic link among the files of a page',
      zipWith({ name: 'Page/_files/x.png', mode: 0o120_777, data: '/etc/passwd' }),
    ],
    ['a hard link', zipWith({ extra: field(0x000d, Buffer.from('123456789012Page.md')) })],
    ['a device', zipWith({ mode: 0o060_666 })],
    ['a socket', zipWith({ mode: 0o140_666 })],
    ['an encrypted entry', zipWith({ flags: 0x801 })],
    ['a strongly encrypted entry', zipWith({ flags: 0x841, method: 99 })],
    ['an encrypted folder', zipWith({ name: 'folder/', flags: 0x801 })],
    [
      'entries that overlap',
      zipFrom([
        { name: 'Page.md', data: kernel },
        ...Array.from({ length: 90 }, (_, index) => ({ name: `${index}.md`, data: kernel, sharedWith: 0 })),
      ]),
    ],
    [
      'two entries with the same bytes',
      zipFrom([
        { name: 'Page.md', data: 'text' },
        { name: 'Two.md', data: 'text', sharedWith: 0 },
      ]),
    ],
    ['an entry that says it has 4 GiB', zipWith({ size: 0xff_ff_ff_fe })],
    ['an entry that says it has an exabyte', zipWith({ size: 0xff_ff_ff_ff, extra: longSize(2n ** 60n) })],
    [
      'an entry that says it has more than can be counted',
      zipWith({ size: 0xff_ff_ff_ff, extra: longSize(2n ** 64n - 1n) }),
    ],
    [
      'an entry that unpacks to a thousand times its size',
      zipOf({ 'Page.md': 'text', 'zeros.bin': Buffer.alloc(30 * MIB) }),
    ],
    [
      'an entry that unpacks to more than it says',
      zipWith({ name: 'Page/_files/zeros.bin', data: Buffer.alloc(30 * MIB), size: 1_000 }),
    ],
    ['a million entries', zipFrom(Array.from({ length: 100_000 }, () => ({ name: 'x', method: 0 })))],
    ['5,001 entries', zipFrom(Array.from({ length: 5_001 }, (_, index) => ({ name: `${index}.md`, method: 0 })))],
    [
      '20,001 entries, and the word that it is ours',
      zipFrom(
        Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}.md`, method: 0 })),
        'Wiki of Sortie',
      ),
    ],
    ['a directory at another place', Buffer.concat([zipOf({ 'Page.md': 'text' }).subarray(20)])],
    ['bytes behind its end', Buffer.concat([zipOf({ 'Page.md': 'text' }), Buffer.from('more')])],
  ])('U1, U2: with %s', async (_, zip) => {
    const engagementId = await newEngagement()
    const before = [await checksumsOfOrganization(app.db, app.organization.id), filesOnDisk()]
    const { status, body, text } = await bringIn(engagementId, zip)
    expect([status, body?.error?.message], text).toEqual([422, expect.stringMatching(/^The ZIP /)])
    expect([await checksumsOfOrganization(app.db, app.organization.id), filesOnDisk()]).toEqual(before)
  })
})

describe('an import skips, with the reason,', () => {
  const skippedOf = async (zip: Buffer) => {
    const { status, body, text } = await bringIn(await newEngagement(), zip)
    expect(status, text).toBe(201)
    return Object.fromEntries(
      body.data.skipped.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
    )
  }

  test('U2: ZIPs within ZIPs: they are not opened', async () => {
    const zip = nested(4)
    expect(await skippedOf(zip)).toEqual(
      Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`lib ${index}.zip`, 'belongs to no page'])),
    )
  })

  test('U2: a ZIP that contains itself', async () => {
    const zip = zipQuine()
    const [nameLength, name] = [zip.readUInt16LE(26), zip.subarray(30, 30 + zip.readUInt16LE(26)).toString()]
    expect(inflateRawSync(zip.subarray(30 + nameLength))).toEqual(zip)
    expect(await skippedOf(zip)).toEqual({ [name]: 'has a NUL character' })
  })

  test('U1: damaged, repeated or otherwise packed entries', async () => {
    const zip = zipFrom([
      { name: 'Page.md', data: 'text' },
      { name: 'Page/crc.md', data: 'text', crc: 1 },
      { name: 'Page/crc.png', data: 'text', crc: 1 },
      { name: 'PAGE.md', data: 'again' },
      { name: 'Page/lzma.md', data: 'text', method: 14 },
      { name: 'Page/nul.md', data: 'a\0b' },
      { name: 'Page/binary.md', data: Buffer.from([0xe4, 0x01]) },
      { name: './/', data: '' },
      { name: '.', data: 'x' },
    ])
    expect(await skippedOf(zip)).toEqual({
      'Page/crc.md': 'is damaged',
      'Page/crc.png': 'is damaged',
      'PAGE.md': 'occurs twice',
      'Page/lzma.md': 'uses an unsupported compression method',
      'Page/nul.md': 'has a NUL character',
      'Page/binary.md': 'is not text',
      '.': 'has no name',
    })
  })

  test('bytes that are not a deflate stream', async () => {
    const zip = zipOf({ 'Page.md': 'text', 'x.md': 'text that is packed' })
    const at = zip.indexOf('x.md') + 'x.md'.length
    zip.fill(0xff, at, at + 4)
    expect(await skippedOf(zip)).toEqual({ 'x.md': 'is damaged' })
  })
})

test('U2: a text with tens of thousands of links to thousands of files of one name takes no longer than others', async () => {
  const names = Array.from({ length: 4_900 }, (_, index) => `${index}/shot.png`)
  const body = Array.from({ length: 25_000 }, (_, index) => `![[shot.png#${index}]]`).join(' ')
  const zip = zipFrom([{ name: 'Page.md', data: body }, ...names.map((name) => ({ name, data: 'x', method: 0 }))])
  const { status, body: answer, text } = await bringIn(await newEngagement(), zip)
  expect(status, text.slice(0, 500)).toBe(201)
  expect(answer.data).toMatchObject({ pages: 1, files: 1 })
})

const PARTS = [
  '',
  '.',
  '..',
  '/',
  '//',
  'a',
  '_files',
  'README',
  'index',
  '.md',
  '.md/',
  '.MARKDOWN',
  '\\',
  ':',
  ' ',
  '\0',
  '\u202e',
  'é',
  '🧭',
  '__MACOSX',
  'constructor',
  '\ud800',
]

test('U1: with any names of entries, an import accepts or refuses them, and each path once', async () => {
  const name = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(0, 0x800),
      async (names, flags) => {
        const { status, body, text } = await bringIn(
          await newEngagement(),
          zipFrom(
            names.map((each, index) => ({
              name: each,
              flags,
              data: `${index} [[a]] [x](../a.md) [y](<${names[0]?.replaceAll(/[<>\0]/g, '')}>)`,
            })),
          ),
        )
        expect([201, 422], text).toContain(status)
        if (status === 201)
          expect(body.data.pages + body.data.files + body.data.skipped.length).toBeGreaterThanOrEqual(0)
      },
    ),
    { numRuns: runs(60), endOnFailure: true },
  )
})

test('U2: with any changed bytes of a ZIP, an import accepts, skips or refuses it', async () => {
  const honest = zipOf({
    'Page.md': '# Page\n'.repeat(50),
    'Page/below.md': '[[Page]]',
    'Page/_files/a.png': Buffer.alloc(300, 'x'),
  })
  const change = fc.tuple(fc.nat(honest.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.option(fc.nat(honest.length), { nil: undefined }),
      async (changes, cut) => {
        const zip = Buffer.from(honest.subarray(0, cut))
        for (const [at, byte] of changes) if (at < zip.length) zip[at] = byte
        const { status, text } = await bringIn(await newEngagement(), zip)
        expect([201, 400, 422], text).toContain(status)
      },
    ),
    { numRuns: runs(100), endOnFailure: true },
  )
})

test('T20: 300 names of 4,000 combining marks are refused without sorting them', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `${index}${'\u0301\u0323'.repeat(2_000)}.md`)
  const zip = zipFrom(names.map((name) => ({ name, data: 'text' })))
  const before = process.threadCpuUsage()
  expect((await bringIn(await newEngagement(), zip)).status).toBe(422)
  const { user, system } = process.threadCpuUsage(before)
  // Sorting one of these names takes 9 ms.
  expect((user + system) / 1000).toBeLessThan(hereMs(1_000))
})

test("T20: an archive with more pages than the tree's quota is refused before any of it is read", async () => {
  const small = await testApp({ workers: false, env: { WIKI_PAGE_LIMIT: '20' } })
  try {
    const client = await small.signedIn('owner')
    const engagementId = (await client.post('/api/web/engagements', { name: 'Small' })).body.data.id
    const bring = (zip: Buffer) =>
      client.request('POST', `${WEB}/import?engagementId=${engagementId}`, { rawBody: zip })
    // The last one is damaged, which reading it would detect: then the answer would be 422.
    const pages = Array.from({ length: 21 }, (_, index) => ({ name: `folder/${index}.md`, data: 'text' }))
    const refused = await bring(zipFrom([...pages, { name: 'folder/last.md', data: 'text', size: 5 }]))
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'A wiki has at most 20 pages (WIKI_PAGE_LIMIT): delete some forever first.',
    ])
    expect((await bring(zipFrom(pages.slice(0, 19)))).body.data.pages).toBe(20)
  } finally {
    await small.close()
  }
})
