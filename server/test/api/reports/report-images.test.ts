import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { png } from '../../support/reports/png.ts'

const SECRET = 'shot at Contoso headquarters'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let path: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Pictures' })).body.data.id
  path = `/api/web/reports/${(await owner.post('/api/web/reports', { engagementId, title: 'Pictures' })).body.data.id}`
})
afterAll(() => app.close())

/** Embeds a picture. @returns its entry in report-data, and its bytes in the HTML document */
const shown = async (bytes: Uint8Array) => {
  const file = await owner.request('POST', `${path}/files?fileName=picture`, { rawBody: bytes })
  expect(file.status, file.text).toBe(201)
  const { id } = file.body.data
  const section = await owner.post(`${path}/sections`, { title: 'Picture', body: `![[${id}|Picture]]` })
  const { images, sections } = (await owner.get(`${path}/data`)).body.data
  const html = (await owner.get(`${path}/html`)).text
  await owner.delete(`${path}/sections/${section.body.data.id}`)
  const encoded = /<figure[^>]*><img src="data:[^,]+,([^"]+)"/.exec(html)?.[1] ?? ''
  const figure = sections.at(-1).blocks[0] as { image: string | null }
  return { image: images[id], figure, bytes: Buffer.from(encoded, 'base64') }
}

const chunk = (name: string, data: string): Buffer => {
  const body = Buffer.from(name + data, 'latin1')
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

test('texts in a PNG are removed, and its pixels stay', async () => {
  const plain = Buffer.from(png(5, 4, () => [10, 20, 30]))
  const withText = Buffer.concat([plain.subarray(0, 33), chunk('tEXt', `Comment\0${SECRET}`), plain.subarray(33)])
  const { image, bytes } = await shown(withText)
  expect(image).toMatchObject({ mediaType: 'image/png', width: 5, height: 4 })
  expect(bytes.equals(plain)).toBe(true)
})

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

test('EXIF and comments of a JPEG are removed, except how it is turned', async () => {
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100060000', 'hex')
  const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from(SECRET)]))
  const comment = segment(0xfe, Buffer.from(SECRET))
  const frame = segment(0xc0, Buffer.from([8, 0, 30, 0, 40, 1, 1, 0x11, 0]))
  const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([0x55, 0xff, 0xd9])])
  const { image, bytes } = await shown(Buffer.concat([Buffer.from([0xff, 0xd8]), exif, comment, frame, scan]))
  // The sixth orientation is a quarter turn: people see 30 by 40 pixels.
  expect(image).toMatchObject({ mediaType: 'image/jpeg', width: 30, height: 40 })
  expect(bytes.includes(SECRET)).toBe(false)
  expect(bytes.includes('Exif')).toBe(true)
  expect(bytes.subarray(-scan.length).equals(scan)).toBe(true)
})

test('thumbnails of a JPEG, and pictures and comments behind its first scan, are removed', async () => {
  const start = Buffer.from([0xff, 0xd8])
  const jfif = Buffer.concat([Buffer.from('JFIF\0'), Buffer.from([1, 2, 0, 0, 1, 0, 1])])
  const withThumbnail = segment(0xe0, Buffer.concat([jfif, Buffer.from([5, 1]), Buffer.from(SECRET.slice(0, 15))]))
  const extension = segment(0xe0, Buffer.from(`JFXX\0${SECRET}`))
  const several = segment(0xe2, Buffer.from(`MPF\0${SECRET}`))
  const frame = segment(0xc0, Buffer.from([8, 0, 30, 0, 40, 1, 1, 0x11, 0]))
  const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))
  const coded = Buffer.from([0x55, 0xff, 0x00, 0x21, 0xff, 0xd3, 0x55])
  const comment = segment(0xfe, Buffer.from(SECRET))
  const end = Buffer.from([0xff, 0xd9])
  const behind = Buffer.concat([start, comment, end])
  const plain = Buffer.concat([start, segment(0xe0, Buffer.concat([jfif, Buffer.from([0, 0])])), frame])
  const { bytes } = await shown(
    Buffer.concat([start, withThumbnail, extension, several, frame, scan, coded, comment, scan, coded, end, behind]),
  )
  expect(bytes.equals(Buffer.concat([plain, scan, coded, scan, coded, end]))).toBe(true)
})

test('EXIF of a WebP, chunks of other programs, and what is behind it are removed', async () => {
  const part = (name: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(data.length)
    return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)])
  }
  const riff = (...parts: Buffer[]): Buffer => part('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
  const pixels = part('VP8L', Buffer.from([0x2f, 4, 0xc0, 0, 0, 0]))
  const whole = riff(pixels, part('EXIF', Buffer.from(SECRET)), part('note', Buffer.from(SECRET)))
  const { bytes } = await shown(Buffer.concat([whole, Buffer.from(SECRET)]))
  expect(bytes.equals(riff(pixels))).toBe(true)
})

test('a picture of more than 64 million pixels is a problem, not a picture', async () => {
  const bomb = Buffer.from(png(1, 1, () => [0, 0, 0]))
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  const { image, figure } = await shown(bomb)
  expect([image, figure.image]).toEqual([undefined, null])
})
