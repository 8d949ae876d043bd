import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'

/** A report as every writer gets it: report-data, and the bytes of its images by their keys in `data.images`. */
export interface ReportDocument {
  data: ReportDataValue
  images: ReadonlyMap<string, Uint8Array>
}

/** What a writer could not do as asked; an error means that there is no file. */
export interface WriterProblem {
  level: 'error' | 'warning'
  message: string
  /** The object, the file and line of a template, or the tag of a Word template. */
  where: string | null
}

export interface WrittenFile {
  bytes: Uint8Array
  problems: WriterProblem[]
  /** Of a PDF. */
  pages?: number
}
