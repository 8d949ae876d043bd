import type { REPORT_KINDS } from '@sortie/contract/reports/report-data.ts'
import type { TemplateVersion } from '../template-version.ts'
import { attestationLetter } from './attestation-letter.ts'
import { executiveSummary } from './executive-summary.ts'
import { retest } from './retest.ts'
import { standard } from './standard.ts'

/** When the built-in templates were written. */
export const BUILT_IN_SINCE = '2026-11-27T00:00:00.000Z'

/** A template that is part of the product; its id is the same on every instance. */
export interface BuiltInTemplate extends TemplateVersion {
  description: string
}

const builtIn = (
  template: Pick<BuiltInTemplate, 'id' | 'name' | 'description' | 'settings' | 'sections'>,
): BuiltInTemplate => ({ ...template, version: 1, builtIn: true, typst: {}, docx: null, logo: null, fonts: [] })

const STANDARD = builtIn({
  id: 'rtp_000000000000000000standard',
  name: 'Standard',
  description: 'The full report of a penetration test: summary, scope, approach, findings and appendices.',
  settings: {},
  sections: standard,
})

const EXECUTIVE_SUMMARY = builtIn({
  id: 'rtp_0000000000executivesummary',
  name: 'Executive summary',
  description: 'A few pages for management: results, what they mean, and what to decide.',
  settings: { tableOfContents: false },
  sections: executiveSummary,
})

const RETEST = builtIn({
  id: 'rtp_00000000000000000000retest',
  name: 'Retest',
  description: 'What became of known findings, before and after.',
  settings: { findingParts: ['facts', 'summary', 'affected', 'retest', 'recommendation'] },
  sections: retest,
})

const ATTESTATION_LETTER = builtIn({
  id: 'rtp_000000000attestationletter',
  name: 'Attestation letter',
  description: 'A letter that the client can show to others: what was tested and how, without results.',
  settings: { tableOfContents: false },
  sections: attestationLetter,
})

/** Every built-in template, in the order of lists. */
export const BUILT_IN_TEMPLATES: readonly BuiltInTemplate[] = [STANDARD, EXECUTIVE_SUMMARY, RETEST, ATTESTATION_LETTER]

const BY_KIND: Readonly<Record<(typeof REPORT_KINDS)[number], BuiltInTemplate>> = {
  final: STANDARD,
  interim: STANDARD,
  retest: RETEST,
  attestation: ATTESTATION_LETTER,
}

/** The built-in template for a kind of report. */
export const builtInFor = (kind: (typeof REPORT_KINDS)[number]): BuiltInTemplate => BY_KIND[kind]

/** A built-in template by its id. */
export const findBuiltIn = (templateId: string): BuiltInTemplate | undefined =>
  BUILT_IN_TEMPLATES.find(({ id }) => id === templateId)
