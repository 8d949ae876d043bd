import type { DataFindingValue, ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import { addAliases, FINDING_ALIASES, ROOT_ALIASES } from './aliases.ts'
import { allLabels, labelIn } from './labels.ts'
import { CellColor, PictureKey, RichText, type ScopeObject, type ScopeValue } from './values.ts'

const STATUS_LABELS: Readonly<Record<string, string>> = {
  open: 'statusOpen',
  partly_fixed: 'statusPartlyFixed',
  fixed: 'statusFixed',
  not_reproducible: 'statusNotReproducible',
  withdrawn: 'statusWithdrawn',
}
/** As other products write them, whatever the language. */
const ENGLISH_SEVERITIES: Readonly<Record<string, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Informational',
}

/** Report-data as the tags of a Word template see it. */
export const scopeOf = (data: ReportDataValue): ScopeObject => {
  const [contact] = data.contacts
  const people = (list: ReportDataValue['team']): ScopeValue[] => list.map(personOf)
  const counts = Object.fromEntries(data.severities.map(({ key, count }) => [key, count]))
  const root: Record<string, ScopeValue> = {
    language: data.language,
    watermark: data.watermark,
    report: { ...data.report, approvedBy: data.report.approvedBy ?? '' },
    organization: data.organization,
    client: { ...data.client, ...(contact ? personOf(contact) : personOf(NOBODY)), name: data.client.name },
    engagement: { ...data.engagement },
    team: people(data.team),
    contacts: people(data.contacts),
    labels: allLabels(data.labels),
    design: {
      header: data.design.header,
      footer: data.design.footer,
      classification: data.design.classification,
      classificationLabel: data.design.classificationLabel,
      cover: { ...data.design.cover, title: data.design.cover.title || data.report.title },
      tableOfContents: data.design.tableOfContents,
    },
    logo: data.design.logo === null ? null : new PictureKey(data.design.logo),
    severities: data.severities.map(({ key, name, color, count }) => ({
      key,
      name,
      count,
      color: new CellColor(color),
    })),
    counts: { ...counts, total: data.findings.length },
    findings: data.findings.map((finding) => findingOf(finding, data)),
    sections: data.sections.map(({ key, title, number, kind, anchor, blocks }) => ({
      key,
      title,
      number,
      kind,
      anchor,
      blocks: new RichText(blocks),
    })),
    section: Object.fromEntries(data.sections.map(({ key, blocks }) => [key, new RichText(blocks)])),
  }
  return addAliases(root, ROOT_ALIASES)
}

const NOBODY = { name: '', role: '', email: '', phone: '' }

const personOf = ({ name, role, email, phone }: ReportDataValue['team'][number]): ScopeObject => {
  const [firstname = '', ...rest] = name.split(' ')
  return { name, role, email, phone, firstname, lastname: rest.join(' ') }
}

const listed = (items: readonly string[]): RichText =>
  new RichText(
    items.length === 0
      ? []
      : [
          {
            type: 'list',
            items: items.map((text) => [{ type: 'paragraph', content: [{ type: 'link', text, href: text }] }]),
          },
        ],
  )

const findingOf = (finding: DataFindingValue, data: ReportDataValue): ScopeObject => {
  const severity = data.severities.find(({ key }) => key === finding.severity)
  const color = new CellColor(severity?.color ?? '#808080')
  const statusName = (status: string) => labelIn(data.labels, STATUS_LABELS[status] ?? status)
  const client = finding.clientStatus
  const own: Record<string, ScopeValue> = {
    anchor: finding.anchor,
    key: finding.key,
    number: finding.number,
    title: finding.title,
    severity: severity?.name ?? finding.severity,
    severityKey: finding.severity,
    severityColor: color,
    severityReason: finding.severityReason,
    cvssScore: finding.cvssScore ?? '',
    cvssVector: finding.cvssVector ?? '',
    cvss: {
      baseMetricScore: finding.cvssScore ?? '',
      baseSeverity: ENGLISH_SEVERITIES[finding.severity] ?? finding.severity,
      vectorString: finding.cvssVector ?? '',
      cellColor: color,
    },
    state: finding.state,
    status: statusName(finding.status),
    statusKey: finding.status,
    verification: finding.verification,
    clientStatus: client ? { state: client.state, until: client.untilText, reason: client.reason } : null,
    cwe: finding.cwe,
    cve: finding.cve,
    owasp: finding.owasp,
    wstg: finding.wstg,
    attack: finding.attack,
    tags: finding.tags,
    references: finding.references,
    referenceLinks: listed(finding.references),
    fields: finding.fields,
    summary: new RichText(finding.summary),
    description: new RichText(finding.description),
    impact: new RichText(finding.impact),
    reproduction: new RichText(finding.reproduction),
    recommendation: new RichText(finding.recommendation),
    evidence: new RichText(finding.evidence),
    affected: finding.affected.map(({ asset, verdict, status, note }) => ({
      asset,
      name: asset,
      verdict,
      status: statusName(status),
      statusKey: status,
      note,
    })),
    retest: finding.retest.map(({ asset, before, after, note, testedOnText }) => ({
      asset,
      before: statusName(before),
      after,
      note,
      testedOn: testedOnText,
    })),
  }
  return addAliases(own, FINDING_ALIASES)
}
