import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { difficultReports } from '../../../src/features/report-templates/check/difficult.ts'
import { checkWord } from '../../../src/features/report-templates/check/word-check.ts'
import { FILTER_NAMES } from '../../../src/features/report-templates/docx/expressions/filters.ts'
import { readZip } from '../../../src/features/report-templates/docx/package/read-zip.ts'
import { FINDING_ALIASES, ROOT_ALIASES } from '../../../src/features/report-templates/docx/scope/aliases.ts'
import { writeDocx } from '../../../src/features/report-templates/docx/write-docx.ts'
import type { ReportDocument } from '../../../src/features/report-templates/report-document.ts'
import { textByOffice } from '../../support/reports/office.ts'
import {
  attackforgeTemplate,
  fieldXml,
  p,
  pwndocTemplate,
  row,
  table,
  wordFile,
} from '../../support/reports/word-template.ts'

const [empty, many] = difficultReports().map(({ document }) => document) as [ReportDocument, ReportDocument]

/** The difficult report with its first findings only. */
const few = (count: number): ReportDocument => ({
  ...many,
  data: { ...many.data, findings: many.data.findings.slice(0, count) },
})

const partOf = (docx: Uint8Array, name: string): string => Buffer.from(readZip(docx).get(name) ?? '').toString()
const documentOf = (docx: Uint8Array): string => partOf(docx, 'word/document.xml')
/** Texts of the paragraphs. */
const paragraphs = (docx: Uint8Array): string[] =>
  documentOf(docx)
    .split('</w:p>')
    .map((xml) =>
      xml
        .slice(Math.max(xml.lastIndexOf('<w:p>'), xml.lastIndexOf('<w:p ')))
        .split('<w:t xml:space="preserve">')
        .slice(1)
        .map((piece) => piece.slice(0, piece.indexOf('</w:t>')))
        .join(''),
    )
const write = (document: ReportDocument, body: string) => writeDocx(document, wordFile({ body })).bytes

