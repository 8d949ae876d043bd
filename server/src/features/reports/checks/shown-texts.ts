import type { BlockValue, FindingPart, LiveType, ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { Place } from '../document/composer.ts'
import { plainText } from '../writers/plain-text.ts'
import type { CheckedText } from './problems.ts'

/**
 * Live sections that show what no text of the report or of its findings has. The team is not among them: it is of the
 * organization.
 */
const LIVE: readonly LiveType[] = [
  'scope',
  'testing_window',
  'coverage',
  'inventory',
  'contacts',
  'tools',
  'operations',
]
const PARTS = [
  'summary',
  'description',
  'impact',
  'reproduction',
  'recommendation',
  'evidence',
] as const satisfies readonly FindingPart[]

export interface ShownTexts {
  /** Written elsewhere in the engagement: notes of scope rules, contacts, commands, notes of a retest. */
  live: CheckedText[]
  /** Requests and responses, which are evidence as it was recorded. */
  recorded: CheckedText[]
}

/** What a report shows in addition to its own texts and those of its findings. */
export const shownTexts = ({ sections, findings, report, engagement }: ReportDataValue): ShownTexts => {
  const live: CheckedText[] = [
    { text: engagement.name, place: { type: 'report' as const, id: report.id, section: null } },
    ...sections
      .filter(({ live: type }) => type !== null && LIVE.includes(type))
      .map(({ id, blocks }) => ({ text: plainText(blocks), place: inSection(id) })),
    ...findings.flatMap(({ id, clientStatus, retest }) => [
      { text: clientStatus?.reason ?? '', place: inFinding(id, null) },
      ...retest.map(({ note }) => ({ text: note, place: inFinding(id, 'retest') })),
    ]),
  ]
  const recorded = [
    ...sections.flatMap(({ id, blocks }) => exchangesIn(blocks).map((text) => ({ text, place: inSection(id) }))),
    ...findings.flatMap((finding) =>
      PARTS.flatMap((part) => exchangesIn(finding[part]).map((text) => ({ text, place: inFinding(finding.id, part) }))),
    ),
  ]
  const isWritten = ({ text }: CheckedText): boolean => text !== ''
  return { live: live.filter(isWritten), recorded: recorded.filter(isWritten) }
}

const inSection = (id: string): Place => ({ type: 'section', id, section: null })
const inFinding = (id: string, section: string | null): Place => ({ type: 'finding', id, section })

/** Exchanges, also those within lists and quotes. */
const exchangesIn = (blocks: readonly BlockValue[]): string[] =>
  blocks.flatMap((block) =>
    block.type === 'exchange' ? [plainText([block])] : (block.items ?? []).flatMap(exchangesIn),
  )
