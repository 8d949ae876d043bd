import { SECTIONS, type Section } from '@sortie/contract/findings/finding-fields.ts'
import type { BlockValue, DataFindingValue, FindingPart } from '@sortie/contract/reports/report-data.ts'
import { type FieldValues } from '../../../platform/fields/field-values.ts'
import { severityOf } from '../../../platform/lists/severities.ts'
import type { AffectedRow } from '../../findings/affected/affected.queries.ts'
import type { WholeFindingRow } from '../../findings/findings.queries.ts'
import type { Words } from '../labels/dates.ts'
import { STATUS_LABELS, type Labels } from '../labels/labels.ts'
import { textsOf } from './compose/finding-texts.ts'
import type { Composer, Place } from './composer.ts'
import { composeText } from './markdown/compose-text.ts'
import type { ReportSource } from './read-source.ts'

/** A custom field as text; empty without a value. */
export const fieldText = (value: FieldValues[string] | undefined, labels: Labels, words: Words): string => {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  if (typeof value === 'number') return words.number(value)
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object') return value.name
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? words.day(value) : value
}

/** The finding of the report in its order: worst first, or as the engagement has them. */
export const inOrder = (findings: readonly WholeFindingRow[], order: 'severity' | 'report'): WholeFindingRow[] =>
  order === 'report'
    ? [...findings]
    : findings.toSorted((a, b) => b.severity - a.severity || (b.cvss_score ?? -1) - (a.cvss_score ?? -1))

export const keyOf = ({ number }: Pick<WholeFindingRow, 'number'>, prefix: string): string => `${prefix}-F${number}`

export const anchorOf = ({ number }: Pick<WholeFindingRow, 'number'>): string => `finding-${number}`

interface Surroundings {
  source: ReportSource
  composer: Composer
  words: Words
  parts: readonly FindingPart[]
  /** Of the headings of parts. */
  level: number
}

/** The findings with their texts as blocks, in the order in which they are numbered. */
export const composeFindings = (findings: readonly WholeFindingRow[], within: Surroundings): DataFindingValue[] => {
  const { source } = within
  const affected = Map.groupBy(source.affected, ({ finding_id: id }) => id)
  const retests = Map.groupBy(source.retestItems, ({ finding_id: id }) => id)
  const files = Map.groupBy(
    [...source.files.values()].filter(({ owner_type: type }) => type === 'finding'),
    ({ owner_id: id }) => id,
  )
  return findings.map((finding) =>
    composeFinding(finding, within, {
      affected: affected.get(finding.id) ?? [],
      retests: retests.get(finding.id) ?? [],
      files: (files.get(finding.id) ?? []).map(({ id }) => id),
    }),
  )
}

interface Own {
  affected: readonly AffectedRow[]
  retests: ReportSource['retestItems']
  files: readonly string[]
}

const composeFinding = (finding: WholeFindingRow, within: Surroundings, own: Own): DataFindingValue => {
  const { source, composer, words, parts } = within
  const { labels } = composer
  const place = (section: string | null): Place => ({ type: 'finding', id: finding.id, section })
  const plain = (text: string) => composer.plain(text, place(null))
  // Figures get their numbers in the order of the parts.
  const blocks: Partial<Record<FindingPart, BlockValue[]>> = {}
  for (const part of parts) {
    if (isSection(part))
      blocks[part] = composeText(composer, finding[part], {
        place: place(part),
        level: within.level,
        hasPlaceholders: false,
      })
    if (part === 'evidence') blocks.evidence = evidenceOf(finding, within, own.files)
  }
  const { client_status: client } = finding
  return {
    id: finding.id,
    anchor: anchorOf(finding),
    number: finding.number,
    key: keyOf(finding, source.frame.task_prefix),
    title: plain(finding.title),
    severity: severityOf(finding.severity),
    severityReason: plain(finding.severity_reason),
    cvssVector: finding.cvss_vector,
    cvssScore: finding.cvss_score,
    state: finding.state,
    status: finding.status,
    verification: finding.verification,
    clientStatus: client && {
      state: client.state,
      until: client.until,
      untilText: words.day(client.until),
      reason: plain(client.reason),
    },
    cwe: finding.cwe,
    cve: finding.cve,
    owasp: finding.owasp,
    wstg: finding.wstg,
    attack: finding.attack,
    tags: finding.tags.map(plain),
    references: finding.source_references.map(plain),
    fields: Object.fromEntries(
      source.definitions
        .filter(({ object_type: type, key }) => type === 'finding' && Object.hasOwn(finding.fields, key))
        .map(({ key }) => [key, plain(fieldText(finding.fields[key], labels, words))]),
    ),
    summary: blocks.summary ?? [],
    description: blocks.description ?? [],
    impact: blocks.impact ?? [],
    reproduction: blocks.reproduction ?? [],
    recommendation: blocks.recommendation ?? [],
    evidence: blocks.evidence ?? [],
    affected: own.affected.map(({ id, asset, verdict, status, note }) => ({
      id,
      asset: plain(asset),
      verdict,
      status,
      note: plain(note),
    })),
    retest: own.retests.map((item) => ({
      asset: plain(item.asset ?? ''),
      before: item.status_before ?? item.status ?? 'open',
      after: labels[STATUS_LABELS[item.outcome ?? 'not_retested']],
      note: plain(item.note),
      testedOn: item.tested_at === null ? null : item.tested_at.slice(0, 10),
      testedOnText: item.tested_at === null ? '' : words.day(item.tested_at.slice(0, 10)),
    })),
  }
}

const isSection = (part: FindingPart): part is Section & FindingPart => (SECTIONS as readonly string[]).includes(part)

/** Pictures of the finding that none of its texts shows. */
const evidenceOf = (finding: WholeFindingRow, { source, composer }: Surroundings, fileIds: readonly string[]) => {
  const text = textsOf(finding).join('\n')
  const named = [...source.redactions].flatMap(([id, shownId]) => (text.includes(id) ? shownId : []))
  return fileIds
    .filter((id) => source.files.get(id)?.media_type.startsWith('image/') && !text.includes(id) && !named.includes(id))
    .map((id) => composer.figure(id, '', { type: 'finding', id: finding.id, section: null }))
}
