import Type from 'typebox'
import { closedObject, endpoint, Id, Line, list, Markdown, Nullable, one, OneOf, Timestamp } from '../core/endpoint.ts'
import { redactableFileEndpointsOf } from '../core/files.ts'
import { AnyId, AnyOf, declareList, OneId, PartOfText } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { EmptyLine } from '../findings/finding-fields.ts'
import { Language } from '../findings/library-fields.ts'
import { REPORT_KINDS, REPORT_STATES } from './report-data.ts'
import {
  DELIVERED,
  EXAMPLE_REPORT,
  EXAMPLE_REPORT_SUMMARY,
  EXAMPLE_SECTION,
  FindingFilter,
  FORMATTED,
  IN_TURN,
  LiveOptions,
  MAX_SECTION_BODY,
  MAX_SECTIONS,
  OfReport,
  OfSection,
  Report,
  ReportOptions,
  ReportSection,
  ReportSummary,
  ReportTitle,
  SECTION_LIMITS,
  SectionKey,
  STALE,
} from './report-fields.ts'

export const CHECK_CODES = [
  'required_field_empty',
  'unknown_placeholder',
  'empty_placeholder',
  'todo_mark',
  'missing_file',
  'figure_without_caption',
  'finding_not_approved',
  'finding_without_evidence',
  'finding_without_assets',
  'severity_differs_from_score',
  'asset_out_of_scope',
  'other_client',
  'secret_in_text',
  'missing_translation',
  'retest_incomplete',
  'broken_reference',
  'machine_unverified',
  'spelling',
] as const
/** Codes whose problems do not block delivery. */
export const WARNING_CODES = [
  'figure_without_caption',
  'finding_without_evidence',
  'finding_without_assets',
  'missing_translation',
  'asset_out_of_scope',
  'spelling',
  'empty_placeholder',
] as const satisfies readonly (typeof CHECK_CODES)[number][]

const REVIEW = [
  'state: a report goes from draft to in_review to approved, one step at a time, and back one step or to draft.',
  'With four-eyes review, an API key cannot approve a report.',
  'With four-eyes review, a report must be approved by someone who wrote none of its text.',
]
const UNUSABLE = 'This template is not published, or belongs to another client.'

export const createReport = endpoint({
  id: 'createReport',
  method: 'POST',
  path: '/reports',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create a report with the sections of its template.',
  description: `Without \`templateId\`, the template is the default of the organization, else the built-in one for the kind. Without \`language\`, it is the client’s, the organization’s, or English. ${UNUSABLE} is 422.`,
  body: closedObject({
    engagementId: Id('eng'),
    title: ReportTitle,
    kind: Type.Optional(OneOf(REPORT_KINDS, { default: 'final' })),
    templateId: Type.Optional(Id('rtp')),
    language: Type.Optional(Language),
  }),
  reply: one(Report),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, 'An engagement has at most 200 reports.'],
  example: {
    body: { engagementId: EXAMPLE_REPORT.engagementId, title: EXAMPLE_REPORT.title },
    reply: { data: EXAMPLE_REPORT },
  },
})

export const reportList = declareList({
  name: 'reports',
  item: ReportSummary,
  sorts: ['createdAt', 'updatedAt'],
  filters: {
    engagementId: OneId('eng'),
    clientId: AnyId('cli', { description: 'the client of the engagement' }),
    state: AnyOf(REPORT_STATES),
    kind: AnyOf(REPORT_KINDS),
    q: PartOfText('part of the title'),
  },
})

