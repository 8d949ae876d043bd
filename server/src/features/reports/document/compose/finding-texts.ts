import type { WholeFindingRow } from '../../../findings/findings.queries.ts'

/** The Markdown of a finding, in the order of its sections. */
export const textsOf = (finding: WholeFindingRow): string[] => [
  finding.summary,
  finding.description,
  finding.impact,
  finding.reproduction,
  finding.recommendation,
]
