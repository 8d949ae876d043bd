import type { ExportedFinding } from './export-findings.ts'

const LEVELS = { critical: 'error', high: 'error', medium: 'warning', low: 'note', info: 'note' } as const

/** Locations of one result: readers of SARIF show a few. */
const MAX_LOCATIONS = 1_000

/** A finding as a `reportingDescriptor` (SARIF 2.1.0, section 3.49). */
export const sarifRule = ({
  id,
  title,
  summary,
  description,
  recommendation,
  cwe,
  tags,
  cvssScore,
}: ExportedFinding) => ({
  id,
  shortDescription: { text: title },
  fullDescription: { text: summary || description || title },
  help: { text: recommendation || title, markdown: recommendation || title },
  properties: { tags: [...cwe, ...tags], ...(cvssScore !== null && { 'security-severity': cvssScore.toFixed(1) }) },
})

/** A finding as a `result` (SARIF 2.1.0, section 3.27), with its affected assets as locations. */
export const sarifResult = ({ id, title, severity, status, affected }: ExportedFinding) => ({
  ruleId: id,
  level: LEVELS[severity],
  message: { text: title },
  locations: affected
    .slice(0, MAX_LOCATIONS)
    .map(({ asset }) => ({ logicalLocations: [{ fullyQualifiedName: asset }] })),
  properties: { severity, status },
})