export const listReports = endpoint({
  id: 'listReports',
  method: 'GET',
  path: '/reports',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List reports without their sections, of one engagement or of all.',
  query: reportList.query,
  reply: reportList.reply,
  example: { reply: { data: [EXAMPLE_REPORT_SUMMARY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getReport = endpoint({
  id: 'getReport',
  method: 'GET',
  path: '/reports/:reportId',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read one report with its sections.',
  params: OfReport,
  reply: one(Report),
  example: { reply: { data: EXAMPLE_REPORT } },
})

export const updateReport = endpoint({
  id: 'updateReport',
  method: 'PATCH',
  path: '/reports/:reportId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change a report, or its state.',
  description:
    'Changing anything but the state of an approved report returns it to review (`meta.returnedToReview`). `templateId` moves the report to the published version of a template; its sections stay.',
  params: OfReport,
  body: closedObject({
    title: Type.Optional(ReportTitle),
    kind: Type.Optional(OneOf(REPORT_KINDS)),
    language: Type.Optional(Language),
    templateId: Type.Optional(Id('rtp', 'a template that is published, of this client or of all')),
    state: Type.Optional(OneOf(REPORT_STATES)),
    findingFilter: Type.Optional(FindingFilter),
    options: Type.Optional(ReportOptions),
    authorIds: Type.Optional(Type.Array(Id('usr'), { maxItems: 50, uniqueItems: true })),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  responseTimeout: IN_TURN,
  reply: closedObject({
    data: Report,
    meta: closedObject({
      returnedToReview: Type.Boolean({ description: 'whether the report was approved, and needs a new review' }),
    }),
  }),
  conflicts: [ENGAGEMENT_ARCHIVED, STALE, ...REVIEW],
  example: {
    body: { state: 'in_review' },
    reply: { data: { ...EXAMPLE_REPORT, state: 'in_review' }, meta: { returnedToReview: false } },
  },
})

export const deleteReport = endpoint({
  id: 'deleteReport',
  method: 'DELETE',
  path: '/reports/:reportId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a report that was never delivered, with its renders and comments.',
  params: OfReport,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('rpt') })),
  conflicts: [ENGAGEMENT_ARCHIVED, DELIVERED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_REPORT.id } } },
})

export const createReportSection = endpoint({
  id: 'createReportSection',
  method: 'POST',
  path: '/reports/:reportId/sections',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Add a section at the end of a report.',
  description: 'With `live` the section is filled from the engagement; otherwise it is Markdown.',
  params: OfReport,
  body: closedObject({
    key: Type.Optional(SectionKey),
    title: EmptyLine(300),
    body: Type.Optional(Markdown(MAX_SECTION_BODY)),
    live: Type.Optional(LiveOptions),
  }),
  bodyLimits: SECTION_LIMITS,
  responseTimeout: IN_TURN,
  reply: one(ReportSection),
  status: 201,
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    `A report has at most ${MAX_SECTIONS} sections.`,
    'Another section of this report has this key.',
  ],
  example: { body: { title: 'Scope', live: { type: 'scope' } }, reply: { data: EXAMPLE_SECTION } },
})

export const updateReportSection = endpoint({
  id: 'updateReportSection',
  method: 'PATCH',
  path: '/reports/:reportId/sections/:sectionId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change a section of a report.',
  description:
    '`body` needs `baseRevision`, the `revision` that it was changed from. Edits of other lines are merged (`meta.merged`); overlapping edits are 409, and nothing is changed.',
  params: OfSection,
  body: closedObject({
    key: Type.Optional(SectionKey),
    title: Type.Optional(EmptyLine(300)),
    body: Type.Optional(Markdown(MAX_SECTION_BODY)),
    live: Type.Optional(LiveOptions),
    hidden: Type.Optional(Type.Boolean()),
    baseRevision: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'the revision that the text is based on' }),
    ),
  }),
  bodyLimits: SECTION_LIMITS,
  responseTimeout: IN_TURN,
  reply: closedObject({
    data: ReportSection,
    meta: closedObject({
      merged: Type.Boolean({ description: 'whether the text also has what others saved since `baseRevision`' }),
      returnedToReview: Type.Boolean({ description: 'whether the report was approved, and needs a new review' }),
    }),
  }),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    'Another edit changed the same lines in the meantime. Nothing was saved: read the report again and decide.',
    'The text is based on a revision that is too old to be merged. Read the report again.',
    `With the other edits the text would have more than ${MAX_SECTION_BODY} characters: read the report again and shorten it.`,
    'Another section of this report has this key.',
  ],
  example: {
    body: { body: EXAMPLE_SECTION.body, baseRevision: 1 },
    reply: { data: { ...EXAMPLE_SECTION, revision: 2 }, meta: { merged: false, returnedToReview: false } },
  },
})

