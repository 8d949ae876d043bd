import { describe, expect, test } from 'vitest'
import { COMPILER_VERSION } from '../../../src/features/report-renders/typst/compiler-version.ts'
import { attestationLetter } from '../../../src/features/report-templates/built-in/attestation-letter.ts'
import { labelsFor } from '../../../src/features/reports/labels/labels.ts'
import { compile, pdfFonts, pdfInfo, pdfText } from '../../support/reports/pdf.ts'
import { FINDINGS, p, reportDocument, section, t } from '../../support/reports/report-document.ts'

const written = async (...args: Parameters<typeof compile>): Promise<Uint8Array> => {
  const { pdf, problems } = await compile(...args)
  if (pdf === undefined) throw new Error(JSON.stringify(problems))
  return pdf
}

describe('a PDF', () => {
  test('is PDF/A-2a, tagged, with its fonts, title, language and day', async () => {
    const pdf = await written()
    const info = await pdfInfo(pdf)
    expect(info).toMatch(/Tagged:\s+yes/)
    expect(info).toMatch(/Title:\s+Penetration test of the customer portal/)
    expect(info).toMatch(/CreationDate:\s+Fri Nov 27 00:00:00 2026 UTC/)
    expect(info.toLowerCase()).toContain(COMPILER_VERSION)
    const fonts = (await pdfFonts(pdf))
      .split('\n')
      .slice(2)
      .filter((line) => line !== '')
    expect(fonts.length).toBeGreaterThan(3)
    for (const line of fonts) expect(line).toMatch(/\byes yes yes\b/)
    const text = Buffer.from(pdf).toString('latin1')
    expect(text).toContain('/Lang')
    expect(text).toContain('pdfaid:conformance>A<')
    expect(text).toContain('/Outlines')
  })

  test('has the same bytes for the same data, and others for another day', async () => {
    const [one, other, later] = [
      await written(),
      await written(),
      await written(reportDocument({ report: { ...reportDocument().data.report, date: '2026-11-28' } })),
    ]
    expect(Buffer.compare(one, other)).toBe(0)
    expect(Buffer.compare(one, later)).not.toBe(0)
  })

  test('has cover, contents, findings, exchanges and tables in the language of the report', async () => {
    const text = await pdfText(await written())
    for (const part of [
      'Meridian Freight AG',
      'TLP:AMBER',
      'Contents',
      'SQL injection in the search of orders',
      'CVSS:4.0/AV:N/AC:L',
      'POST /api/v2/orders/search',
      'Systems in scope',
      'Figure 1',
    ])
      expect(text).toContain(part)
    const german = reportDocument({ language: 'de-DE' })
    expect(german.data.labels['contents']).toBe(labelsFor('de').contents)
    const text2 = await pdfText(await written(german))
    expect(text2).toContain('Inhalt')
    expect(text2).toContain('9,3')
  })

  test.each(['final', 'retest', 'interim', 'attestation'] as const)('passes PDF/UA-1 as %s', async (kind) => {
    const { data, images } = reportDocument()
    const { pdf, problems } = await compile(
      { data: { ...data, report: { ...data.report, kind } }, images },
      {
        standard: 'ua-1',
      },
    )
    expect(problems).toEqual([])
    expect(pdf).toBeDefined()
  })

  test.each(['en', 'de'] as const)(
    'of a letter of attestation is one page, with 25 systems, in %s',
    async (language) => {
      const document = reportDocument({ language })
      document.data.report.kind = 'attestation'
      document.data.design.tableOfContents = false
      document.data.findings = []
      const systems = Array.from({ length: 25 }, (_, index) => `system-${index}.meridian-freight.example`).join(', ')
      document.data.sections = attestationLetter[language].map(({ key, title, body, live }, index) =>
        section(index + 1, key, title, live ? [p(systems)] : body.split('\n\n').map((text) => p(text))),
      )
      expect((await compile(document)).pages).toBe(1)
    },
  )

  test('of drafts has a watermark; letter paper and right-to-left text work', async () => {
    const document = reportDocument({ watermark: 'DRAFT', language: 'ar', direction: 'rtl' })
    document.data.design.paper = 'letter'
    document.data.report.title = 'اختبار اختراق'
    const pdf = await written(document)
    expect(await pdfInfo(pdf)).toMatch(/Page size:\s+612 x 792 pts/)
    expect(await pdfFonts(pdf)).toContain('NotoSansArabic')
    // Its letters are turned, each on a line of its own.
    expect((await pdfText(pdf)).replaceAll(/\s+/g, '')).toContain('DRAFT')
  })
})

describe('text is data', () => {
  const TITLES = [
    '#let x = 1; #read("/etc/passwd") $x^2$ *bold* _it_ `raw` <label> @ref = Title',
    '{{ 7*7 }} {% for x in y %} {#findings}{title}{/findings} {@description}',
    '{{#if this}}{{{raw}}}{{/if}} ${7*7} <%= 7*7 %> #{7*7}',
    String.raw`\u{1F600} \ \\ \n // comment /* comment */ https://example.com --- ... ~ 'q' "q"`,
  ]

  test('and comes out as typed, whatever syntax it has', async () => {
    const findings = TITLES.map((title, index) => ({
      ...(FINDINGS[1] as (typeof FINDINGS)[number]),
      id: `fnd_01jd7w2v4pf1y8m3c6k9t0r5y${index}`,
      anchor: `finding-y${index}`,
      key: `MF-Y${index}`,
      title,
      description: [p(title), { type: 'code' as const, text: title }],
    }))
    const text = await pdfText(await written(reportDocument({ findings })))
    const words = (value: string) => value.replaceAll(/\s+/g, '')
    for (const title of TITLES) expect(words(text)).toContain(words(title))
  })

  test('and a character without a glyph, a control or a direction mark is a visible mark and a problem', async () => {
    const odd = section(9, 'odd', 'Odd \u{e000} characters', [
      p(
        'before \u{202e}reversed\u{202c} after \u{1b}[31m \u{10348} \u{feff} end ✅ 🚨 漢字 かな 한글 हिन्दी עברית عربي',
      ),
    ])
    const { pdf, problems } = await compile(reportDocument({ sections: [odd] }))
    if (!pdf) throw new Error(JSON.stringify(problems))
    const text = await pdfText(pdf)
    // No font of ours has Korean.
    for (const mark of ['U+202E', 'U+001B', 'U+10348', 'U+D55C']) {
      expect(text).toContain(mark)
      expect(problems.map(({ message }) => message).join('\n')).toContain(mark)
    }
    expect(problems.map(({ level }) => level)).not.toContain('error')
    const fonts = await pdfFonts(pdf)
    for (const name of ['NotoSansHans', 'NotoSansDevanagari', 'NotoSansHebrew', 'NotoEmoji'])
      expect(fonts).toContain(name)
  })

  test('and references lead only where something is', async () => {
    const broken = section(9, 'broken', 'Broken', [
      { type: 'paragraph', content: [{ type: 'reference', text: 'Figure 99', target: 'nowhere' }, t(' remains')] },
      { type: 'heading', level: 6, anchor: 'twice', content: [t('First')] },
      { type: 'heading', level: 1, anchor: 'twice', content: [t('Second')] },
    ])
    expect(await pdfText(await written(reportDocument({ sections: [broken] })))).toContain('Figure 99 remains')
  })
})
