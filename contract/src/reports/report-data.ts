import Type, { type Static } from 'typebox'
import { closedObject, Id, Nullable, NullableDay, NullableString, OneOf } from '../core/endpoint.ts'
import { VERDICTS } from '../core/values.ts'
import { FINDING_SEVERITIES, FINDING_STATES, REMEDIATION_STATUSES, VERIFICATIONS } from '../findings/finding-fields.ts'

/**
 * Report-data, version 1: everything that a template or a writer sees of a report. Within version 1, fields are only
 * added. Text is data: no writer interprets it as code of its format.
 */
export const REPORT_DATA_VERSION = 1

export const REPORT_KINDS = ['final', 'interim', 'retest', 'attestation'] as const
export const REPORT_STATES = ['draft', 'in_review', 'approved'] as const
export const LIVE_TYPES = [
  'findings',
  'findings_table',
  'severity_summary',
  'scope',
  'testing_window',
  'coverage',
  'inventory',
  'team',
  'contacts',
  'tools',
  'operations',
  'retest',
  'changes',
  'glossary',
] as const
export const PAPERS = ['a4', 'letter'] as const
export const CLASSIFICATIONS = ['none', 'tlp-clear', 'tlp-green', 'tlp-amber', 'tlp-amber-strict', 'tlp-red'] as const
/** What a finding shows, in the default order. */
export const FINDING_PARTS = [
  'facts',
  'summary',
  'description',
  'affected',
  'impact',
  'reproduction',
  'evidence',
  'recommendation',
  'references',
  'retest',
] as const

export type LiveType = (typeof LIVE_TYPES)[number]
export type FindingPart = (typeof FINDING_PARTS)[number]

const Text = (description: string) => Type.String({ description })
const Color = Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, examples: ['#b3261e'] })

export const MARKS = ['bold', 'italic', 'strike', 'code'] as const

/** A piece of text within a paragraph, a heading or a cell. */
export const Inline = closedObject({
  type: OneOf(['text', 'link', 'reference', 'footnote', 'break', 'mark']),
  text: Type.Optional(Text('the characters; of a reference: its words, such as `Figure 3`')),
  marks: Type.Optional(Type.Array(OneOf(MARKS))),
  href: Type.Optional(Text('of a link: an http, https or mailto address')),
  target: Type.Optional(Text('of a reference: the `anchor` of a block, a section or a finding')),
  number: Type.Optional(Type.Integer({ minimum: 1, description: 'of a footnote' })),
  code: Type.Optional(Text('of a mark: the character that no font shows, such as `U+E000`')),
})
export type InlineValue = Static<typeof Inline>

const Inlines = Type.Array(Inline)

export interface BlockValue {
  type:
    | 'heading'
    | 'paragraph'
    | 'list'
    | 'table'
    | 'figure'
    | 'code'
    | 'exchange'
    | 'callout'
    | 'quote'
    | 'rule'
    | 'footnotes'
    | 'severity_chart'
    | 'findings'
  /** Unique in the report; references lead here. */
  anchor?: string
  /** Headings: 1 to 6, below the heading of the section or part that they are in. */
  level?: number
  content?: InlineValue[]
  /** Lists: the blocks of each item; footnotes: of each note; quotes and callouts have one item. */
  items?: BlockValue[][]
  ordered?: boolean
  start?: number
  /** Lists of tasks: one for each item; null for an item without a box. */
  checked?: (boolean | null)[]
  /** Tables, figures: counted through the report, from 1. */
  number?: number
  caption?: InlineValue[]
  columns?: { align: 'left' | 'center' | 'right'; title: InlineValue[] }[]
  rows?: InlineValue[][][]
  /** Figures: a key of `images`; null if the file is missing or no image. */
  image?: string | null
  /** Figures: alternative text. */
  alt?: string
  /** Code, exchanges. */
  language?: string
  text?: string
  /** Exchanges: name, request and response as text; secrets are masked already. */
  title?: string
  request?: string
  response?: string | null
  /** Callouts. */
  kind?: 'note' | 'tip' | 'important' | 'warning' | 'caution'
}

/** A block of a document. The writers of all formats read only these. */
export const Block = Type.Unsafe<BlockValue>({
  ...closedObject({
    type: OneOf([
      'heading',
      'paragraph',
      'list',
      'table',
      'figure',
      'code',
      'exchange',
      'callout',
      'quote',
      'rule',
      'footnotes',
      'severity_chart',
      'findings',
    ]),
    anchor: Type.Optional(Text('unique in the report; references lead here')),
    level: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
    content: Type.Optional(Inlines),
    items: Type.Optional(Type.Array(Type.Array(Type.Any()), { description: 'blocks of each item' })),
    ordered: Type.Optional(Type.Boolean()),
    start: Type.Optional(Type.Integer()),
    checked: Type.Optional(Type.Array(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }))),
    number: Type.Optional(Type.Integer({ minimum: 1 })),
    caption: Type.Optional(Inlines),
    columns: Type.Optional(
      Type.Array(closedObject({ align: OneOf(['left', 'center', 'right']), title: Type.Array(Inline) })),
    ),
    rows: Type.Optional(Type.Array(Type.Array(Type.Array(Inline)))),
    image: Type.Optional(NullableString('a key of `images`; null if the file is missing or no image')),
    alt: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    request: Type.Optional(Type.String()),
    response: Type.Optional(NullableString('null without a response')),
    kind: Type.Optional(OneOf(['note', 'tip', 'important', 'warning', 'caution'])),
  }),
})

const Blocks = Type.Array(Block)

const DataPerson = closedObject({
  name: Type.String(),
  role: Type.String(),
  email: Type.String(),
  phone: Type.String(),
})

