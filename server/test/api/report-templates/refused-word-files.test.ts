import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type ZipEntry, zipFrom, zipOf } from '../../support/inputs/zip.ts'
import { fieldXml, p, wordFile, type WordFile, wordParts } from '../../support/reports/word-template.ts'

const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MACROS = 'This file has macros: save it as .docx without them.'
const EXTERNAL = 'This file refers to other files or addresses: remove the links to external data.'
const EMBEDDED = 'This file contains embedded objects (OLE, ActiveX): insert them as pictures.'
const CHUNK = 'This file contains another document (altChunk): insert its text instead.'
const NOT_WORD = 'This is not a Word document (.docx).'
const TOO_LARGE = 'This file unpacks to more than 200 MB, or has more than 2,000 parts.'

let app: TestApp
let owner: TestClient
let path: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  const { id } = (await owner.post('/api/web/report-templates', { name: 'Ours' })).body.data
  path = `/api/web/report-templates/${id}/docx?fileName=report.docx`
})
afterAll(() => app.close())

const upload = (rawBody: Buffer) => owner.request('POST', path, { rawBody })
const refusal = async (rawBody: Buffer): Promise<string> => {
  const { status, body, text } = await upload(rawBody)
  expect(status, text).toBe(422)
  return body.error.message
}
const relation = (type: string, target: string, mode = ' TargetMode="External"') =>
  `<Relationship Id="rId9" Type="${R}/${type}" Target="${target}"${mode}/>`
const withBody = (body: string, more: Partial<WordFile> = {}) => wordFile({ body: p('Text') + body, ...more })
const field = (kind: string) =>
  `This file has the field ${kind}, which can run programs or read other files: remove it.`
const settings = (content: string) => ({
  'word/settings.xml': `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${content}</w:settings>`,
})

test('an ordinary document is accepted, with links, page numbers and a table of contents', async () => {
  const body = fieldXml('TOC \\o "1-3" \\h') + fieldXml('PAGE') + fieldXml('= 1 + 1')
  const relations = relation('hyperlink', 'https://example.com')
  expect((await upload(withBody(body, { relations }))).status).toBe(201)
})

test.each<[name: string, file: () => Buffer, reason: string]>([
  ['no ZIP', () => Buffer.from('Hello'), NOT_WORD],
  ['another ZIP', () => zipOf({ 'a.txt': 'a' }), NOT_WORD],
  ['a truncated one', () => withBody('').subarray(0, 400), NOT_WORD],
  ['macros by their part', () => withBody('', { parts: { 'word/vbaProject.bin': 'x' } }), MACROS],
  [
    'macros by the type of the document',
    () => {
      const parts = wordParts({ body: p('Text') })
      const types = parts['[Content_Types].xml'] ?? ''
      const macros = types.replace(
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
        'application/vnd.ms-word.document.macroEnabled.main+xml',
      )
      return zipOf({ ...parts, '[Content_Types].xml': macros })
    },
    MACROS,
  ],
  [
    'a remote template',
    () => withBody('', { relations: relation('attachedTemplate', 'https://a.example/t.dotm') }),
    EXTERNAL,
  ],
  ['an external picture', () => withBody('', { relations: relation('image', 'file:///c:/a.png') }), EXTERNAL],
  ['a frame', () => withBody('', { relations: relation('frame', 'a.htm', '') }), EXTERNAL],
  ['a link to a file', () => withBody('', { relations: relation('hyperlink', 'file://server/share') }), EXTERNAL],
  ['a link that runs', () => withBody('', { relations: relation('hyperlink', 'javascript:alert(1)') }), EXTERNAL],
  ['a mail merge', () => withBody('', { parts: settings('<w:mailMerge/>') }), EXTERNAL],
  ['a chunk by its relation', () => withBody('', { relations: relation('aFChunk', 'chunk.html', '') }), CHUNK],
  ['a chunk by its element', () => withBody('<w:altChunk r:id="rId9"/>'), CHUNK],
  ['an OLE object', () => withBody('', { relations: relation('oleObject', 'embeddings/o.bin', '') }), EMBEDDED],
  ['an embedded file', () => withBody('', { parts: { 'word/embeddings/a.xlsx': 'x' } }), EMBEDDED],
  ['an object element', () => withBody('<w:p><w:r><w:object/></w:r></w:p>'), EMBEDDED],
  ['DDE', () => withBody(fieldXml('DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe')), field('DDEAUTO')],
  ['DDE in small letters', () => withBody(fieldXml('ddeauto cmd')), field('DDEAUTO')],
  ['INCLUDEPICTURE', () => withBody(fieldXml('INCLUDEPICTURE "http://a.example/x.png"')), field('INCLUDEPICTURE')],
  ['a simple field', () => withBody('<w:p><w:fldSimple w:instr=" INCLUDETEXT a "/></w:p>'), field('INCLUDETEXT')],
  [
    'a field over several runs',
    () =>
      withBody(
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DD</w:instrText></w:r><w:r><w:instrText>E x</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
      ),
    field('DDE'),
  ],
  [
    'a field whose kind another field makes',
    () =>
      withBody(
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>QUOTE 68 68 69</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
      ),
    'This file has a field whose kind another field makes, which can run programs or read other files: remove it.',
  ],
  [
    'too many parts',
    () => zipOf(Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`${n}.txt`, 'x']))),
    TOO_LARGE,
  ],
  [
    'a part that says that it is large',
    () => zipFrom([{ name: 'word/document.xml', data: 'x', size: 300 * 1024 * 1024 }]),
    TOO_LARGE,
  ],
  [
    'a part that is larger than it says',
    () => zipFrom([{ name: 'word/document.xml', data: Buffer.alloc(1_000_000), size: 10 }]),
    NOT_WORD,
  ],
  ['two parts of one name', () => zipFrom([entry('a.xml'), entry('a.xml')]), NOT_WORD],
  ['a part outside', () => zipFrom([entry('../a.xml')]), NOT_WORD],
])('%s: refused, with the reason', async (_name, file, reason) => {
  expect(await refusal(file())).toBe(reason)
})

const entry = (name: string): ZipEntry => ({ name, data: '<a/>' })

test('a document type declaration and broken XML are refused', async () => {
  const parts = wordParts({ body: p('Text') })
  const bomb = `<!DOCTYPE a [<!ENTITY b "bbbb">]>${parts['word/styles.xml']}`
  expect(await refusal(zipOf({ ...parts, 'word/styles.xml': bomb }))).toContain(
    'word/styles.xml of this file is damaged',
  )
  expect(await refusal(withBody('<w:p>'))).toContain('word/document.xml of this file is damaged')
})
