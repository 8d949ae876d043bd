import type { BlockValue, DataFindingValue, FindingPart } from '@sortie/contract/reports/report-data.ts'
import { bookmark, bookmarkOf } from './anchors.ts'
import type { Body, Spot } from './body.ts'
import { heading, paragraph } from './paragraphs.ts'
import { run } from './runs.ts'
import { cellStyle, columnWidths, gap, severityColor, tableStyle, tableXml, textColorOn } from './tables.ts'

/** Writes blocks one after another. */
type WriteBlocks = (body: Body, blocks: readonly BlockValue[], spot: Spot) => string

/** Every finding in the order of the report, with the parts that the design names. */
export const findingsBlock = (body: Body, spot: Spot, write: WriteBlocks): string => {
  const { findings, design, severities } = body.document.data
  if (!design.groupBySeverity) return findings.map((finding) => findingXml(body, finding, spot, write)).join('')
  return severities
    .map(({ key, name }) => {
      const group = findings.filter(({ severity }) => severity === key)
      if (group.length === 0) return ''
      const within = below(spot)
      return (
        heading(body, spot.level + 1, run(name)) +
        group.map((finding) => findingXml(body, finding, within, write)).join('')
      )
    })
    .join('')
}

const findingXml = (body: Body, finding: DataFindingValue, spot: Spot, write: WriteBlocks): string => {
  const title = bookmark(bookmarkOf(finding.anchor), run(`${finding.key} ${finding.title}`))
  const within = below(spot)
  const parts = body.document.data.design.findingParts.map((part) => partXml(body, finding, part, within, write))
  return heading(body, spot.level + 1, title) + parts.join('')
}

const partXml = (body: Body, finding: DataFindingValue, part: FindingPart, spot: Spot, write: WriteBlocks): string => {
  switch (part) {
    case 'facts':
      return factsXml(body, finding, spot)
    case 'summary':
    case 'description':
    case 'impact':
    case 'reproduction':
    case 'recommendation':
    case 'evidence':
      return titled(body, part, write(body, finding[part], below(spot)), spot)
    case 'affected':
      return affectedXml(body, finding, spot)
    case 'references':
      return titled(body, part, write(body, linksOf(finding.references), below(spot)), spot)
    case 'retest':
      return retestXml(body, finding, spot)
  }
}

const below = (spot: Spot): Spot => ({ ...spot, level: spot.level + 1 })

/** Without content there is no heading. */
const titled = (body: Body, part: FindingPart, content: string, spot: Spot): string =>
  content === '' ? '' : heading(body, spot.level + 1, run(body.label(part))) + content

const linksOf = (references: readonly string[]): BlockValue[] =>
  references.length === 0
    ? []
    : [
        {
          type: 'list',
          items: references.map((text) => [{ type: 'paragraph', content: [{ type: 'link', text, href: text }] }]),
        },
      ]

/** The name of a severity, in the words of the report. */
export const severityName = (body: Body, severity: DataFindingValue['severity']): string =>
  body.document.data.severities.find(({ key }) => key === severity)?.name ?? severity

const STATUSES = {
  open: 'statusOpen',
  partly_fixed: 'statusPartlyFixed',
  fixed: 'statusFixed',
  not_reproducible: 'statusNotReproducible',
  withdrawn: 'statusWithdrawn',
} as const
const CLIENT_STATES: Readonly<Record<string, string>> = {
  planned: 'clientPlanned',
  fixed: 'clientFixed',
  accepted: 'clientAccepted',
  rejected: 'clientRejected',
}

export const statusName = (body: Body, status: DataFindingValue['status']): string => body.label(STATUSES[status])

/** Labels and values of a finding, without empty ones. */
const factsOf = (body: Body, finding: DataFindingValue): [label: string, value: string][] => {
  const { clientStatus: client, cvssScore, cvssVector } = finding
  const clientWords = client ? CLIENT_STATES[client.state] : undefined
  const until = client?.until ? `, ${body.label('until')} ${client.until}` : ''
  const facts: [string, string][] = [
    ['severity', severityName(body, finding.severity)],
    ['severityReason', finding.severityReason],
    ['cvss', cvssScore === null ? '' : `${cvssScore.toFixed(1)} (${cvssVector ?? ''})`],
    ['status', statusName(body, finding.status)],
    ['clientStatus', client ? `${clientWords === undefined ? client.state : body.label(clientWords)}${until}` : ''],
    ['cwe', finding.cwe.join(', ')],
    ['cve', finding.cve.join(', ')],
    ['owasp', finding.owasp.join(', ')],
  ]
  return facts.filter(([, value]) => value !== '')
}

const factsXml = (body: Body, finding: DataFindingValue, spot: Spot): string => {
  const style = cellStyle(body)
  const rows = factsOf(body, finding).map(([label, value]) => {
    const fill = label === 'severity' ? severityColor(body, value) : undefined
    const form = fill === undefined ? {} : { color: textColorOn(fill), bold: true }
    return [
      { content: paragraph(run(body.label(label), { bold: true }), { style }) },
      { content: paragraph(run(value, form), { style }), fill },
    ]
  })
  const label = Math.floor(spot.width * 0.28)
  return tableXml({ widths: [label, spot.width - label], rows, style: tableStyle(body) }) + gap()
}

/** A table of texts with a header. */
const textTable = (body: Body, titles: readonly string[], rows: readonly (readonly string[])[], spot: Spot): string => {
  const style = cellStyle(body)
  const cell = (text: string) => ({ content: paragraph(run(text), { style }) })
  const texts = titles.map((title, index) => [title, ...rows.map((row) => row[index] ?? '')])
  const widths = columnWidths(texts, spot.width)
  return (
    tableXml({ widths, header: titles.map(cell), rows: rows.map((row) => row.map(cell)), style: tableStyle(body) }) +
    gap()
  )
}

const affectedXml = (body: Body, { affected }: DataFindingValue, spot: Spot): string => {
  if (affected.length === 0) return ''
  const hasNotes = affected.some(({ note }) => note !== '')
  const titles = ['asset', 'status', ...(hasNotes ? ['note'] : [])].map((key) => body.label(key))
  const rows = affected.map(({ asset, status, note }) => [asset, statusName(body, status), ...(hasNotes ? [note] : [])])
  return heading(body, spot.level + 1, run(body.label('affected'))) + textTable(body, titles, rows, spot)
}

const retestXml = (body: Body, { retest }: DataFindingValue, spot: Spot): string => {
  if (retest.length === 0) return ''
  const titles = ['asset', 'before', 'after', 'note'].map((key) => body.label(key))
  const rows = retest.map(({ asset, before, after, note }) => [asset, statusName(body, before), after, note])
  return heading(body, spot.level + 1, run(body.label('retest'))) + textTable(body, titles, rows, spot)
}
