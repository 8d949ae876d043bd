import type { Reply } from '@sortie/contract/core/endpoint.ts'
import type { DataFindingValue, DataSectionValue, ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { compareReport } from '@sortie/contract/reports/report-renders.ts'
import { canonicalJson } from '../../../platform/text/json.ts'
import { plainText } from '../../reports/writers/plain-text.ts'

type Comparison = Reply<typeof compareReport>['data']

const TEXTS = ['summary', 'description', 'impact', 'reproduction', 'recommendation', 'evidence'] as const
const VALUES = [
  'title',
  'severity',
  'severityReason',
  'cvssVector',
  'cvssScore',
  'status',
  'verification',
  'clientStatus',
  'cwe',
  'cve',
  'owasp',
  'wstg',
  'attack',
  'tags',
  'references',
  'fields',
  'affected',
  'retest',
] as const
/** Statuses of findings that are no longer open to the client. */
const CLOSED = new Set(['fixed', 'withdrawn'])

/** Differences between two states of a report: findings by their ids, sections by their keys. */
export const compareData = (from: ReportDataValue, to: ReportDataValue): Comparison => {
  const before = new Map(from.findings.map((finding) => [finding.id, finding]))
  const after = new Map(to.findings.map((finding) => [finding.id, finding]))
  const kept = to.findings.flatMap((finding) => {
    const earlier = before.get(finding.id)
    return earlier ? [{ earlier, finding }] : []
  })
  const isClosed = ({ earlier, finding }: (typeof kept)[number]) =>
    CLOSED.has(finding.status) && !CLOSED.has(earlier.status)
  return {
    findings: {
      new: to.findings.filter(({ id }) => !before.has(id)).map(shown),
      changed: kept
        .filter((pair) => !isClosed(pair))
        .map(({ earlier, finding }) => ({ ...shown(finding), fields: changedFields(earlier, finding) }))
        .filter(({ fields }) => fields.length > 0),
      closed: [
        ...kept.filter(isClosed).map(({ finding }) => shown(finding)),
        ...from.findings.filter(({ id }) => !after.has(id)).map(shown),
      ],
    },
    sections: changedSections(from, to),
  }
}

const shown = ({ id, key, title, severity }: DataFindingValue) => ({ id, key, title, severity })

/** Of any value; the database keeps the fields of an edition in an order of its own. */
const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other)

const changedFields = (before: DataFindingValue, after: DataFindingValue): string[] => [
  ...VALUES.filter((name) => !isSame(before[name], after[name])),
  ...TEXTS.filter((name) => plainText(before[name]) !== plainText(after[name])),
]

const textOf = ({ title, blocks }: DataSectionValue): string =>
  [title, plainText(blocks)].filter((text) => text !== '').join('\n\n')

const changedSections = (from: ReportDataValue, to: ReportDataValue): Comparison['sections'] => {
  const before = new Map(from.sections.map((section) => [section.key, section]))
  const after = new Set(to.sections.map(({ key }) => key))
  const now = to.sections.flatMap((section): Comparison['sections'] => {
    const { key, title } = section
    const earlier = before.get(key)
    const [old, text] = [earlier && textOf(earlier), textOf(section)]
    if (old === undefined) return [{ key, title, change: 'added', before: '', after: text }]
    return old === text ? [] : [{ key, title, change: 'changed', before: old, after: text }]
  })
  const gone = from.sections
    .filter(({ key }) => !after.has(key))
    .map((section) => ({
      key: section.key,
      title: section.title,
      change: 'removed' as const,
      before: textOf(section),
      after: '',
    }))
  return [...now, ...gone]
}
