import type { BlockValue, DataFindingValue, ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import { severityOf } from '../../../../platform/lists/severities.ts'
import type { WholeFindingRow } from '../../../findings/findings.queries.ts'
import { STATUS_LABELS } from '../../labels/labels.ts'
import { anchorOf, keyOf } from '../compose-findings.ts'
import type { LiveContext } from './live-context.ts'
import { sentence, tableOf } from './tables.ts'

const nameOf = ({ severities }: LiveContext, { severity }: Pick<WholeFindingRow, 'severity'>): string => {
  const key = severityOf(severity)
  return severities.find((one) => one.key === key)?.name ?? key
}

/** A reference to a finding by its key. */
const keyCell = ({ source, composer, place }: LiveContext, finding: WholeFindingRow) => [
  {
    type: 'reference' as const,
    text: composer.plain(keyOf(finding, source.frame.task_prefix), place),
    target: anchorOf(finding),
  },
]

export const findingsTable = (context: LiveContext): BlockValue[] => {
  const { composer, findings } = context
  const { labels } = composer
  if (findings.length === 0) return [sentence(labels.noFindings)]
  return tableOf(
    context,
    labels.listOfFindings,
    [
      { title: labels.number },
      { title: labels.title },
      { title: labels.severity },
      { title: labels.cvss, align: 'right' },
      { title: labels.status },
    ],
    findings.map((finding) => [
      keyCell(context, finding),
      finding.title,
      nameOf(context, finding),
      finding.cvss_score === null ? '–' : finding.cvss_score.toFixed(1),
      labels[STATUS_LABELS[finding.status]],
    ]),
  )
}

export const severitySummary = (context: LiveContext): BlockValue[] => {
  const { composer, findings, severities, words } = context
  const { labels } = composer
  const isOpen = ({ status }: WholeFindingRow) => status === 'open' || status === 'partly_fixed'
  const row = (name: string, of: readonly WholeFindingRow[]) => [
    name,
    words.number(of.length),
    words.number(of.filter(isOpen).length),
    words.number(of.filter(({ status }) => status === 'fixed').length),
  ]
  return [
    { type: 'severity_chart' },
    ...tableOf(
      context,
      labels.findingsBySeverity,
      [
        { title: labels.severity },
        { title: labels.count, align: 'right' },
        { title: labels.statusOpen, align: 'right' },
        { title: labels.statusFixed, align: 'right' },
      ],
      [
        ...severities.map(({ key, name }) =>
          row(
            name,
            findings.filter(({ severity }) => severityOf(severity) === key),
          ),
        ),
        row(labels.total, findings),
      ],
    ),
  ]
}

export const retest = (context: LiveContext): BlockValue[] => {
  const { source, composer, findings, words } = context
  const { labels } = composer
  const items = Map.groupBy(source.retestItems, ({ finding_id: id }) => id)
  const rows = findings.flatMap((finding) =>
    (items.get(finding.id) ?? []).map((item) => [
      keyCell(context, finding),
      finding.title,
      item.asset ?? '',
      labels[STATUS_LABELS[item.status_before ?? item.status ?? 'open']],
      labels[STATUS_LABELS[item.outcome ?? 'not_retested']],
      item.tested_at === null ? '' : words.day(item.tested_at.slice(0, 10)),
    ]),
  )
  if (rows.length === 0) return [sentence(labels.noRetest)]
  return tableOf(
    context,
    labels.listOfRetests,
    [
      { title: labels.number },
      { title: labels.title },
      { title: labels.asset },
      { title: labels.before },
      { title: labels.after },
      { title: labels.testedOn },
    ],
    rows,
  )
}

/** What has changed of a finding since an edition, by what an edition shows of it. */
const changeOf = (before: DataFindingValue | undefined, finding: WholeFindingRow) => {
  if (!before) return 'changeNew' as const
  const isSame =
    before.title === finding.title &&
    before.severity === severityOf(finding.severity) &&
    before.status === finding.status &&
    before.cvssVector === finding.cvss_vector
  return isSame ? undefined : ('changeChanged' as const)
}

/** Findings that are new, changed, or no longer reported since an earlier edition. */
export const changes = (context: LiveContext): BlockValue[] => {
  const { source, composer, findings } = context
  const { labels } = composer
  const previous: ReportDataValue | undefined = source.previous
  if (!previous) return [sentence(labels.firstEdition)]
  const before = new Map(previous.findings.map((finding) => [finding.id, finding]))
  const now = new Set(findings.map(({ id }) => id))
  const rows = [
    ...findings.flatMap((finding) => {
      const change = changeOf(before.get(finding.id), finding)
      if (!change) return []
      return [[keyCell(context, finding), finding.title, nameOf(context, finding), labels[change]]]
    }),
    ...previous.findings
      .filter(({ id }) => !now.has(id))
      .map(({ key, title, severity }) => [
        key,
        title,
        context.severities.find((one) => one.key === severity)?.name ?? severity,
        labels.changeClosed,
      ]),
  ]
  if (rows.length === 0) return [sentence(labels.noChanges)]
  return tableOf(
    context,
    labels.listOfChanges,
    [{ title: labels.number }, { title: labels.title }, { title: labels.severity }, { title: labels.change }],
    rows,
  )
}
