import { fieldOf, RichText, type ScopeObject, type ScopeValue } from './values.ts'

/**
 * Names that templates of other products use, and the fields that they mean here: the reference for Word templates has
 * the same table (docs/reports/word.md).
 */
export const ROOT_ALIASES: Readonly<Record<string, string>> = {
  // PwnDoc
  name: 'report.title',
  auditType: 'report.kind',
  date: 'report.dateText',
  date_start: 'engagement.startsOn',
  date_end: 'engagement.endsOn',
  company: 'client',
  collaborators: 'team',
  creator: 'team.0',
  scope: 'section.scope',
  customFields: 'engagement.fields',
  // AttackForge
  projectName: 'engagement.name',
  project_name: 'engagement.name',
  customer: 'client.name',
  customer_name: 'client.name',
  groupName: 'client.name',
  startDate: 'engagement.startsOn',
  start_date: 'engagement.startsOn',
  endDate: 'engagement.endsOn',
  end_date: 'engagement.endsOn',
  today: 'report.date',
  executiveSummary: 'section.management_summary',
  executive_summary: 'section.management_summary',
  summary: 'section.management_summary',
  projectTeam: 'team',
  project_team: 'team',
  vulnerabilities: 'findings',
  totalVulnerabilities: 'counts.total',
  totalCritical: 'counts.critical',
  totalHigh: 'counts.high',
  totalMedium: 'counts.medium',
  totalLow: 'counts.low',
  totalInfo: 'counts.info',
}

/** See `ROOT_ALIASES`: names within a finding. */
export const FINDING_ALIASES: Readonly<Record<string, string>> = {
  // PwnDoc
  identifier: 'key',
  id: 'key',
  observation: 'description',
  remediation: 'recommendation',
  poc: 'reproduction',
  proofs: 'reproduction',
  cwes: 'cwe',
  customFields: 'fields',
  vulnType: 'tags.0',
  category: 'tags.0',
  cvssv3: 'cvssVector',
  cvssSeverity: 'cvss.baseSeverity',
  cvssColor: 'severityColor',
  // AttackForge
  vulnerability: 'title',
  alternate_id: 'key',
  priority: 'severity',
  attack_scenario: 'impact',
  attackScenario: 'impact',
  remediation_recommendation: 'recommendation',
  remediationRecommendation: 'recommendation',
  steps_to_reproduce: 'reproduction',
  stepsToReproduce: 'reproduction',
  proof_of_concept: 'reproduction',
  proofOfConcept: 'reproduction',
  notes: 'severityReason',
  affected_assets: 'affected',
  affectedAssets: 'affected',
  cvss_score: 'cvssScore',
  cvss_vector: 'cvssVector',
  statusOfFinding: 'status',
}

const EMPTY = new RichText([])

/** Adds names to those of the product; a field of the product wins. What the report lacks is empty. */
export const addAliases = (
  own: Readonly<Record<string, ScopeValue>>,
  aliases: Readonly<Record<string, string>>,
): ScopeObject => {
  const all: Record<string, ScopeValue> = { ...own }
  for (const [alias, path] of Object.entries(aliases)) {
    if (Object.hasOwn(own, alias)) continue
    const value = path.split('.').reduce<ScopeValue | undefined>((of, name) => fieldOf(of, name), own)
    all[alias] = value ?? (path.startsWith('section.') ? EMPTY : '')
  }
  return all
}
