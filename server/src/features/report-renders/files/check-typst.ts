import type { CheckProblem } from '../../report-templates/check/check-template.service.ts'
import type { ReportDocument } from '../../report-templates/report-document.ts'
import type { TemplateVersion } from '../../report-templates/template-version.ts'
import { writePdf } from '../typst/write-pdf.ts'

/** A check ends with its request. */
const NEVER = new AbortController().signal

/** Compiles a report with the sources and fonts of a template. @returns what its owner can correct */
export const checkTypst = async (document: ReportDocument, template: TemplateVersion): Promise<CheckProblem[]> => {
  const { pdf, problems } = await writePdf(
    {
      ...document,
      overrides: template.typst,
      fonts: template.fonts.map(({ bytes }) => bytes),
      standard: 'a-2a',
      isExtract: false,
    },
    NEVER,
  )
  return problems
    .filter(({ file }) => pdf === undefined || file !== null)
    .map(({ level, message, file, line, text }) => ({
      level,
      message,
      file,
      line,
      text,
      tag: null,
      context: null,
      paragraph: null,
      fits: null,
    }))
}
