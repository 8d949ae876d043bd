import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient & { user: { id: string; name: string } }
const WEB = '/api/web/wiki-pages'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const create = async (wanted = {}): Promise<string> =>
  (await owner.post(WEB, { title: 'Page', ...wanted })).body.data.id
const upload = (pageId: string, fileName: string, bytes: Buffer, client: TestClient = owner) =>
  client.request('POST', `${WEB}/${pageId}/files?fileName=${encodeURIComponent(fileName)}`, { rawBody: bytes })

test('a file of a page is recognised by its bytes, listed, returned unchanged, and deleted', async () => {
  const id = await create()
  const { status, body } = await upload(id, 'shot.html', PNG)
  expect(status).toBe(201)
  expect(body.data).toEqual({
    id: expect.stringMatching(/^fil_[0-9a-z]{26}$/),
    fileName: 'shot.html',
    size: PNG.length,
    sha256: createHash('sha256').update(PNG).digest('hex'),
    mediaType: 'image/png',
    runId: null,
    caption: '',
    position: null,
    sealed: false,
    redactedBy: null,
    createdBy: { id: owner.user.id, name: owner.user.name },
    createdAt: expect.any(String),
  })
  const address = `${WEB}/${id}/files`
  expect((await owner.get(address)).body.data).toEqual([body.data])
  const answer = await fetch(`${app.origin}${address}/${body.data.id}`, { headers: owner.headers })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
  expect((await owner.delete(`${address}/${body.data.id}`)).body.data).toEqual({ deleted: true, id: body.data.id })
  expect((await owner.get(`${address}/${body.data.id}`)).status).toBe(404)
  expect((await owner.get(address)).body.data).toEqual([])
})

test('U5: an image of a page is shown in place, anything a browser could execute is an attachment, and neither is executed', async () => {
  const id = await create()
  for (const [name, bytes, kind, mediaType] of [
    ['a.svg', PNG, 'inline', 'image/png'],
    ['a.png', SVG, 'attachment', 'application/octet-stream'],
    ['a.png', Buffer.from('<script>alert(1)</script>'), 'attachment', 'application/octet-stream'],
  ] as const) {
    const file = (await upload(id, name, bytes)).body.data
    const { headers } = await owner.get(`${WEB}/${id}/files/${file.id}`)
    expect(headers.get('content-disposition')).toBe(`${kind}; filename="${name}"; filename*=UTF-8''${name}`)
    expect(headers.get('content-type')).toBe(mediaType)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe('sandbox')
  }
})

test('A5, A6: a file is found only at its own page, and in a closed engagement only by those who see it', async () => {
  const engagementId = (
    await owner.post('/api/web/engagements', { name: 'Closed', details: { access: 'team', team: [] } })
  ).body.data.id
  const [id, other] = [await create({ engagementId }), await create({ engagementId })]
  const file = (await upload(id, 'a.png', PNG)).body.data
  expect((await owner.get(`${WEB}/${id}/files/${file.id}`)).status).toBe(200)
  expect((await owner.get(`${WEB}/${other}/files/${file.id}`)).status).toBe(404)
  const member = await app.signedIn('member')
  const stranger = await app.signedIn('owner', await app.createOrganization())
  for (const client of [member, stranger]) {
    expect((await client.get(`${WEB}/${id}/files/${file.id}`)).status).toBe(404)
    expect((await client.delete(`${WEB}/${id}/files/${file.id}`)).status).toBe(404)
    expect((await upload(id, 'b.png', PNG, client)).status).toBe(404)
  }
  const reader = await app.withKey(['wiki:read'])
  expect((await reader.request('POST', `/api/v1/wiki-pages/${id}/files?fileName=x`, { rawBody: 'x' })).status).toBe(403)
})

/** A PNG whose header claims these dimensions, and which has no pixels. */
const pictureOf = (width: number, height: number): Buffer => {
  const bytes = Buffer.from(PNG)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

test('U6: the server decodes no image, however many pixels it claims, and changes none: evidence stays as it was taken', async () => {
  const id = await create()
  const ofCamera = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 16]),
    Buffer.from('Exif\0\0GPS 51.5N'),
    Buffer.from([0xff, 0xd9]),
  ])
  for (const [bytes, mediaType] of [
    [pictureOf(2 ** 31 - 1, 2 ** 31 - 1), 'image/png'],
    [ofCamera, 'image/jpeg'],
  ] as const) {
    const used = process.cpuUsage()
    const { status, body } = await upload(id, 'shot', bytes)
    expect([status, body.data.mediaType, body.data.sha256]).toEqual([
      201,
      mediaType,
      createHash('sha256').update(bytes).digest('hex'),
    ])
    const answer = await fetch(`${app.origin}${WEB}/${id}/files/${body.data.id}`, { headers: owner.headers })
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
    expect(process.cpuUsage(used).user / 1_000).toBeLessThan(hereMs(1_000))
  }
})
