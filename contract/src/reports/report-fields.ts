import Type, { type Static } from 'typebox'
import { closedObject, Id, Line, Markdown, Nullable, OneOf, Timestamp } from '../core/endpoint.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { EmptyLine } from '../findings/finding-fields.ts'
import { findingList } from '../findings/findings.ts'
import { Language } from '../findings/library-fields.ts'
import { LIVE_TYPES, REPORT_KINDS, REPORT_STATES } from './report-data.ts'

/** Characters of the text of a section. */
export const MAX_SECTION_BODY = 100_000
export const MAX_SECTIONS = 200
/** Bytes of a body with the text of a section. */
export const SECTION_LIMITS = { bytes: 1_048_576 } as const

export const PreviewPictures = OneOf(['named', 'omitted'], {
  description:
    'Each picture has its SHA-256 in `data-picture`; with `omitted` it has no source, for a reader that has the pictures of an earlier answer.',
})

export const DELIVERED = 'This report was delivered: its editions end only with their engagement.'
export const STALE = 'This report was changed in the meantime. Read it again, then repeat the change.'
/** Changes of one report run one after another. */
export const IN_TURN = { seconds: 120 }
/** The texts of a report are formatted: it may wait for other reports first. */
export const FORMATTED = { seconds: 90 }

export const ReportTitle = Line(300, { examples: ['Penetration test of the shop'] })
export const OfReport = closedObject({ reportId: Id('rpt') })
export const OfSection = closedObject({ reportId: Id('rpt'), sectionId: Id('sec') })

/** Filters of `GET /findings` without the engagement, or the ids of findings of this engagement. */
const { engagementId: _engagement, ...findingFilters } = findingList.filter.properties
export const FindingFilter = closedObject(
  {
    ...findingFilters,
    ids: Type.Optional(Type.Array(Id('fnd'), { maxItems: 1_000, uniqueItems: true })),
  },
  { description: 'filters of `GET /findings`, or `ids`; `{}`: all that are neither withdrawn nor in the trash' },
)

const NullableId = (prefix: string, description: string) =>
  Type.Unsafe<string | null>({ ...Id(prefix), type: ['string', 'null'], description })

export const ReportOptions = closedObject(
  {
    methodologyId: Type.Optional(NullableId('mth', 'of the coverage section; null: the one with the most outcomes')),
    onlyAffectedTargets: Type.Optional(Type.Boolean({ description: 'the inventory lists only hosts with findings' })),
    since: Type.Optional(NullableId('edn', 'the edition that `changes` compares with; null: the latest one')),
  },
  { description: 'what live sections are filled with' },
)

export const LiveOptions = closedObject({
  type: OneOf(LIVE_TYPES),
  options: Type.Optional(ReportOptions),
})

export const SectionKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  maxLength: 64,
  examples: ['management_summary'],
  description: 'unique in the report',
})

export const ReportSection = closedObject({
  id: Id('sec'),
  key: SectionKey,
  title: EmptyLine(300),
  kind: OneOf(['text', 'live']),
  body: Markdown(MAX_SECTION_BODY),
  live: Nullable({ type: OneOf(LIVE_TYPES), options: ReportOptions }, 'null in text sections'),
  hidden: Type.Boolean({ description: 'left out of every render' }),
  revision: Type.Integer({ minimum: 1, description: 'grows with each save that changes the text' }),
  position: Type.String({ maxLength: 400, description: 'order key: compare bytewise' }),
  updatedAt: Timestamp(),
})

const summaryFields = {
  id: Id('rpt'),
  engagementId: Id('eng'),
  title: ReportTitle,
  kind: OneOf(REPORT_KINDS),
  language: Language,
  templateId: Id('rtp'),
  templateVersion: Type.Integer({ minimum: 1 }),
  state: OneOf(REPORT_STATES),
  findingFilter: FindingFilter,
  options: ReportOptions,
  authors: Type.Array(PersonReference),
  approvedBy: Nullable(PersonReference.properties, 'who approved it; null unless approved'),
  latestEdition: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    description: 'number of the latest edition; null: not delivered yet',
  }),
  createdBy: Nullable(PersonReference.properties, 'null for a key'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
}

/** A report in lists, without its sections. */
export const ReportSummary = closedObject(summaryFields)
export const Report = closedObject({ ...summaryFields, sections: Type.Array(ReportSection) })

export type FindingFilterValue = Static<typeof FindingFilter>
export type ReportOptionsValue = Static<typeof ReportOptions>

const PERSON = { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' }

export const EXAMPLE_SECTION = {
  id: 'sec_01jd7w2v4pf1y8m3c6k9t0r5xz',
  key: 'management_summary',
  title: 'Management summary',
  kind: 'text',
  body: 'We tested {{engagement.name}} and found {{findings.total}} weaknesses.',
  live: null,
  hidden: false,
  revision: 1,
  position: 'a0',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

export const EXAMPLE_REPORT_SUMMARY = {
  id: 'rpt_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  title: 'Penetration test of the shop',
  kind: 'final',
  language: 'en',
  templateId: 'rtp_01jd7w2v4pf1y8m3c6k9t0r5xz',
  templateVersion: 1,
  state: 'draft',
  findingFilter: {},
  options: {},
  authors: [PERSON],
  approvedBy: null,
  latestEdition: null,
  createdBy: PERSON,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}
export const EXAMPLE_REPORT = { ...EXAMPLE_REPORT_SUMMARY, sections: [EXAMPLE_SECTION] }
