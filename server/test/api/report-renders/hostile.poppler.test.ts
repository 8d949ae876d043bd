import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import { describe, expect, test } from 'vitest'
import { compile, pdfText } from '../../support/reports/pdf.ts'
import { png, screenshot } from '../../support/reports/png.ts'
import { FINDINGS, reportDocument, section, severitiesOf, t } from '../../support/reports/report-document.ts'

const IMAGE = { mediaType: 'image/png' as const, width: 40, height: 40, sha256: 'a'.repeat(64) }
const MEMORY = 1_610_612_736
/** Of a slow machine: how soon a PDF is made is measured by the benchmarks. */
const PATIENT_MS = 500_000

const messages = ({ problems }: Awaited<ReturnType<typeof compile>>) =>
  problems.map(({ message }) => message).join('\n')

describe('difficult data', () => {
  test('a table with 60 columns continues below, with its first column', async () => {
    const columns = Array.from({ length: 60 }, (_, index) => ({ align: 'left' as const, title: [t(`C${index}`)] }))
    const rows = Array.from({ length: 30 }, (_, row) => columns.map((_, index) => [t(`r${row}c${index}`)]))
    const wide: BlockValue = { type: 'table', number: 1, caption: [t('Wide')], columns, rows }
    const { pdf, problems } = await compile(reportDocument({ sections: [section(1, 'wide', 'Wide', [wide])] }))
    expect(problems).toEqual([])
    const text = await pdfText(pdf as Uint8Array)
    for (const cell of ['C59', 'r0c0', 'r29c59', 'r15c30']) expect(text).toContain(cell)
    expect(text.split('r29c0').length).toBeGreaterThan(8)
  })

  test('300 findings with an image each stay within the limit of memory', async () => {
    const findings = Array.from({ length: 300 }, (_, index) => ({
      ...(FINDINGS[index % 2] as (typeof FINDINGS)[number]),
      id: `fnd_01jd7w2v4pf1y8m3c6k9t0r${String(index).padStart(3, '0')}`,
      anchor: `many-${index}`,
      key: `MF-F${index}`,
      title: `Finding ${index}`,
      description: [{ type: 'figure' as const, image: 'shot', number: index + 1, caption: [t(`Shot ${index}`)] }],
      reproduction: [],
      evidence: [],
    }))
    const document = reportDocument({ findings, severities: severitiesOf(findings) })
    const { pdf, pages, problems } = await compile(document, {}, { ms: PATIENT_MS, memoryBytes: MEMORY })
    expect(problems).toEqual([])
    expect(pages).toBeGreaterThan(200)
    expect(await pdfText(pdf as Uint8Array)).toContain('Finding 299')
  })

  test('no findings, and no sections', async () => {
    for (const document of [
      reportDocument({ findings: [], severities: severitiesOf([]) }),
      reportDocument({ findings: [], sections: [] }),
    ])
      expect((await compile(document)).pdf).toBeDefined()
  })

  test('an image of 20 megapixels is shown; one that is none, or too large, leaves its place empty', async () => {
    const figure = (image: string): BlockValue => ({
      type: 'figure',
      image,
      alt: `alt of ${image}`,
      caption: [t(image)],
    })
    const images = {
      huge: { ...IMAGE, width: 5_000, height: 4_000 },
      none: IMAGE,
      cut: IMAGE,
      bomb: { ...IMAGE, width: 30_000, height: 30_000 },
    }
    const document = reportDocument({ images, sections: [section(1, 's', 'S', Object.keys(images).map(figure))] })
    document.data.design.logo = null
    const whole = screenshot(40, 400)
    document.images = new Map<string, Uint8Array>([
      ['huge', png(5_000, 4_000, (x, y) => [x & 255, y & 255, 90])],
      ['none', Buffer.from('not an image at all')],
      ['cut', whole.subarray(0, 60)],
      ['bomb', whole],
    ])
    const { pdf, problems } = await compile(document)
    expect(pdf).toBeDefined()
    expect(problems.map(({ level, where }) => [level, where]).toSorted()).toEqual([
      ['warning', 'bomb'],
      ['warning', 'cut'],
      ['warning', 'none'],
    ])
    expect(await pdfText(pdf as Uint8Array)).toContain('alt of none')
  })
})

describe('code of a template', () => {
  const withCover = (body: string, limits?: { ms: number; memoryBytes: number }) =>
    compile(reportDocument(), { overrides: { 'cover.typ': `#let cover(data) = {\n${body}\n}` } }, limits)

  test('replaces a function of ours', async () => {
    const { pdf } = await withCover('[Our own cover for #data.client.name]')
    expect(await pdfText(pdf as Uint8Array)).toContain('Our own cover for Meridian Freight AG')
  })

  test('reads no file, imports no package, reaches no network', async () => {
    for (const [body, refusal] of [
      ['read("/etc/passwd")', 'only files of the template'],
      ['read("../../../../etc/passwd")', 'outside of the template'],
      ['image("/proc/self/environ")', 'only files of the template'],
      ['import "@preview/cetz:0.3.0"', 'Packages cannot be imported'],
      ['import "@pre" + "view/cetz:0.3.0"', 'Packages cannot be imported'],
      ['import "@local/x:1.0.0"', 'Packages cannot be imported'],
    ] as const) {
      const outcome = await withCover(body)
      expect(outcome.pdf, body).toBeUndefined()
      expect(messages(outcome), body).toContain(refusal)
    }
  })

  test('has its errors with file, line and the line itself', async () => {
    const { pdf, problems } = await withCover('  let x = 1\n  unknown-name(x)')
    expect(pdf).toBeUndefined()
    expect(problems).toContainEqual({
      level: 'error',
      message: expect.stringContaining('unknown variable: unknown-name'),
      where: 'cover.typ, line 3',
      file: 'cover.typ',
      line: 3,
      text: 'unknown-name(x)',
    })
  })

  test('that does not end is stopped at the time limit, and one that eats memory at that limit', async () => {
    const many = (name: string, body: string) => `for ${name} in range(10000) { ${body} }`
    // The compiler itself finds a `while` that does not end.
    const endless = await withCover(`let x = 0\n${many('a', many('b', many('c', 'x = calc.rem(x + 1, 7)')))}`, {
      ms: 4_000,
      memoryBytes: MEMORY,
    })
    expect(endless.pdf).toBeUndefined()
    expect(messages(endless)).toContain('longer than 4 seconds')
    const greedy = await withCover(
      'let x = "a" * 1000000\nlet all = ()\nwhile all.len() >= 0 { all.push(x + str(all.len())) }',
      { ms: PATIENT_MS, memoryBytes: 500_000_000 },
    )
    expect(greedy.pdf).toBeUndefined()
    expect(messages(greedy)).toContain('MiB of memory')
  })

  test('sees no environment and no fonts of the machine', async () => {
    const outcome = await withCover('text(font: "DejaVu Sans", sys.inputs.at("HOME", default: "no home"))')
    expect(messages(outcome)).toContain('unknown font family: dejavu sans')
    expect(await pdfText(outcome.pdf as Uint8Array)).toContain('no home')
  })
})
