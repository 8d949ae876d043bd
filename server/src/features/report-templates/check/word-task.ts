import { DocxRefusal, openDocx } from '../docx/package/open-docx.ts'
import type { TemplateProblem } from '../docx/template/problems.ts'
import { BadTemplate, writeDocx } from '../docx/write-docx.ts'
import type { ReportDocument, WrittenFile } from '../report-document.ts'
import { checkWord, type WordCheck } from './word-check.ts'

/** @returns why a file is not a Word template; null for one that is */
export const findRefusal = ({ bytes }: { bytes: Uint8Array }): string | null => {
  try {
    openDocx(bytes)
    return null
  } catch (error) {
    if (error instanceof DocxRefusal) return error.message
    throw error
  }
}

export const check = ({ template, documents }: { template: Uint8Array; documents: ReportDocument[] }): WordCheck =>
  checkWord(template, documents)

/** The written file, or what is wrong with the template. */
export const write = ({
  document,
  template,
}: {
  document: ReportDocument
  template: Uint8Array | null
}): WrittenFile | { bytes: null; templateProblems: TemplateProblem[] } => {
  try {
    return writeDocx(document, template)
  } catch (error) {
    if (error instanceof BadTemplate) return { bytes: null, templateProblems: [...error.problems] }
    throw error
  }
}
