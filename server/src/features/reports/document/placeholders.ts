import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { TemplateSettingsValue } from '@sortie/contract/reports/report-templates.ts'

/** Placeholders in texts of sections, except the custom fields of the engagement and of the client. */
export const PLACEHOLDERS = [
  'organization.name',
  'client.name',
  'client.shortName',
  'engagement.name',
  'engagement.startsOn',
  'engagement.endsOn',
  'engagement.period',
  'report.title',
  'report.kind',
  'report.version',
  'report.date',
  'report.authors',
  'report.approvedBy',
  'findings.total',
  'findings.critical',
  'findings.high',
  'findings.medium',
  'findings.low',
  'findings.info',
  'findings.open',
  'findings.fixed',
] as const
/** Followed by the key of a custom field. */
export const FIELD_PLACEHOLDERS = ['engagement.fields.', 'client.fields.'] as const

type Name = (typeof PLACEHOLDERS)[number]
const isName = (name: string): name is Name => (PLACEHOLDERS as readonly string[]).includes(name)

export type PlaceholderValues = Readonly<Record<Name, string>>

/** Custom fields by their keys, as text; empty for those without a value. */
export interface PlaceholderFields {
  engagement: Readonly<Record<string, string>>
  client: Readonly<Record<string, string>>
}

/** @returns the value of a placeholder, empty if it has none yet; undefined if there is no such placeholder */
export const placeholderOf =
  (values: PlaceholderValues, fields: PlaceholderFields) =>
  (name: string): string | undefined => {
    if (isName(name)) return values[name]
    const prefix = FIELD_PLACEHOLDERS.find((start) => name.startsWith(start))
    if (prefix === undefined) return undefined
    const own = prefix === 'client.fields.' ? fields.client : fields.engagement
    const key = name.slice(prefix.length)
    return Object.hasOwn(own, key) ? own[key] : undefined
  }

/** A line of a template with its placeholders replaced; an unknown one stays as it is written. */
export const fillLine = (line: string, placeholder: (name: string) => string | undefined): string => {
  const [start = '', ...rest] = line.split('{{')
  return rest.reduce((filled, piece) => {
    const end = piece.indexOf('}}')
    const value = end < 0 ? undefined : placeholder(piece.slice(0, end).trim())
    return value === undefined ? `${filled}{{${piece}` : `${filled}${value}${piece.slice(end + 2)}`
  }, start)
}

/** Counts of findings, for placeholders. */
export const findingCounts = (
  findings: readonly Pick<ReportDataValue['findings'][number], 'severity' | 'status'>[],
  number: (value: number) => string,
) => {
  const of = (is: (finding: (typeof findings)[number]) => boolean) => number(findings.filter(is).length)
  return {
    'findings.total': number(findings.length),
    'findings.critical': of(({ severity }) => severity === 'critical'),
    'findings.high': of(({ severity }) => severity === 'high'),
    'findings.medium': of(({ severity }) => severity === 'medium'),
    'findings.low': of(({ severity }) => severity === 'low'),
    'findings.info': of(({ severity }) => severity === 'info'),
    'findings.open': of(({ status }) => status === 'open' || status === 'partly_fixed'),
    'findings.fixed': of(({ status }) => status === 'fixed'),
  }
}

/** The lines of a template in which placeholders are replaced. */
export const fillable = ({ header, footer, cover }: TemplateSettingsValue): string[] =>
  [header, footer, cover?.title, cover?.subtitle, cover?.note].flatMap((line) => line ?? [])
