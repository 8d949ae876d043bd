import { FINDING_SEVERITIES, type FindingSeverity } from '@sortie/contract/findings/finding-fields.ts'
import { FINDING_PARTS, type DesignValue } from '@sortie/contract/reports/report-data.ts'
import type { TemplateSettingsValue } from '@sortie/contract/reports/report-templates.ts'
import { SEVERITY_LABELS, type Labels } from '../labels/labels.ts'
import { fillLine } from './placeholders.ts'

/** What templates get that set nothing. */
export const DEFAULT_DESIGN = {
  paper: 'a4',
  accent: '#1f4fd8',
  fonts: { body: 'Inter', heading: 'Inter', code: 'JetBrains Mono' },
  header: '{{report.title}}',
  footer: '{{organization.name}}',
  cover: { title: '', subtitle: '{{client.name}}', note: '' },
  classification: 'none',
  findingParts: FINDING_PARTS,
  findingOrder: 'severity',
  groupBySeverity: false,
  tableOfContents: true,
} as const

const DEFAULT_COLORS: Readonly<Record<FindingSeverity, string>> = {
  critical: '#8c1d18',
  high: '#c2410c',
  medium: '#b7791f',
  low: '#2f6f9f',
  info: '#5f6b7a',
}

/** Labels of the Traffic Light Protocol 2.0 are the same in every language. */
const CLASSIFICATION_LABELS: Readonly<Record<DesignValue['classification'], string>> = {
  none: '',
  'tlp-clear': 'TLP:CLEAR',
  'tlp-green': 'TLP:GREEN',
  'tlp-amber': 'TLP:AMBER',
  'tlp-amber-strict': 'TLP:AMBER+STRICT',
  'tlp-red': 'TLP:RED',
}

/** The settings of a template, complete, with placeholders replaced. */
export const designOf = (
  settings: TemplateSettingsValue,
  placeholder: (name: string) => string | undefined,
  logo: string | null,
): DesignValue => {
  const { classification = DEFAULT_DESIGN.classification, cover = DEFAULT_DESIGN.cover } = settings
  const fill = (line: string) => fillLine(line, placeholder)
  return {
    paper: settings.paper ?? DEFAULT_DESIGN.paper,
    accent: settings.accent ?? DEFAULT_DESIGN.accent,
    logo,
    fonts: settings.fonts ?? DEFAULT_DESIGN.fonts,
    header: fill(settings.header ?? DEFAULT_DESIGN.header),
    footer: fill(settings.footer ?? DEFAULT_DESIGN.footer),
    cover: {
      title: fill(cover.title === '' ? '{{report.title}}' : cover.title),
      subtitle: fill(cover.subtitle),
      note: fill(cover.note),
    },
    classification,
    classificationLabel: CLASSIFICATION_LABELS[classification],
    findingParts: [...(settings.findingParts ?? DEFAULT_DESIGN.findingParts)],
    groupBySeverity: settings.groupBySeverity ?? DEFAULT_DESIGN.groupBySeverity,
    tableOfContents: settings.tableOfContents ?? DEFAULT_DESIGN.tableOfContents,
  }
}

interface SeveritySettings {
  severityNames?: Partial<Record<FindingSeverity, string>>
  severityColors?: Partial<Record<FindingSeverity, string>>
}

/** Names and colors of severities, worst first: those of the template, then of the organization, then of the product. */
export const severitiesOf = (
  template: SeveritySettings,
  organization: SeveritySettings,
  labels: Labels,
  count: (severity: FindingSeverity) => number,
) =>
  FINDING_SEVERITIES.toReversed().map((key) => ({
    key,
    name: template.severityNames?.[key] ?? organization.severityNames?.[key] ?? labels[SEVERITY_LABELS[key]],
    color: template.severityColors?.[key] ?? organization.severityColors?.[key] ?? DEFAULT_COLORS[key],
    count: count(key),
  }))
