import type { Placeholder } from '../../ui/text-editor/placeholder-completion.ts'

/** Names that the texts of a report replace by values, in the order of the completion. */
export const REPORT_PLACEHOLDERS: readonly Placeholder[] = [
  { name: 'client.name', label: 'Name of the client' },
  { name: 'client.shortName', label: 'Short name of the client' },
  { name: 'engagement.name', label: 'Name of the engagement' },
  { name: 'engagement.period', label: 'First to last day of testing' },
  { name: 'engagement.startsOn', label: 'First day of testing' },
  { name: 'engagement.endsOn', label: 'Last day of testing' },
  { name: 'report.title', label: 'Title of the report' },
  { name: 'report.kind', label: 'Kind of the report' },
  { name: 'report.version', label: 'Number of the edition' },
  { name: 'report.date', label: 'Date of the edition' },
  { name: 'report.authors', label: 'Authors' },
  { name: 'report.approvedBy', label: 'Who approved it' },
  { name: 'organization.name', label: 'Your organization' },
  { name: 'findings.total', label: 'Number of findings' },
  { name: 'findings.critical', label: 'Critical findings' },
  { name: 'findings.high', label: 'High findings' },
  { name: 'findings.medium', label: 'Medium findings' },
  { name: 'findings.low', label: 'Low findings' },
  { name: 'findings.info', label: 'Informational findings' },
  { name: 'findings.open', label: 'Open findings' },
  { name: 'findings.fixed', label: 'Fixed findings' },
]

/** Placeholders of the custom fields of an engagement or a client. */
export const fieldPlaceholders = (
  objectType: 'engagement' | 'client',
  definitions: readonly { key: string; label: string }[],
): Placeholder[] => definitions.map(({ key, label }) => ({ name: `${objectType}.fields.${key}`, label }))