export const deleteReportSection = endpoint({
  id: 'deleteReportSection',
  method: 'DELETE',
  path: '/reports/:reportId/sections/:sectionId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a section of a report with its text.',
  params: OfSection,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('sec') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_SECTION.id } } },
})

export const moveReportSection = endpoint({
  id: 'moveReportSection',
  method: 'POST',
  path: '/reports/:reportId/sections/:sectionId/move',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Move a section directly before or after another of its report.',
  params: OfSection,
  body: closedObject({
    beforeId: Type.Optional(Id('sec', 'of another section of the same report')),
    afterId: Type.Optional(Id('sec', 'of another section of the same report')),
  }),
  reply: one(ReportSection),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { body: { afterId: 'sec_01jd7w2v4pf1y8m3c6k9t0r5xa' }, reply: { data: EXAMPLE_SECTION } },
})

/** Characters of a quote. */
export const MAX_QUOTE = 500

const CheckPlace = closedObject({
  type: OneOf(['section', 'finding', 'report']),
  id: Type.String({
    pattern: '^(?:sec|fnd|rpt)_[0-9a-z]{26}$',
    maxLength: 30,
    examples: [EXAMPLE_SECTION.id],
    description: 'of the section, finding or report',
  }),
  section: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 100,
    description: 'the text of a finding; else null',
  }),
  quote: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: MAX_QUOTE,
    description: 'the words; the first four characters of a secret',
  }),
})

export const ReportProblem = closedObject({
  code: OneOf(CHECK_CODES),
  level: OneOf(['error', 'warning'], { description: 'errors block delivery until they are fixed or waived' }),
  message: Type.String(),
  where: CheckPlace,
  waived: Nullable(
    { by: Nullable(PersonReference.properties, 'null for a key'), at: Timestamp(), reason: Type.String() },
    'null: not waived',
  ),
})

const EXAMPLE_PROBLEM = {
  code: 'todo_mark',
  level: 'error',
  message: 'The text has a mark of unfinished work.',
  where: { type: 'section', id: EXAMPLE_SECTION.id, section: null, quote: 'TODO' },
  waived: null,
}

export const checkReport = endpoint({
  id: 'checkReport',
  method: 'GET',
  path: '/reports/:reportId/checks',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the problems of a report, errors first.',
  params: OfReport,
  responseTimeout: FORMATTED,
  reply: list(ReportProblem),
  cost: { perHour: 2_000, atOnce: 4 },
  example: { reply: { data: [EXAMPLE_PROBLEM] } },
})

export const waiveReportProblem = endpoint({
  id: 'waiveReportProblem',
  method: 'POST',
  path: '/reports/:reportId/checks/waive',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Accept a problem of a report with a reason.',
  description:
    'The waiver holds for this code, object, section and quote; another quote is a new problem. `other_client` and `secret_in_text` are waived by the lead, the owner or an admin.',
  params: OfReport,
  body: closedObject({ code: OneOf(CHECK_CODES), where: CheckPlace, reason: Line(500) }),
  responseTimeout: FORMATTED,
  reply: one(closedObject({ waived: Type.Literal(true) })),
  conflicts: [ENGAGEMENT_ARCHIVED, 'The report has no such problem.'],
  example: {
    body: { code: 'todo_mark', where: EXAMPLE_PROBLEM.where, reason: 'TODO is the name of the app.' },
    reply: { data: { waived: true } },
  },
})

const ofReports = redactableFileEndpointsOf({
  noun: 'Report',
  name: 'a report',
  path: '/reports/:reportId',
  params: { reportId: Id('rpt') },
  read: 'reports:read',
  write: 'reports:write',
  about: 'engagement',
})

export const uploadReportFile = ofReports.upload
export const listReportFiles = ofReports.list
export const downloadReportFile = ofReports.download
export const deleteReportFile = ofReports.remove
