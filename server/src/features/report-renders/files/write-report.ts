import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { writeZip } from '../../report-templates/docx/package/write-zip.ts'
import { BadTemplate, writeDocx } from '../../report-templates/docx/write-docx.ts'
import type { WriterProblem } from '../../report-templates/report-document.ts'
import { writeHtml } from '../../reports/writers/html.ts'
import { writeMarkdown } from '../../reports/writers/markdown.ts'
import { writePdf } from '../typst/write-pdf.ts'
import type { Renderable } from './read-renderable.ts'
import { writeSarif } from './sarif-file.ts'

/** Undefined bytes: there is no file, and an error says why. */
export interface Written {
  bytes: Uint8Array | undefined
  pages?: number
  problems: WriterProblem[]
}

/** Writes a report in a format. */
export const writeReport = (renderable: Renderable, format: RenderFormat, signal: AbortSignal): Promise<Written> =>
  WRITERS[format](renderable, signal)

const text = (written: string): Written => ({ bytes: Buffer.from(written), problems: [] })

const WRITERS: Readonly<Record<RenderFormat, (renderable: Renderable, signal: AbortSignal) => Promise<Written>>> = {
  pdf: async ({ document, template, isExtract }, signal) => {
    const { pdf, pages, problems } = await writePdf(
      {
        ...document,
        overrides: template.typst,
        fonts: template.fonts.map(({ bytes }) => bytes),
        standard: 'a-2a',
        isExtract,
      },
      signal,
    )
    const shown = problems.map(({ level, message, where }) => ({ level, message, where }))
    return { bytes: pdf, ...(pdf && { pages }), problems: shown }
  },
  html: async ({ document }) => {
    const parts: string[] = []
    for await (const part of writeHtml(document)) parts.push(part)
    return text(parts.join(''))
  },
  // The same files give the same bytes: this archive has no times.
  markdown: async ({ document }) => ({
    bytes: writeZip(new Map(writeMarkdown(document).map(({ path, bytes }) => [path, bytes]))),
    problems: [],
  }),
  docx: async ({ document, template }) => {
    try {
      return writeDocx(document, template.docx?.bytes ?? null)
    } catch (error) {
      if (!(error instanceof BadTemplate)) throw error
      const problems = error.problems.map(({ message, tag }) => ({ level: 'error' as const, message, where: tag }))
      return { bytes: undefined, problems }
    }
  },
  json: async ({ document }) => text(JSON.stringify(document.data)),
  sarif: async ({ document }) => text(writeSarif(document.data)),
}
