import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import PizZip from 'pizzip'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { pdfText } from '../../support/reports/pdf.ts'
import { png } from '../../support/reports/png.ts'
import { bytesOf, rendered } from '../../support/reports/rendered.ts'

const WEB = '/api/web'

/** Syntax of templates, fields, scripts and formats. */
const TYPED = {
  Typst: '#let x = 1; #read("/etc/passwd") $x^2$ *b* _i_ `r` <l> @r // c',
  docxtemplater: '{#findings}{title}{/findings} {@description} {%image} {-w:p x}',
  Jinja: '{{ 7*7 }} {% for x in y %} {{ config.items() }} {# c #} {%- endfor %}',
  Handlebars: '{{#if this}}{{{raw}}}{{/if}} {{> partial}} {{client.name}} {{!c}}',
  'a Word field': '{ DDEAUTO c:\\windows\\system32\\cmd.exe } { INCLUDETEXT "a" } { HYPERLINK "x" }',
  'scripts and entities': '<%= 7*7 %> ${7*7} #{7*7} <script>alert(1)</script> &lt;b&gt; &amp; =CMD|x!A0',
} as const
const LINES = Object.values(TYPED)

let app: TestApp
let owner: TestClient
let path: string
let data: { findings: { title: string }[] }

const must = async (answer: ReturnType<TestClient['post']>) => {
  const { status, text, body } = await answer
  expect(status, text).toBeLessThan(300)
  return body.data
}

const fileOf = async (format: string, of = path): Promise<Buffer> => {
  const render = await rendered(owner, of, format)
  expect([render.state, render.problems]).toEqual(['succeeded', []])
  return bytesOf(owner, `${WEB}/report-renders/${render.id}/file`)
}

/** Code that is a line, which Markdown shows as it is. */
const asCode = (line: string): string => ['````', line, '````'].join('\n')

beforeAll(async () => {
  app = await testApp()
  owner = await app.signedIn('owner')
  const client = await must(owner.post(`${WEB}/clients`, { name: TYPED.docxtemplater }))
  const details = { clientId: client.id }
  const { id: engagementId } = await must(owner.post(`${WEB}/engagements`, { name: TYPED.Typst, details }))
  for (const line of LINES) {
    const finding = { engagementId, title: line, severityReason: line, severity: 'high', description: asCode(line) }
    const { id } = await must(owner.post(`${WEB}/findings`, finding))
    await must(owner.post(`${WEB}/findings/${id}/affected`, { assets: ['shop.example'] }))
  }
  const report = await must(owner.post(`${WEB}/reports`, { engagementId, title: TYPED.Handlebars }))
  path = `${WEB}/reports/${report.id}`
  for (const line of LINES) await must(owner.post(`${path}/sections`, { title: line, body: asCode(line) }))
  data = await must(owner.get(`${path}/data`))
})
afterAll(() => app.close())

/** Without spaces, and without the marks of places where a line may break. */
const bare = (text: string): string => text.replaceAll(/[\s\u00ad\u200b]+/g, '')
/** How often each line is in a text, whatever its spaces. */
const countsIn = (text: string): number[] => LINES.map((line) => bare(text).split(bare(line)).length - 1)

/** As title and code of a finding, in the table of findings, and as title and text of a section. */
const PLACES = 5

const expectEachIn = (text: string, atLeast = PLACES) => {
  for (const [index, count] of countsIn(text).entries())
    expect(count, Object.keys(TYPED)[index]).toBeGreaterThanOrEqual(atLeast)
}

describe('syntax in texts comes out as typed', () => {
  test('in a PDF', async () => {
    // Cells of a table are narrow: their words are hyphenated.
    expectEachIn(await pdfText(await fileOf('pdf')), PLACES - 1)
  })

  test('in a Word document, without any field or loop of its own', async () => {
    const xml = new PizZip(await fileOf('docx')).file('word/document.xml')?.asText() ?? ''
    const shown = xml
      .split('<w:t xml:space="preserve">')
      .slice(1)
      .map((piece) => piece.slice(0, piece.indexOf('</w:t>')))
      .join('')
    const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', apos: "'" }
    expectEachIn(shown.replaceAll(/&([a-z]+);/g, (entity, name: string) => names[name] ?? entity))
    const codes = xml.split('<w:instrText').slice(1)
    expect(codes.length).toBeGreaterThan(0)
    for (const code of codes) expect(code.slice(0, code.indexOf('</'))).not.toMatch(/DDE|INCLUDE|cmd/i)
  })

  test('in HTML', async () => {
    const html = (await fileOf('html')).toString()
    const shown = html
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    expectEachIn(shown)
    expect(html).not.toContain('<script')
  })

  test('in Markdown, as any reader of it shows it', async () => {
    const text = new PizZip(await fileOf('markdown')).file('report.md')?.asText() ?? ''
    const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
    const wordsOf = (node: object): string => {
      if ('value' in node && typeof node.value === 'string')
        return 'type' in node && node.type === 'html' ? '' : node.value
      return 'children' in node && Array.isArray(node.children) ? node.children.map(wordsOf).join('') : ''
    }
    expectEachIn(wordsOf(tree))
  })

  test('in report-data and SARIF', async () => {
    const json = JSON.parse((await fileOf('json')).toString())
    expect(json.findings.map(({ title }: { title: string }) => title)).toEqual(data.findings.map(({ title }) => title))
    expect(data.findings.map(({ title }) => title).toSorted()).toEqual(LINES.toSorted())
    const sarif = JSON.stringify(JSON.parse((await fileOf('sarif')).toString()))
    for (const line of LINES) expect(sarif).toContain(JSON.stringify(line).slice(1, -1))
  })
})

test('a picture of 20 megapixels is in every file; others are answered meanwhile', async () => {
  const { id: engagementId } = await must(owner.post(`${WEB}/engagements`, { name: 'Large' }))
  const report = await must(owner.post(`${WEB}/reports`, { engagementId, title: 'Large picture' }))
  const large = Buffer.from(png(5_000, 4_000, (x, y) => [x & 255, y & 255, 90]))
  const of = `${WEB}/reports/${report.id}`
  const file = await must(owner.request('POST', `${of}/files?fileName=large.png`, { rawBody: large }))
  await must(owner.post(`${of}/sections`, { title: 'Picture', body: `![[${file.id}|A large one]]` }))
  const pixels = large.subarray(large.indexOf('IDAT') + 4, large.length - 16)
  let isRendering = true
  const files = Promise.all(['pdf', 'docx', 'html', 'markdown'].map((format) => fileOf(format, of))).finally(
    () => (isRendering = false),
  )
  let answered = 0
  while (isRendering && answered < 5) {
    expect((await owner.get(`${WEB}/engagements?perPage=1`)).status).toBe(200)
    answered++
  }
  const [pdf, docx, html, markdown] = (await files) as [Buffer, Buffer, Buffer, Buffer]
  expect(answered).toBe(5)
  expect(pdf.toString('latin1')).toMatch(/\/Width 5000/)
  expect(html.includes(large.toString('base64'))).toBe(true)
  for (const archive of [docx, markdown]) {
    const parts = Object.values(new PizZip(archive).files).map((part) => Buffer.from(part.asUint8Array()))
    expect(parts.some((part) => part.includes(pixels))).toBe(true)
  }
})
