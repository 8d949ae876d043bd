import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { pdfText } from '../../support/reports/pdf.ts'
import { partsOf } from '../../support/reports/pictures-in.ts'
import { bytesOf, rendered } from '../../support/reports/rendered.ts'
import { fillReport, senderOf, SIZES } from '../../support/sizes/fill.ts'

/** The stated size at night; with a commit a smaller one, within the same bounds. */
const SIZE = isNightly ? SIZES : { ...SIZES, findings: 30, pictures: 20 }
const PICTURE_BYTES = 200_000

let app: TestApp
let owner: TestClient

beforeAll(async () => {
  app = await testApp()
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

test('a report at its stated size has every finding and picture in its PDF, Word, HTML and Markdown files', async () => {
  const send = senderOf(app.origin, owner.headers)
  const { id } = await send('POST', '/engagements', { name: 'Large' })
  const report = `/api/web/reports/${await fillReport(send, id, SIZE.findings, SIZE.pictures)}`
  const titles = Array.from({ length: SIZE.findings }, (_, index) => `Finding ${String(index).padStart(5, '0')}`)
  const fileOf = async (format: string) => {
    const made = await rendered(owner, report, format)
    expect(made, JSON.stringify(made)).toMatchObject({ state: 'succeeded', problems: [] })
    return bytesOf(owner, `/api/web/report-renders/${made.id}/file`)
  }
  const pictures = SIZE.pictures * PICTURE_BYTES
  const pdf = await fileOf('pdf')
  const text = await pdfText(pdf)
  expect(titles.filter((title) => !text.includes(title))).toEqual([])
  expect(pdf.length).toBeGreaterThan(pictures * 0.5)
  const html = (await fileOf('html')).toString()
  expect(titles.filter((title) => !html.includes(title))).toEqual([])
  expect(html.match(/<img src="data:image\/png/g)).toHaveLength(SIZE.pictures)
  const word = partsOf(await fileOf('docx'))
  const document = word.get('word/document.xml')?.toString() ?? ''
  expect(titles.filter((title) => !document.includes(title))).toEqual([])
  expect([...word.keys()].filter((name) => /^word\/media\/.*\.png$/.test(name))).toHaveLength(SIZE.pictures)
  const markdown = partsOf(await fileOf('markdown'))
  expect([...markdown.keys()].filter((name) => name.endsWith('.png'))).toHaveLength(SIZE.pictures)
})
