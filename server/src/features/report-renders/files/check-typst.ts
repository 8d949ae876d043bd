import { unavailable } from '../../../platform/errors.ts'
import type { TypstCheck } from '../../report-templates/check/check-template.service.ts'
import type { ReportDocument } from '../../report-templates/report-document.ts'
import type { TemplateVersion } from '../../report-templates/template-version.ts'
import { PDF_LIMITS, writePdf } from '../typst/write-pdf.ts'
import { waitForTurn } from './turns.ts'

/** Less time says nothing about a template. */
const MIN_MS = 2_000
const RETRY_AFTER_SECONDS = 30
/** A check ends with its request. */
const NEVER = new AbortController().signal

/**
 * Compiles a report with the sources and fonts of a template, when no more reports are being written than may be.
 *
 * @param until of `performance.now()`: when the check must have ended
 * @returns what its owner can correct
 * @throws ApiError 503 if its turn comes too late
 */
export const checkTypst = async (
  organizationId: string,
  document: ReportDocument,
  template: TemplateVersion,
  until: number,
): Promise<TypstCheck> => {
  const leave = await waitForTurn(organizationId)
  const ms = until - performance.now()
  if (ms < MIN_MS) {
    leave()
    throw unavailable('Too many reports are being rendered: try again later.', undefined, RETRY_AFTER_SECONDS)
  }
  const input = {
    ...document,
    overrides: template.typst,
    fonts: template.fonts.map(({ bytes }) => bytes),
    standard: 'a-2a' as const,
    isExtract: false,
  }
  const { pdf, problems, isStopped = false } = await writePdf(input, NEVER, { ...PDF_LIMITS, ms }).finally(leave)
  const found = problems
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
  return { problems: found, isStopped }
}
