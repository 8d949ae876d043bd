import type { FindingSeverity, RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import type { REPORT_KINDS } from '@sortie/contract/reports/report-data.ts'
import { GERMAN } from './de.ts'
import { ENGLISH } from './en.ts'

export type LabelKey = keyof typeof ENGLISH
export type Labels = Readonly<Record<LabelKey, string>>

/** The languages that the product has words for; others begin with English ones. */
export const LABELS: Readonly<Record<string, Labels>> = { en: ENGLISH, de: GERMAN }

const isKey = (key: string): key is LabelKey => Object.hasOwn(ENGLISH, key)

/**
 * The words of a report: those of the template in the language, then in the language without its region, then of the
 * product. What none of them has is English.
 *
 * @param ofTemplate by language and key; keys that the product does not use are kept for the template's own code
 */
export const labelsFor = (
  language: string,
  ofTemplate: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Labels & Record<string, string> => {
  const base = baseOf(language)
  return { ...ENGLISH, ...LABELS[base], ...ofTemplate[base], ...ofTemplate[language] }
}

/** The keys of words that neither the product nor the template has in this language. */
export const missingLabels = (
  language: string,
  ofTemplate: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): LabelKey[] => {
  const base = baseOf(language)
  const known = { ...LABELS[base], ...ofTemplate[base], ...ofTemplate[language] }
  return Object.keys(ENGLISH)
    .filter(isKey)
    .filter((key) => !Object.hasOwn(known, key))
}

export const baseOf = (language: string): string => (language.split('-')[0] ?? language).toLowerCase()

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur', 'yi'])

export const directionOf = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.has(baseOf(language)) ? 'rtl' : 'ltr')

export const SEVERITY_LABELS = {
  critical: 'severityCritical',
  high: 'severityHigh',
  medium: 'severityMedium',
  low: 'severityLow',
  info: 'severityInfo',
} as const satisfies Record<FindingSeverity, LabelKey>

export const STATUS_LABELS = {
  open: 'statusOpen',
  partly_fixed: 'statusPartlyFixed',
  fixed: 'statusFixed',
  not_reproducible: 'statusNotReproducible',
  withdrawn: 'statusWithdrawn',
  not_retested: 'statusNotRetested',
} as const satisfies Record<RemediationStatus | 'not_retested', LabelKey>

export const KIND_LABELS = {
  final: 'kindFinal',
  interim: 'kindInterim',
  retest: 'kindRetest',
  attestation: 'kindAttestation',
} as const satisfies Record<(typeof REPORT_KINDS)[number], LabelKey>