describe('a Word document', () => {
  test('equal input gives equal bytes, whatever the clock says', () => {
    const document = few(3)
    expect(Buffer.from(writeDocx(document, null).bytes).equals(writeDocx(document, null).bytes)).toBe(true)
    const template = pwndocTemplate()
    expect(Buffer.from(writeDocx(document, template).bytes).equals(writeDocx(document, template).bytes)).toBe(true)
  })

  test('text that looks like a tag, a field or XML comes out as typed', () => {
    const document = few(10)
    const titles = document.data.findings.map(({ title }) => title)
    const texts = paragraphs(
      write(document, [p('{#findings}'), p('{title}'), p('{@reproduction}'), p('{/findings}')].join('')),
    )
    const typed = texts.map((text) =>
      text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    )
    for (const title of titles) expect(typed.filter((text) => text === title)).toHaveLength(2)
  })

  test('blocks have the styles of the template by their names, and no form of their own', () => {
    const body = [
      p('{#findings}'),
      p('{title}', 'berschrift1'),
      p('{@description}', 'Textkrper'),
      p('{/findings}'),
    ].join('')
    const bytes = write(few(1), body)
    const xml = documentOf(bytes)
    expect(xml).toContain('<w:pStyle w:val="berschrift2"/>')
    expect(xml).toContain('<w:pStyle w:val="Aufzhlungszeichen"/>')
    expect(xml).toContain('<w:pStyle w:val="Listennummer"/>')
    expect(xml).toContain('<w:pStyle w:val="Textkrper"/>')
    // The template has no style for code: the built-in one is added.
    expect(xml).toContain('<w:pStyle w:val="HTMLPreformatted"/>')
    expect(partOf(bytes, 'word/styles.xml')).toContain('<w:name w:val="HTML Preformatted"/>')
    expect(partOf(bytes, 'word/styles.xml').split('<w:name w:val="heading 2"/>')).toHaveLength(2)
  })

  test('each list has its own numbering, from the number that it starts with', () => {
    const numbering = partOf(
      write(few(1), p('{#findings}') + p('{@description}') + p('{/findings}')),
      'word/numbering.xml',
    )
    expect(numbering.split('<w:num ').length - 1).toBe(3)
    expect(numbering).toContain('<w:lvlOverride w:ilvl="0"><w:startOverride w:val="3"/>')
    expect(numbering.lastIndexOf('<w:abstractNum ')).toBeLessThan(numbering.indexOf('<w:num '))
  })

  test('captions are SEQ fields with their number, and references REF fields to them', () => {
    const xml = documentOf(write(few(1), p('{#findings}') + p('{@description}') + p('{/findings}')))
    expect(xml).toContain(' SEQ Figure \\* ARABIC ')
    const name = /REF (_Ref[0-9a-f]{16}) /.exec(xml)?.[1]
    expect(xml).toContain(`w:name="${name}"`)
    expect(xml.split(`w:name="${name}"`)).toHaveLength(2)
  })

  test('a reference to what the document does not show is text', () => {
    const { findings } = many.data
    const reference = {
      type: 'paragraph' as const,
      content: [{ type: 'reference' as const, text: 'Figure 9', target: 'nowhere' }],
    }
    const document = {
      ...many,
      data: { ...many.data, findings: [{ ...findings[1], description: [reference] }] },
    } as ReportDocument
    const xml = documentOf(write(document, p('{#findings}') + p('{@description}') + p('{/findings}')))
    expect(xml).toContain('Figure 9')
    expect(xml).not.toContain('REF ')
    expect(xml).not.toContain('w:anchor')
  })

  test('a picture is as wide as the text at most; a file that is not a picture is named', () => {
    const { bytes } = writeDocx(few(1), wordFile({ body: p('{#findings}') + p('{@description}') + p('{/findings}') }))
    const widths = [...documentOf(bytes).matchAll(/<wp:extent cx="(\d+)"/g)].map(([, width]) => Number(width))
    expect(widths).toEqual([(11_906 - 2 * 1_440) * 635])
    expect(documentOf(bytes)).toContain('[A file that is not a picture: missing]')
  })

  test('a picture in a cell is as wide as the cell', () => {
    const body = table(row(p('{#findings}{title}'), p('{@description}'), p('{/findings}')))
    const [width] = [...documentOf(write(few(1), body)).matchAll(/<wp:extent cx="(\d+)"/g)].map(([, each]) =>
      Number(each),
    )
    expect(width).toBe((2_000 - 216) * 635)
  })

  test('header rows repeat, cells of severities have the color of the organization', () => {
    const xml = documentOf(write(few(5), p('{@section.findings_table}')))
    expect(xml).toContain('<w:tblHeader/>')
    expect(xml).toContain('w:fill="8c1d18"')
    const own = documentOf(
      write(few(5), table(row(p('{#findings}{title}'), p('{@severityColor}{severity}{/findings}')))),
    )
    expect(own.split('w:fill="8c1d18"')).toHaveLength(2)
  })

  test('a table of contents is filled with the headings, and marked for an update', () => {
    const bytes = write(
      few(2),
      fieldXml('TOC \\o "1-1"') + p('{#findings}') + p('{key}', 'berschrift1') + p('{/findings}'),
    )
    expect(paragraphs(bytes).filter((text) => text.startsWith('CHK-F1'))).toHaveLength(2)
    expect(partOf(bytes, 'word/settings.xml')).toContain('<w:updateFields w:val="true"/><w:compat/>')
  })

  test('a draft has its watermark on every page, also without a header in the template', () => {
    expect(partOf(writeDocx(few(1), null).bytes, 'word/header1.xml')).toContain('string="Draft"')
    const bytes = write(few(1), p('{report.title}'))
    expect(partOf(bytes, 'word/headerDraft.xml')).toContain('string="Draft"')
    expect(documentOf(bytes)).toContain('<w:headerReference w:type="default"')
    const edition = { ...many, data: { ...few(1).data, watermark: null } }
    expect(readZip(writeDocx(edition, null).bytes).has('word/headerDraft.xml')).toBe(false)
  })
})

