import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportRenders } from '../../../src/features/report-renders/report-renders.feature.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { sha256 } from '../../support/document/files.ts'
import { coloursIn, partsOf } from '../../support/reports/pictures-in.ts'
import { png } from '../../support/reports/png.ts'

const SECRET = [3, 201, 117] as const
const BLACK = [0, 0, 0] as const
const FORMATS = ['pdf', 'html', 'docx', 'markdown', 'json', 'sarif'] as const

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>

beforeAll(async () => {
  app = await testApp()
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

/** A password in its own colour, with a background whose colour makes each picture different. */
const picture = (block: readonly [number, number, number], shade: number): Buffer =>
  Buffer.from(png(96, 64, (x, y) => (x > 20 && x < 70 && y > 20 && y < 40 ? block : [shade, 240, 240])))

let shade = 100
const newPictures = () => {
  shade += 1
  return { original: picture(SECRET, shade), redacted: picture(BLACK, shade) }
}

interface StoredFile {
  id: string
  fileName: string
  sha256: string
  caption: string
  position: number | null
  sealed: boolean
  redactedBy: string | null
}

const send = (path: string, bytes: Uint8Array, query = 'fileName=login.png', client: TestClient = owner) =>
  client.request('POST', `${path}?${query}`, { rawBody: bytes })

const bytesAt = async (path: string, client: TestClient = owner): Promise<Buffer> => {
  const answer = await fetch(`${client.origin}${path}`, { headers: client.headers })
  expect(answer.status, path).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** A finding whose text shows a picture, and a report of its engagement that refers to it. */
const reported = async () => {
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Contoso' })).body.data.id as string
  const finding = (await owner.post('/api/web/findings', { engagementId, title: 'Password in the page' })).body.data
  const files = `/api/web/findings/${finding.id}/files`
  const pictures = newPictures()
  const original = (await send(files, pictures.original)).body.data as StoredFile
  const text = `As [[${original.id}]] shows:\n\n![The password](${original.id})`
  const saved = await owner.patch(`/api/web/findings/${finding.id}`, { description: text, baseRevision: 1 })
  expect(saved.status, saved.text).toBe(200)
  const report = (await owner.post('/api/web/reports', { engagementId, title: 'Report' })).body.data
  const summary = { title: 'Picture', body: `![[${original.id}|The password again]]` }
  expect((await owner.post(`/api/web/reports/${report.id}/sections`, summary)).status).toBe(201)
  const list = async (): Promise<StoredFile[]> => (await owner.get(files)).body.data
  const originalBytes = pictures.original
  return {
    engagementId,
    findingId: finding.id as string,
    reportId: report.id as string,
    files,
    original,
    list,
    originalBytes,
    redacted: pictures.redacted,
  }
}

const redact = async ({ files, original, redacted }: Awaited<ReturnType<typeof reported>>): Promise<StoredFile> => {
  const answer = await send(files, redacted, `fileName=login.png&redacts=${original.id}`)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

/** Everything that a report or a finding is given out as. */
const outputsOf = async ({ findingId, reportId, engagementId }: Awaited<ReturnType<typeof reported>>) => {
  const outputs = new Map<string, Buffer>()
  for (const subject of [`reports/${reportId}`, `findings/${findingId}`]) {
    for (const format of FORMATS) {
      let { data } = (await owner.post(`/api/web/${subject}/render`, { format, wait: 30 })).body
      while (['queued', 'running'].includes(data.state))
        data = (await owner.get(`/api/web/report-renders/${data.id}`)).body.data
      expect(data.state, `${subject} ${format}: ${JSON.stringify(data)}`).toBe('succeeded')
      outputs.set(`${subject}.${format}`, await bytesAt(`/api/web/report-renders/${data.id}/file`))
    }
  }
  outputs.set('preview', await bytesAt(`/api/web/reports/${reportId}/html`))
  outputs.set('data', await bytesAt(`/api/web/reports/${reportId}/data`))
  for (const format of ['json', 'csv', 'sarif'])
    outputs.set(
      `export.${format}`,
      await bytesAt(`/api/web/findings/export?engagementId=${engagementId}&format=${format}`),
    )
  return outputs
}

/** The compressed pixels of a picture: no other picture has them. */
const pixelsOf = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8)

const traces = async (output: Buffer, original: Buffer): Promise<string[]> => {
  const parts = [output, ...partsOf(output).values()]
  const marks: Record<string, string | Buffer> = {
    pixels: pixelsOf(original),
    hash: sha256(original),
    encoded: pixelsOf(original).toString('base64').slice(8, 60),
  }
  const found = Object.keys(marks).filter((name) => parts.some((part) => part.includes(marks[name] as string)))
  return (await coloursIn(output)).has(SECRET.join()) ? [...found, 'colour'] : found
}

describe('a redacted picture', () => {
  test('is in no output any more: neither its bytes nor its hash nor its pixels; the new one is in its place', async () => {
    const report = await reported()
    const before = await outputsOf(report)
    for (const name of ['preview', `reports/${report.reportId}.pdf`, `findings/${report.findingId}.docx`])
      expect(await traces(before.get(name) as Buffer, report.originalBytes), name).toContain('colour')
    const shown = await redact(report)
    expect(shown).toMatchObject({ sealed: false, redactedBy: null, sha256: sha256(report.redacted) })
    const after = await outputsOf(report)
    for (const [name, output] of after) expect(await traces(output, report.originalBytes), name).toEqual([])
    const data = JSON.parse((after.get('data') as Buffer).toString()).data
    expect(Object.keys(data.images)).toEqual([shown.id])
    expect(data.images[shown.id].sha256).toBe(sha256(report.redacted))
    for (const name of [`reports/${report.reportId}`, `findings/${report.findingId}`])
      for (const format of ['pdf', 'html', 'docx', 'markdown'])
        expect((await coloursIn(after.get(`${name}.${format}`) as Buffer)).has(BLACK.join()), format).toBe(true)
    // The reference in the text still leads to the figure, which is there once.
    const { description, evidence } = data.findings[0]
    expect(description.filter(({ type }: { type: string }) => type === 'figure')).toHaveLength(1)
    expect(evidence).toEqual([])
    expect(JSON.stringify(description)).toContain('Figure 1')
  })
})

test('the original stays for the team, sealed and last; the new file has its caption and its place', async () => {
  const report = await reported()
  const other = (await send(report.files, picture([9, 9, 9], 200), 'fileName=other.png')).body.data as StoredFile
  await owner.patch(`${report.files}/${report.original.id}`, { caption: 'The password', position: 0 })
  const shown = await redact(report)
  expect(shown).toMatchObject({ caption: 'The password', position: 0 })
  const inOrder = (await report.list()).toSorted((a, b) => Number(a.position) - Number(b.position))
  expect(inOrder.map(({ id, sealed, redactedBy }) => ({ id, sealed, redactedBy }))).toEqual([
    { id: shown.id, sealed: false, redactedBy: null },
    { id: other.id, sealed: false, redactedBy: null },
    { id: report.original.id, sealed: true, redactedBy: shown.id },
  ])
  const path = `${report.files}/${report.original.id}`
  expect((await bytesAt(`${path}?original=true`)).equals(report.originalBytes)).toBe(true)
  // Texts in the browser name the original.
  expect((await bytesAt(path)).equals(report.redacted)).toBe(true)
  const moved = await owner.patch(`${report.files}/${shown.id}`, { position: 1 })
  expect(moved.body.data.position).toBe(1)
})

test('readers, who may not redact, neither list nor get the original', async () => {
  const report = await reported()
  const shown = await redact(report)
  const files = report.files.replace('/api/web', '/api/v1')
  const reader = await app.withKey(['reports:read'])
  expect((await reader.get(files)).body.data.map(({ id }: StoredFile) => id)).toEqual([shown.id])
  expect((await reader.get(files)).body.meta.total).toBe(1)
  expect((await bytesAt(`${files}/${report.original.id}`, reader)).equals(report.redacted)).toBe(true)
  expect((await reader.get(`${files}/${report.original.id}?original=true`)).status).toBe(404)
  const again = await send(files, report.redacted, `fileName=a.png&redacts=${shown.id}`, reader)
  expect(again.status).toBe(403)
})

test('the deleted original is still replaced, and one whose replacement is deleted is not shown again', async () => {
  const report = await reported()
  const first = await redact(report)
  const last = (await send(report.files, picture(BLACK, 77), `fileName=b.png&redacts=${first.id}`)).body
    .data as StoredFile
  const dataOf = async () => (await owner.get(`/api/web/reports/${report.reportId}/data`)).body.data
  expect(Object.keys((await dataOf()).images)).toEqual([last.id])
  expect((await report.list()).map(({ redactedBy }) => redactedBy).toSorted()).toEqual(
    [last.id, last.id, null].toSorted(),
  )
  expect((await owner.delete(`${report.files}/${report.original.id}`)).status).toBe(200)
  expect((await owner.delete(`${report.files}/${first.id}`)).status).toBe(200)
  expect(Object.keys((await dataOf()).images)).toEqual([last.id])
  expect((await bytesAt(`${report.files}/${report.original.id}`)).equals(picture(BLACK, 77))).toBe(true)
  expect((await owner.get(`${report.files}/${first.id}?original=true`)).status).toBe(404)

  const another = await reported()
  const shown = await redact(another)
  expect((await owner.delete(`${another.files}/${shown.id}`)).status).toBe(200)
  expect((await owner.get(`${another.files}/${another.original.id}`)).status).toBe(404)
  expect(await another.list()).toMatchObject([{ id: another.original.id, sealed: true, redactedBy: null }])
  const { images, findings } = (await owner.get(`/api/web/reports/${another.reportId}/data`)).body.data
  expect([images, findings[0].evidence]).toEqual([{}, []])
  const checks = (await owner.get(`/api/web/reports/${another.reportId}/checks`)).body.data
  expect(checks.map(({ code }: { code: string }) => code)).toContain('missing_file')
})

test('a file that was rendered before the redaction is not given out any more', async () => {
  const report = await reported()
  const made = await owner.post(`/api/web/findings/${report.findingId}/render`, { format: 'html', wait: 30 })
  let { data } = made.body
  while (data.state !== 'succeeded') data = (await owner.get(`/api/web/report-renders/${data.id}`)).body.data
  const path = `/api/web/report-renders/${data.id}/file`
  expect((await owner.get(path)).status).toBe(200)
  await redact(report)
  const answer = await owner.get(path)
  expect([answer.status, answer.body.error.message]).toEqual([
    404,
    'A picture was redacted after this file was rendered. Render it again.',
  ])
  const elsewhere = (await owner.post(`/api/web/findings/${(await reported()).findingId}/render`, { format: 'json' }))
    .body
  await reportRenders.cleanUp?.(app.platform)
  expect((await owner.get(`/api/web/report-renders/${data.id}`)).status).toBe(404)
  expect((await owner.get(`/api/web/report-renders/${elsewhere.data.id}`)).status).toBe(200)
})

test('pictures of the same object are redacted once, and by pictures', async () => {
  const report = await reported()
  const text = (await send(report.files, Buffer.from('words'), 'fileName=words.txt')).body.data as StoredFile
  const elsewhere = await reported()
  const status = async (bytes: Uint8Array, redacts: string) =>
    (await send(report.files, bytes, `fileName=a.png&redacts=${redacts}`)).status
  expect(await status(report.redacted, text.id)).toBe(422)
  expect(await status(report.redacted, elsewhere.original.id)).toBe(404)
  expect(await status(Buffer.from('words'), report.original.id)).toBe(422)
  // Cut off, as by a program that crashed.
  expect(await status(report.redacted.subarray(0, -8), report.original.id)).toBe(422)
  expect((await report.list()).filter(({ sealed }) => sealed)).toEqual([])
  const answers = await Promise.all([1, 2, 3].map(() => status(report.redacted, report.original.id)))
  expect(answers.toSorted()).toEqual([201, 409, 409])
  expect(await status(report.redacted, report.original.id)).toBe(409)
  const audit = await owner.get(`/api/web/audit?objectId=${report.original.id}`)
  expect(audit.status, audit.text).toBe(200)
  expect(audit.body.data.map(({ action }: { action: string }) => action)).toEqual(['file.redacted', 'file.uploaded'])
})

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

test('the new file is stored without what other programs keep of the original', async () => {
  const report = await reported()
  const { redacted, originalBytes } = report
  const withRest = Buffer.concat([
    redacted.subarray(0, 33),
    chunk('acTL', Buffer.alloc(8)),
    chunk('eXIf', originalBytes),
    redacted.subarray(33, -12),
    chunk('fdAT', Buffer.concat([Buffer.alloc(4), pixelsOf(originalBytes)])),
    redacted.subarray(-12),
    originalBytes,
  ])
  const answer = await send(report.files, withRest, `fileName=a.png&redacts=${report.original.id}`)
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.data).toMatchObject({ size: redacted.length, sha256: sha256(redacted) })
  expect((await bytesAt(`${report.files}/${answer.body.data.id}`)).equals(redacted)).toBe(true)
})

test('pictures of a report are redacted in the same way', async () => {
  const { reportId } = await reported()
  const files = `/api/web/reports/${reportId}/files`
  const pictures = newPictures()
  const original = (await send(files, pictures.original)).body.data as StoredFile
  await owner.post(`/api/web/reports/${reportId}/sections`, { title: 'Own', body: `![Own](${original.id})` })
  const shown = (await send(files, pictures.redacted, `fileName=a.png&redacts=${original.id}`)).body.data as StoredFile
  const { images } = (await owner.get(`/api/web/reports/${reportId}/data`)).body.data
  expect([shown.id in images, original.id in images]).toEqual([true, false])
})
