import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeEngagement } from '../../../src/features/engagements/removal/removal.service.ts'
import { withEveryRow } from '../../../src/platform/database/every-row.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { filesBelow, filesOf, newEngagement, sha256, upload } from '../../support/document/files.ts'
import { startJobProcess } from '../../support/races/background-jobs.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const SCRIPT = '<script>alert(1)</script>'
const bytesOf = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.alloc(part) : Buffer.from(part, 'latin1'))))

let app: TestApp
let key: TestClient
let engagementId: string
let files: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write'])
})
afterAll(() => app.close())
beforeEach(async () => {
  engagementId = await newEngagement(key)
  files = filesOf(engagementId)
})

const storage = () => app.platform.config.STORAGE_PATH
const uploaded = async (bytes: string | Uint8Array, fileName?: string) =>
  (await upload(key, files, bytes, fileName)).body.data
const download = async (fileId: string, client = key, at = files) => {
  const response = await fetch(`${client.origin}${at}/${fileId}`, { headers: client.headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('a file', () => {
  test('is returned byte for byte, with its size and hash, whatever Content-Type it was sent with', async () => {
    for (const type of [
      'application/octet-stream',
      'application/json',
      'text/html; charset=utf-16',
      'multipart/form-data; boundary=x',
      undefined,
    ]) {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256))
      const { status, body } = await upload(key, files, bytes, 'scan.bin', type && { 'content-type': type })
      expect(status, type).toBe(201)
      const { id, ...rest } = body.data
      expect(id).toMatch(/^fil_[0-9a-z]{26}$/)
      const expected = {
        fileName: 'scan.bin',
        size: bytes.length,
        sha256: sha256(bytes),
        mediaType: 'application/octet-stream',
        runId: null,
        caption: '',
        position: null,
        sealed: false,
        redactedBy: null,
        createdBy: null,
      }
      expect(rest).toEqual({ ...expected, createdAt: expect.any(String) })
      const { status: found, bytes: received } = await download(id)
      expect([found, sha256(received)]).toEqual([200, sha256(bytes)])
    }
  })

  test('sent in chunks without a length is stored as well; an empty one, an encoded one, or one without a media type is 400', async () => {
    const stream = new Blob(['first', 'second']).stream()
    const sent = await fetch(`${app.origin}${files}?fileName=chunks`, {
      method: 'POST',
      headers: key.headers,
      body: stream,
      duplex: 'half',
    })
    expect(sent.status).toBe(201)
    expect((await upload(key, files, '')).body.error.message).toBe('The body is empty: send the bytes of the file.')
    expect((await upload(key, files, 'x', 'x', { 'content-encoding': 'gzip' })).status).toBe(400)
    expect((await upload(key, files, 'x', 'x', { 'content-type': 'nonsense' })).body.error.message).toContain(
      'Content-Type is not a media type',
    )
    expect((await key.get(files)).body.meta.total).toBe(1)
  })

  test('is stored below STORAGE_PATH by organization and id, readable only by its owner, and nothing else is there', async () => {
    const before = filesBelow(storage())
    const { id } = await uploaded('bytes')
    const added = filesBelow(storage()).filter((file) => !before.includes(file))
    expect(added).toEqual([expect.stringMatching(new RegExp(`^${app.organization.id}/[0-9a-f]{2}/${id}$`))])
    const file = path.join(storage(), added[0] as string)
    expect(readFileSync(file, 'utf8')).toBe('bytes')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('names the person who uploaded it, also after they left', async () => {
    const owner = await app.signedIn('owner')
    const admin = await app.signedIn('admin')
    const at = `/api/web/engagements/${engagementId}/files`
    const { createdBy } = (await upload(admin, at, 'x')).body.data
    expect(createdBy).toEqual({ id: admin.user.id, name: admin.user.name })
    expect((await owner.delete(`/api/web/organizations/current/members/${admin.user.id}`)).status).toBe(200)
    expect((await owner.get(at)).body.data[0].createdBy).toEqual(createdBy)
  })

  test('is deleted with its bytes; then it is 404 (A5)', async () => {
    const { id } = await uploaded('bytes')
    expect((await key.delete(`${files}/${id}`)).body).toEqual({ data: { deleted: true, id } })
    expect((await download(id)).status).toBe(404)
    expect((await key.delete(`${files}/${id}`)).status).toBe(404)
    expect(filesBelow(storage()).filter((file) => file.includes(id))).toEqual([])
  })

  test('answers HEAD with its headers only', async () => {
    const { id } = await uploaded('bytes')
    const { status, headers, text } = await key.request('HEAD', `${files}/${id}`)
    expect([status, headers.get('content-length'), text]).toEqual([200, '5', ''])
  })

  test('each upload and deletion is in the audit log with name, size and hash', async () => {
    const { id } = await uploaded('bytes', 'evidence.txt')
    await key.delete(`${files}/${id}`)
    const { data } = (await (await app.signedIn('owner')).get(`/api/web/audit?objectId=${id}`)).body
    const facts = { fileName: 'evidence.txt', engagementId, size: 5, sha256: sha256('bytes') }
    expect(data).toMatchObject([
      { action: 'file.deleted', object: { type: 'file', id, name: 'evidence.txt' }, before: facts },
      { action: 'file.uploaded', object: { type: 'file', id, name: 'evidence.txt' }, after: facts },
    ])
  })
})

describe('U5: browsers', () => {
  const PICTURES: [mediaType: string, bytes: Buffer][] = [
    ['image/png', PNG],
    ['image/jpeg', bytesOf('\xff\xd8\xff\xe0', 40)],
    ['image/gif', bytesOf('GIF89a', 40)],
    ['image/webp', bytesOf('RIFF\x10\0\0\0WEBPVP8 ', 40)],
    ['image/avif', bytesOf('\0\0\0\x1cftypavif\0\0\0\0avifmif1', 40)],
    ['image/avif', bytesOf('\0\0\0\x1cftypmif1\0\0\0\0mif1avif', 40)],
  ]
  const OTHERS: [what: string, bytes: Buffer][] = [
    ['HTML', bytesOf(SCRIPT)],
    ['SVG', bytesOf(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)],
    ['PDF', bytesOf('%PDF-1.7')],
    ['an MP4 video', bytesOf('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 40)],
    ['a picture behind a script', Buffer.concat([bytesOf(SCRIPT), PNG])],
    ['half a mark', bytesOf('\x89PNG')],
    ['one byte', bytesOf('\xff')],
  ]
  const expectHarmless = ({ headers }: { headers: Headers }, kind: string, mediaType: string) => {
    expect(headers.get('content-type')).toBe(mediaType)
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^${kind}; `))
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe('sandbox')
    expect(headers.get('cache-control')).toBe('no-store')
  }

  test.each(PICTURES)('show %s, which is recognised by its bytes, under any name', async (mediaType, bytes) => {
    const { id, mediaType: detected } = await uploaded(bytes, 'page.html')
    expect(detected).toBe(mediaType)
    expectHarmless(await download(id), 'inline', mediaType)
  })

  test.each(OTHERS)('save and never show %s, under any name and type', async (_what, bytes) => {
    const { body } = await upload(key, files, bytes, 'picture.png', { 'content-type': 'image/png' })
    expectHarmless(await download(body.data.id), 'attachment', 'application/octet-stream')
  })

  test('treat a script behind the magic bytes of an image as an image, and run nothing', async () => {
    const { id } = await uploaded(bytesOf('GIF89a/*', SCRIPT))
    expectHarmless(await download(id), 'inline', 'image/gif')
  })
})

describe('U4, U10: a file name', () => {
  const NAMES: [fileName: string, header: string][] = [
    ['../../etc/passwd', `filename="__.._etc_passwd"; filename*=UTF-8''__.._etc_passwd`],
    ['a/b.png', `filename="a_b.png"; filename*=UTF-8''a_b.png`],
    ['C:\\boot.ini', `filename="C__boot.ini"; filename*=UTF-8''C__boot.ini`],
    ['.bashrc', `filename="_bashrc"; filename*=UTF-8''_bashrc`],
    ['a"; filename="evil.exe', `filename="a_; filename=_evil.exe"; filename*=UTF-8''a_%3B%20filename%3D_evil.exe`],
    ['100%41\\x', `filename="100_41_x"; filename*=UTF-8''100%2541_x`],
    ['Übersicht 資料.pdf', `filename="_bersicht __.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%E8%B3%87%E6%96%99.pdf`],
    ["it's (1).txt", `filename="it's (1).txt"; filename*=UTF-8''it%27s%20%281%29.txt`],
    ['📎', `filename="_"; filename*=UTF-8''%F0%9F%93%8E`],
    ['x'.repeat(255), `filename="${'x'.repeat(255)}"; filename*=UTF-8''${'x'.repeat(255)}`],
  ]
  test.each(NAMES)(
    '%s is returned unchanged, and saved under a name without parts of a path',
    async (fileName, header) => {
      const { id, ...file } = await uploaded('x', fileName)
      expect(file.fileName).toBe(fileName)
      expect((await download(id)).headers.get('content-disposition')).toBe(`attachment; ${header}`)
      expect(filesBelow(storage()).filter((name) => name.includes(id))).toHaveLength(1)
    },
  )

  test.each([
    ['nothing', ''],
    ['white space', ' \u00a0'],
    ['a line break', 'a\r\nSet-Cookie: x=1'],
    ['NUL', 'a\0.png'],
    ['a direction character', 'exe.\u202egnp'],
    ['an invisible character', 'a\u200bb'],
    ['half a surrogate pair', '%ED%A0%80'],
    ['256 characters', 'x'.repeat(256)],
  ])('%s is 400, and nothing is stored', async (what, fileName) => {
    const before = filesBelow(storage())
    const written = what.startsWith('half') ? fileName : encodeURIComponent(fileName)
    expect((await key.request('POST', `${files}?fileName=${written}`, { rawBody: 'x' })).status).toBe(400)
    expect((await key.request('POST', files, { rawBody: 'x' })).body.error.message).toBe('fileName: is required')
    expect(filesBelow(storage())).toEqual(before)
  })
})

describe('the list', () => {
  test('is paged by cursor, newest first, counts all, and repeats none while others are added and deleted', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift((await uploaded(`${i}`)).id)
    const first = (await key.get(`${files}?perPage=2`)).body
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    expect(first.meta).toEqual({ perPage: 2, nextCursor: expect.any(String), total: 5 })
    await uploaded('newer')
    await key.delete(`${files}/${ids[1]}`)
    const second = (await key.get(`${files}?perPage=3&cursor=${first.meta.nextCursor}`)).body
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
    expect(second.meta).toEqual({ perPage: 3, nextCursor: null, total: 5 })
    expect((await key.get(`${files}?cursor=x`)).status).toBe(400)
    expect((await key.get(filesOf('eng_00000000000000000000000000'))).status).toBe(404)
  })
})

describe('access to files', () => {
  test('A1, A5: another organization, and another engagement of the same, find nothing at its address', async () => {
    const { id } = await uploaded('Canary')
    const stranger = await app.withKey(['organizations:read', 'organizations:write'], await app.createOrganization())
    const own = filesOf(await newEngagement(stranger))
    const other = filesOf(await newEngagement(key))
    for (const [client, at] of [
      [stranger, files],
      [stranger, own],
      [key, other],
    ] as const) {
      expect((await download(id, client, at)).status).toBe(404)
      expect((await client.delete(`${at}/${id}`)).status).toBe(404)
    }
    expect((await upload(stranger, files, 'x')).status).toBe(404)
    expect((await stranger.get(files)).status).toBe(404)
    expect((await stranger.get(`${own}?cursor=${id}`)).status).toBe(400)
    expect((await stranger.get(own)).body.data).toEqual([])
    expect((await download(id)).bytes.toString()).toBe('Canary')
  })

  test('reading needs the scope that reads engagements, writing the one that writes them', async () => {
    const { id } = await uploaded('x')
    const reader = await app.withKey(['organizations:read'])
    expect((await download(id, reader)).status).toBe(200)
    expect((await upload(reader, files, 'x')).status).toBe(403)
    expect((await reader.delete(`${files}/${id}`)).status).toBe(403)
    const other = await app.withKey(['wiki:read'])
    expect((await download(id, other)).status).toBe(403)
    expect((await other.get(files)).status).toBe(403)
  })

  test('in an archived engagement files are read, and every write is 409 with the reason', async () => {
    const { id } = await uploaded('x')
    for (const status of ['completed', 'archived']) await key.patch(`/api/v1/engagements/${engagementId}`, { status })
    const before = filesBelow(storage())
    for (const { status, body } of [await upload(key, files, 'x'), await key.delete(`${files}/${id}`)])
      expect([status, body.error.message]).toEqual([409, 'This engagement is archived: reopen it first.'])
    expect((await download(id)).status).toBe(200)
    expect(filesBelow(storage())).toEqual(before)
  })

  test("A5: only its team finds files of a team's engagement, and no one those of a deleted one; their rows are deleted when it is purged", async () => {
    const { id } = await uploaded('x')
    const [owner, member] = [await app.signedIn('owner'), await app.signedIn('member')]
    const at = `/api/web/engagements/${engagementId}/files`
    const statuses = async (client: TestClient) => [
      (await client.get(at)).status,
      (await download(id, client, at)).status,
    ]
    expect(await statuses(member)).toEqual([200, 200])
    expect((await owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'team' })).status).toBe(200)
    expect(await statuses(member)).toEqual([404, 404])
    expect(await statuses(owner)).toEqual([200, 200])
    expect((await owner.delete(`/api/web/engagements/${engagementId}`, { body: { name: 'Engagement' } })).status).toBe(
      200,
    )
    expect(await statuses(owner)).toEqual([404, 404])
    const purge = owner.delete(`/api/web/trashed-engagements/${engagementId}`, { body: { name: 'Engagement' } })
    expect((await purge).status).toBe(200)
    const worker = await startJobProcess(app, [removeEngagement])
    await eventually(async () =>
      expect(
        await withEveryRow(app.platform).db.selectFrom('files').select('id').where('id', '=', id).execute(),
      ).toEqual([]),
    )
    await worker.stop()
  })

  test('a browser that opens a file by its address names the organization in the query; at no other route, from no other site, and by no key', async () => {
    const { id } = await uploaded(PNG)
    const person = await app.signedIn('member')
    const browser = app.anonymous.with({ cookie: person.headers.cookie as string })
    const at = `/api/web/engagements/${engagementId}/files`
    const named = `organizationId=${app.organization.id}`
    const ask = async (site: string | undefined, address: string) =>
      (await browser.get(address, { headers: site ? { 'sec-fetch-site': site } : {} })).status
    for (const site of ['same-origin', 'none']) expect(await ask(site, `${at}/${id}?${named}`)).toBe(200)
    for (const site of ['cross-site', 'same-site', undefined])
      expect(await ask(site, `${at}/${id}?${named}`), site).toBe(400)
    expect(await ask('same-origin', `${at}?${named}`)).toBe(400)
    expect(await ask('same-origin', `${at}/${id}?${named}&${named}`)).toBe(400)
    expect(await ask('same-origin', `${at}/${id}?organization=${app.organization.id}`)).toBe(200)
    expect(await ask('same-origin', `${at}/${id}?organizationId=${(await app.createOrganization()).id}`)).toBe(404)
    expect((await key.get(`${files}/${id}?${named}`)).status).toBe(400)
    const headers = { 'sec-fetch-site': 'same-origin' }
    expect((await browser.delete(`${at}/${id}?${named}`, { headers })).status).toBe(400)
    expect((await browser.request('POST', `${at}?fileName=x&${named}`, { rawBody: 'x', headers })).status).toBe(400)
  })
})
