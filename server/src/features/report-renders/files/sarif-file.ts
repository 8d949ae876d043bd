import type { DataFindingValue, ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import { plainText } from '../../reports/writers/plain-text.ts'

const LEVELS = { critical: 'error', high: 'error', medium: 'warning', low: 'note', info: 'note' } as const
/** Locations of one result: readers of SARIF show a few. */
const MAX_LOCATIONS = 1_000

/** The findings of a report as SARIF 2.1.0. */
export const writeSarif = ({ findings }: ReportDataValue): string =>
  JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Sortie', rules: findings.map(ruleOf) } }, results: findings.map(resultOf) }],
  })

const ruleOf = (finding: DataFindingValue) => ({
  id: finding.key,
  shortDescription: { text: finding.title },
  fullDescription: { text: plainText(finding.summary) || plainText(finding.description) || finding.title },
  help: { text: plainText(finding.recommendation) || finding.title },
  properties: {
    tags: [...finding.cwe, ...finding.tags],
    ...(finding.cvssScore !== null && { 'security-severity': finding.cvssScore.toFixed(1) }),
  },
})

const resultOf = (finding: DataFindingValue) => ({
  ruleId: finding.key,
  level: LEVELS[finding.severity],
  message: { text: plainText([...finding.summary, ...finding.description]) || finding.title },
  locations: finding.affected.slice(0, MAX_LOCATIONS).map(({ asset }) => ({
    logicalLocations: [{ fullyQualifiedName: asset }],
  })),
  properties: { severity: finding.severity, status: finding.status },
})