describe('templates of other products', () => {
  test('a template of PwnDoc shows its fields', () => {
    const template = pwndocTemplate()
    expect(checkWord(template, [empty, few(3)]).problems).toEqual([])
    const texts = paragraphs(writeDocx(few(3), template).bytes)
    expect(texts).toContain('Score 9.8, vector CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')
    expect(texts).toContain('Ada Lovelace, ')
    expect(texts).toContain('CHK-F3')
    expect(texts).toContain('1 critical of 3')
    expect(texts).toContain('https://example.com/advisory')
    expect(documentOf(writeDocx(few(3), template).bytes)).toContain('w:fill="8c1d18"')
  })

  test('a template of AttackForge shows its fields', () => {
    const template = attackforgeTemplate()
    expect(checkWord(template, [empty, few(2)]).problems).toEqual([])
    const texts = paragraphs(writeDocx(few(2), template).bytes)
    expect(texts.some((text) => text.startsWith('Contoso shop for '))).toBe(true)
    expect(texts).toContain('Use prepared statements.')
    expect(texts).not.toContain('Nothing was found.')
    expect(paragraphs(writeDocx(few(0), template).bytes)).toContain('Nothing was found.')
  })
})

describe('errors of a template', () => {
  test('are found all at once, each with its tag, context, paragraph, and what would fit', () => {
    const template = wordFile({
      body: [
        p('Report {report.titel} of today'),
        p('{#findings}'),
        p('Title: {tittle}, {title | uper}'),
        p('Text {@description} and more'),
        p('{title ||}'),
        p('{/finding}'),
        p('{#sections}'),
        p('An open brace { here'),
      ].join(''),
    })
    const { problems } = checkWord(template, [empty])
    const short = problems.map(({ tag, paragraph, message, fits }) => [tag, paragraph, message, fits])
    expect(short).toEqual([
      [null, 8, 'This brace opens a tag that has no end.', '}'],
      ['{report.titel}', 1, 'The field report has no field titel.', 'title'],
      ['{tittle}', 3, 'There is no field tittle.', 'title'],
      ['{title | uper}', 3, 'There is no filter uper.', 'upper'],
      ['{@description}', 4, 'This tag inserts whole paragraphs: it must be the only text of its paragraph.', null],
      ['{title ||}', 5, expect.stringContaining('This tag cannot be read'), null],
      ['{/finding}', 6, 'This tag ends the loop {#findings}, but has another name.', '{/findings}'],
      ['{#sections}', 7, 'This loop has no end.', '{/sections}'],
    ])
    expect(problems[1]?.context).toBe('Report {report.titel} of today')
  })

  test('a loop that begins within a table and ends outside is found by its structure', () => {
    const body = table(row(p('{#findings}{title}'))) + p('{/findings}')
    const { problems } = checkWord(wordFile({ body }), [empty])
    expect(problems).not.toEqual([])
    expect(problems[0]).toMatchObject({ level: 'error', file: 'word/document.xml' })
  })

  test('fields that the template never uses are listed', () => {
    const { unusedFields } = checkWord(wordFile({ body: p('{report.title}{#findings}{title}{/findings}') }), [])
    expect(unusedFields).toContain('findings.recommendation')
    expect(unusedFields).not.toContain('findings.title')
    expect(unusedFields).not.toContain('report.title')
    expect(
      checkWord(wordFile({ body: p('{#sections}') + p('{@blocks}') + p('{/sections}') }), []).unusedFields,
    ).not.toContain('findings.recommendation')
  })
})

test('LibreOffice opens the documents of both kinds, with the difficult report in them', async () => {
  const builtIn = (await textByOffice(writeDocx(few(12), null).bytes)).replaceAll(/\s+/g, ' ')
  for (const { title } of few(10).data.findings) expect(builtIn).toContain(title.slice(0, 30))
  expect(builtIn).toContain('Use prepared statements.')
  expect(builtIn).toContain('Figure 1: 20 megapixels')
  const own = (await textByOffice(writeDocx(few(2), pwndocTemplate()).bytes)).replaceAll(/\s+/g, ' ')
  expect(own).toContain('1 critical of 2')
})

test('the reference has every filter, and every name of other products', async () => {
  const reference = await readFile(new URL('../../../../docs/reports/word.md', import.meta.url), 'utf8')
  for (const filter of FILTER_NAMES) expect(reference).toMatch(new RegExp(`\`${filter}[\`:]`))
  for (const [alias, field] of [...Object.entries(ROOT_ALIASES), ...Object.entries(FINDING_ALIASES)])
    expect(reference).toContain(`| \`${alias}\` | \`${field}\` |`)
})