const DataAsset = closedObject({
  id: Id('aff'),
  asset: Type.String(),
  verdict: OneOf(VERDICTS),
  status: OneOf(REMEDIATION_STATUSES),
  note: Type.String(),
})

export const DataFinding = closedObject({
  id: Id('fnd'),
  anchor: Type.String(),
  number: Type.Integer({ minimum: 1, description: 'in its engagement' }),
  key: Text('how the report calls it, such as `MF-F3`'),
  title: Type.String(),
  severity: OneOf(FINDING_SEVERITIES),
  severityReason: Type.String(),
  cvssVector: NullableString('null without a score'),
  cvssScore: Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 10 }),
  state: OneOf(FINDING_STATES),
  status: OneOf(REMEDIATION_STATUSES),
  verification: OneOf(VERIFICATIONS),
  clientStatus: Nullable(
    {
      state: Type.String(),
      until: NullableDay('last day'),
      untilText: Text('`until` as the language writes it; empty without a day'),
      reason: Type.String(),
    },
    'of the client',
  ),
  cwe: Type.Array(Type.String()),
  cve: Type.Array(Type.String()),
  owasp: Type.Array(Type.String()),
  wstg: Type.Array(Type.String()),
  attack: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  references: Type.Array(Type.String()),
  fields: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'custom fields by key, as text in the language of the report',
  }),
  summary: Blocks,
  description: Blocks,
  impact: Blocks,
  reproduction: Blocks,
  recommendation: Blocks,
  evidence: Type.Array(Block, { description: 'figures that no text of the finding embeds' }),
  affected: Type.Array(DataAsset),
  retest: Type.Array(
    closedObject({
      asset: Type.String(),
      before: OneOf(REMEDIATION_STATUSES),
      after: Type.String(),
      note: Type.String(),
      testedOn: NullableDay('day of the retest'),
      testedOnText: Text('`testedOn` as the language writes it; empty without a day'),
    }),
    { description: 'outcomes of the last retest' },
  ),
})

export const DataSection = closedObject({
  id: Id('sec'),
  anchor: Type.String(),
  key: Type.String(),
  title: Type.String(),
  number: Text('such as `2`; empty without a number'),
  kind: OneOf(['text', 'live']),
  live: Type.Unsafe<LiveType | null>({ type: ['string', 'null'], enum: [...LIVE_TYPES, null] }),
  blocks: Blocks,
})

/** What the settings of a template say, complete: see `TemplateSettings`. */
export const DataDesign = closedObject({
  paper: OneOf(PAPERS),
  accent: Color,
  logo: NullableString('a key of `images`'),
  fonts: closedObject({ body: Type.String(), heading: Type.String(), code: Type.String() }),
  header: Type.String(),
  footer: Type.String(),
  cover: closedObject({ title: Type.String(), subtitle: Type.String(), note: Type.String() }),
  classification: OneOf(CLASSIFICATIONS),
  classificationLabel: Type.String(),
  findingParts: Type.Array(OneOf(FINDING_PARTS)),
  groupBySeverity: Type.Boolean(),
  tableOfContents: Type.Boolean(),
})

export const ReportData = closedObject({
  version: Type.Literal(REPORT_DATA_VERSION),
  language: Text('BCP 47'),
  direction: OneOf(['ltr', 'rtl']),
  watermark: NullableString('the word across each page of a draft, in the language of the report; null for an edition'),
  report: closedObject({
    id: Id('rpt'),
    title: Type.String(),
    kind: OneOf(REPORT_KINDS),
    state: OneOf(REPORT_STATES),
    version: Text('number of the edition, or of the next one'),
    date: Text('day, YYYY-MM-DD'),
    dateText: Text('the day as the language writes it'),
    authors: Type.Array(Type.String()),
    approvedBy: NullableString('name'),
  }),
  organization: closedObject({ name: Type.String() }),
  client: closedObject({ name: Type.String(), shortName: Type.String(), domains: Type.Array(Type.String()) }),
  engagement: closedObject({
    id: Id('eng'),
    name: Type.String(),
    kinds: Type.Array(Type.String()),
    startsOn: NullableDay('first day'),
    endsOn: NullableDay('last day'),
    period: Text('both days as the language writes them'),
    fields: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  }),
  team: Type.Array(DataPerson),
  contacts: Type.Array(DataPerson),
  design: DataDesign,
  labels: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'every word that a writer adds, by key, in the language of the report: see `LABELS`; `field_<key>` is the name of a custom field of findings',
  }),
  severities: Type.Array(
    closedObject({
      key: OneOf(FINDING_SEVERITIES),
      name: Type.String(),
      color: Color,
      count: Type.Integer({ minimum: 0 }),
    }),
    { description: 'worst first' },
  ),
  findings: Type.Array(DataFinding, { description: 'in the order of the report' }),
  sections: Type.Array(DataSection, { description: 'without hidden ones' }),
  images: Type.Unsafe<Record<string, ImageValue>>({
    type: 'object',
    additionalProperties: closedObject({
      mediaType: OneOf(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']),
      width: Type.Integer({ minimum: 1, description: 'pixels' }),
      height: Type.Integer({ minimum: 1, description: 'pixels' }),
      sha256: Type.String(),
    }),
    description: 'by key; their bytes are separate',
  }),
})

export interface ImageValue {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif'
  width: number
  height: number
  sha256: string
}
export type ReportDataValue = Static<typeof ReportData>
export type DataFindingValue = Static<typeof DataFinding>
export type DataSectionValue = Static<typeof DataSection>
export type DesignValue = Static<typeof DataDesign>
