import type { CheckProblem } from '../../report-templates/check/check-template.service.ts'
import type { ReportDocument } from '../../report-templates/report-document.ts'
import type { TemplateVersion } from '../../report-templates/template-version.ts'
import { PDF_LIMITS, writePdf } from '../typst/write-pdf.ts'
import { waitForTurn } from './turns.ts'

/** A check has far more findings than most reports, and may wait for other programs. */
const CHECK_LIMITS = { ...PDF_LIMITS, ms: 110_000 }
/** A check ends with its request. */
const NEVER = new AbortController().signal

/**
 * Compiles a report with the sources and fonts of a template, when no more reports are being written than may be.
 *
 * @returns what its owner can correct
 */
export const checkTypst = async (
  organizationId: string,
  document: ReportDocument,
  template: TemplateVersion,
): Promise<CheckProblem[]> => {
  const leave = await waitForTurn(organizationId)
  const input = {
    ...document,
    overrides: template.typst,
    fonts: template.fonts.map(({ bytes }) => bytes),
    standard: 'a-2a' as const,
    isExtract: false,
  }
  const { pdf, problems } = await writePdf(input, NEVER, CHECK_LIMITS).finally(leave)
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
