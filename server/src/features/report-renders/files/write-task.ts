import { writeZip } from '../../report-templates/docx/package/write-zip.ts'
import type { TemplateProblem } from '../../report-templates/docx/template/problems.ts'
import { BadTemplate, writeDocx } from '../../report-templates/docx/write-docx.ts'
import type { ReportDocument, WriterProblem } from '../../report-templates/report-document.ts'
import { writeHtml } from '../../reports/writers/html.ts'
import { writeMarkdown } from '../../reports/writers/markdown.ts'
import { writeSarif } from './sarif-file.ts'

/** What is written: a report, with the Word template for a Word document. */
export interface WriteTask {
  document: ReportDocument
  wordTemplate: Uint8Array | null
}

/** Undefined bytes: there is no file, and an error says why. */
export interface Written {
  bytes: Uint8Array | undefined
  pages?: number
  problems: WriterProblem[]
}

const fileOf = (text: string): Written => ({ bytes: new TextEncoder().encode(text), problems: [] })

export const html = async ({ document }: WriteTask): Promise<Written> => {
  const parts: string[] = []
  for await (const part of writeHtml(document)) parts.push(part)
  return fileOf(parts.join(''))
}

/** The same files give the same bytes: this archive has no times. */
export const markdown = ({ document }: WriteTask): Written => ({
  bytes: writeZip(new Map(writeMarkdown(document).map(({ path, bytes }) => [path, bytes]))),
  problems: [],
})

export const docx = ({ document, wordTemplate }: WriteTask): Written => {
  try {
    return writeDocx(document, wordTemplate)
  } catch (error) {
    if (!(error instanceof BadTemplate)) throw error
    return { bytes: undefined, problems: error.problems.map(problemOf) }
  }
}

export const json = ({ document }: WriteTask): Written => fileOf(JSON.stringify(document.data))

export const sarif = ({ document }: WriteTask): Written => fileOf(writeSarif(document.data))

const problemOf = ({ message, tag }: TemplateProblem): WriterProblem => ({ level: 'error', message, where: tag })
