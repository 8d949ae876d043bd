import type { Output } from '@sortie/client/calls.ts'
import { type Shape, StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'

export type Report = Output<'getReport'>['data']
export type ReportRow = Output<'listReports'>['data'][number]
export type ReportSection = Report['sections'][number]
export type ReportKind = ReportRow['kind']
export type ReportState = ReportRow['state']
export type RenderFormat = Output<'renderReport'>['data']['format']

export const REPORT_KIND_LABELS: Record<ReportKind, string> = {
  final: 'Final report',
  interim: 'Interim report',
  retest: 'Retest report',
  attestation: 'Attestation letter',
}

/** In the order of a review. */
export const REPORT_STATE_LABELS: Record<ReportState, string> = {
  draft: 'Draft',
  in_review: 'In review',
  approved: 'Approved',
}

const TONES: Record<ReportState, Tone> = { draft: 'quiet', in_review: 'busy', approved: 'good' }
const SHAPES: Record<ReportState, Shape> = { draft: 'ring', in_review: 'half', approved: 'check' }

export const ReportStateLabel = ({ state }: { state: ReportState }) => (
  <StatusLabel tone={TONES[state]} shape={SHAPES[state]}>
    {REPORT_STATE_LABELS[state]}
  </StatusLabel>
)

/** In the order of menus: what clients receive first. */
export const FORMAT_LABELS: Record<RenderFormat, string> = {
  pdf: 'PDF',
  docx: 'Word',
  html: 'HTML',
  markdown: 'Markdown',
  json: 'JSON',
  sarif: 'SARIF',
}
export const FORMATS = Object.keys(FORMAT_LABELS) as RenderFormat[]

/** Offered where no other language is known; others can come from a template. */
const COMMON_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'pl',
  'cs',
  'da',
  'sv',
  'fi',
  'tr',
  'ja',
  'zh',
  'ar',
  'he',
]

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

/** `German`, `English (United Kingdom)` */
export const nameOfLanguage = (language: string): string => {
  try {
    return NAMES.of(language) ?? language
  } catch {
    return language
  }
}

/** Options of a language field. @param known those that come first, such as the languages of a template */
export const languageOptions = (known: readonly string[]): { value: string; label: string }[] =>
  [...new Set([...known, ...COMMON_LANGUAGES])]
    .filter((language) => language !== '')
    .map((language) => ({ value: language, label: nameOfLanguage(language) }))

/** Reads that are stale after a report or its sections changed. */
export const staleReportReads = (organizationId: string) =>
  (['listReports', 'getReport', 'checkReport', 'previewReport'] as const).map((name) => [organizationId, name] as const)
