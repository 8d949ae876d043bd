import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'

/** What is compiled: report-data with its images, and what a template adds to the functions of the product. */
export interface TypstInput {
  data: ReportDataValue
  /** Bytes by the keys of `data.images`. */
  images: ReadonlyMap<string, Uint8Array>
  /** Sources by file name: functions that replace ours. */
  overrides: Readonly<Record<string, string>>
  /** TTF or OTF files of the template. */
  fonts: readonly Uint8Array[]
  standard: 'a-2a' | 'ua-1' | '2.0'
  /** Only the findings, without a cover. */
  isExtract: boolean
}

export interface TypstProblem {
  level: 'error' | 'warning'
  message: string
  /** File and line of a template, the key of an image, or null. */
  where: string | null
  /** Of the template's sources. */
  file: string | null
  /** From 1. */
  line: number | null
  /** The line itself. */
  text: string | null
}

export interface TypstOutput {
  /** Undefined if there is an error. */
  pdf: Uint8Array | undefined
  pages: number
  problems: TypstProblem[]
  /** Whether it reached a limit of time or memory. */
  isStopped?: boolean
}

export const problem = (level: TypstProblem['level'], message: string, where: string | null = null): TypstProblem => ({
  level,
  message,
  where,
  file: null,
  line: null,
  text: null,
})
