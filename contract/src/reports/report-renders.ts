import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  list,
  Nullable,
  NullableString,
  one,
  OneOf,
  Timestamp,
} from '../core/endpoint.ts'
import { AnyOf, declareList, OneId } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { EmptyLine, FINDING_SEVERITIES, OfFinding } from '../findings/finding-fields.ts'
import { EXAMPLE_DATA } from './report-data-example.ts'
import { ReportData } from './report-data.ts'
import { FORMATTED, OfReport, PreviewPictures } from './report-fields.ts'

export const RENDER_FORMATS = ['pdf', 'html', 'docx', 'markdown', 'json', 'sarif'] as const
export const RENDER_STATES = ['queued', 'running', 'succeeded', 'failed'] as const
/** Days for which the files of draft renders are kept. */
export const RENDER_DAYS = 7
export const MEDIA_TYPES = {
  pdf: 'application/pdf',
  html: 'text/html; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  markdown: 'application/zip',
  json: 'application/json; charset=utf-8',
  sarif: 'application/json; charset=utf-8',
} as const satisfies Record<(typeof RENDER_FORMATS)[number], string>

export type RenderFormat = (typeof RENDER_FORMATS)[number]
const Format = OneOf(RENDER_FORMATS)
const Size = Type.Integer({ minimum: 1, description: 'bytes' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const RenderProblem = closedObject({
  level: OneOf(['error', 'warning']),
  message: Type.String(),
  where: NullableString('the object, the file and line of a template, or the tag of a Word template'),
})

export const ReportRender = closedObject({
  id: Id('rnd'),
  reportId: NullableString('null for a single finding'),
  findingId: NullableString('of a single finding; null for a report'),
  format: Format,
  state: OneOf(RENDER_STATES),
  problems: Type.Array(RenderProblem),
  pages: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, description: 'of a PDF' }),
  size: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, description: 'bytes' }),
  sha256: NullableString('of the file; null without one'),
  durationMs: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }),
  createdBy: Nullable(PersonReference.properties, 'null for a key'),
  createdAt: Timestamp(),
})

const EXAMPLE_RENDER = {
  id: 'rnd_01jd7w2v4pf1y8m3c6k9t0r5xz',
  reportId: 'rpt_01jd7w2v4pf1y8m3c6k9t0r5xz',
  findingId: null,
  format: 'pdf',
  state: 'succeeded',
  problems: [],
  pages: 24,
  size: 412_118,
  sha256: HASH,
  durationMs: 900,
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
}

const RenderBody = closedObject({
  format: Format,
  wait: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 30, default: 0, description: 'seconds to wait for the file' }),
  ),
})

export const renderReport = endpoint({
  id: 'renderReport',
  method: 'POST',
  path: '/reports/:reportId/render',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Render a report as it is now, with the watermark of a draft.',
  description: `The answer is the render, finished or not; read it again until it has ended. Files of renders are kept for ${RENDER_DAYS} days.`,
  params: OfReport,
  body: RenderBody,
  responseTimeout: { seconds: 60 },
  reply: one(ReportRender),
  status: 201,
  cost: { perHour: 600, atOnce: 8 },
  example: { body: { format: 'pdf', wait: 30 }, reply: { data: EXAMPLE_RENDER } },
})

export const renderFinding = endpoint({
  id: 'renderFinding',
  method: 'POST',
  path: '/findings/:findingId/render',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Render one finding with the default template.',
  params: OfFinding,
  body: RenderBody,
  responseTimeout: { seconds: 60 },
  reply: one(ReportRender),
  status: 201,
  cost: { perHour: 600, atOnce: 8 },
  example: {
    body: { format: 'pdf', wait: 30 },
    reply: { data: { ...EXAMPLE_RENDER, reportId: null, findingId: 'fnd_01jd7w2v4pf1y8m3c6k9t0r5xz' } },
  },
})

export const renderList = declareList({
  name: 'report-renders',
  item: ReportRender,
  sorts: ['createdAt'],
  filters: { engagementId: OneId('eng'), reportId: OneId('rpt'), format: AnyOf(RENDER_FORMATS) },
})

/** The path names the report. */
const { reportId: _report, engagementId: _engagement, ...renderQuery } = renderList.query.properties

export const listReportRenders = endpoint({
  id: 'listReportRenders',
  method: 'GET',
  path: '/reports/:reportId/renders',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the renders of a report, latest first.',
  description: `Files that may show a picture that was redacted since are left out. Renders are kept for ${RENDER_DAYS} days.`,
  params: OfReport,
  query: closedObject(renderQuery),
  reply: renderList.reply,
  example: { reply: { data: [EXAMPLE_RENDER], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

const OfRender = closedObject({ renderId: Id('rnd') })
export const getReportRender = endpoint({
  id: 'getReportRender',
  method: 'GET',
  path: '/report-renders/:renderId',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read the state of a render.',
  params: OfRender,
  reply: one(ReportRender),
  example: { reply: { data: EXAMPLE_RENDER } },
})

export const downloadReportRender = endpoint({
  id: 'downloadReportRender',
  method: 'GET',
  path: '/report-renders/:renderId/file',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Download the file of a render; 404 until it has one.',
  params: OfRender,
  reply: Type.String(),
  produces: 'file',
  fileTypes: Object.values(MEDIA_TYPES),
})

export const deleteReportRender = endpoint({
  id: 'deleteReportRender',
  method: 'DELETE',
  path: '/report-renders/:renderId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a render with its file; one that is under way is cancelled.',
  params: OfRender,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('rnd') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_RENDER.id } } },
})

export const previewReport = endpoint({
  id: 'previewReport',
  method: 'GET',
  path: '/reports/:reportId/html',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read a report as one HTML document without scripts, with its images.',
  params: OfReport,
  query: closedObject({ pictures: Type.Optional(PreviewPictures) }),
  responseTimeout: FORMATTED,
  reply: Type.String(),
  produces: { type: MEDIA_TYPES.html, fileName: 'report.html', isPage: true },
  cost: { perHour: 10_000, atOnce: 4 },
})

export const getReportData = endpoint({
  id: 'getReportData',
  method: 'GET',
  path: '/reports/:reportId/data',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read report-data: what templates and writers see of a report.',
  params: OfReport,
  responseTimeout: FORMATTED,
  reply: one(ReportData),
  cost: { perHour: 2_000, atOnce: 4 },
  example: { reply: { data: EXAMPLE_DATA } },
})

export const ReportEdition = closedObject({
  id: Id('edn'),
  reportId: Id('rpt'),
  engagementId: Id('eng'),
  number: Type.Integer({ minimum: 1 }),
  note: EmptyLine(500),
  templateId: NullableString('null if the template was deleted'),
  templateVersion: Type.Integer({ minimum: 1 }),
  compilerVersion: Type.String(),
  signedBy: NullableString('the subject of the certificate that signed its PDF file; null: not signed'),
  encrypted: Type.Boolean({ description: 'whether a password opens its PDF file' }),
  approvedBy: Nullable(PersonReference.properties, 'who approved it'),
  createdBy: Nullable(PersonReference.properties, 'null for a key'),
  createdAt: Timestamp(),
  files: Type.Array(closedObject({ format: Format, size: Size, sha256: Sha256 })),
})

const EXAMPLE_EDITION = {
  id: 'edn_01jd7w2v4pf1y8m3c6k9t0r5xz',
  reportId: EXAMPLE_RENDER.reportId,
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  number: 1,
  note: '',
  templateId: 'rtp_01jd7w2v4pf1y8m3c6k9t0r5xz',
  templateVersion: 1,
  compilerVersion: 'typst 0.14.2',
  signedBy: null,
  encrypted: false,
  approvedBy: EXAMPLE_RENDER.createdBy,
  createdBy: EXAMPLE_RENDER.createdBy,
  createdAt: EXAMPLE_RENDER.createdAt,
  files: [{ format: 'pdf', size: 412_118, sha256: HASH }],
}

export const deliverReport = endpoint({
  id: 'deliverReport',
  method: 'POST',
  path: '/reports/:reportId/deliver',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create an edition: files that never change, with their hashes.',
  description:
    'The report must be approved, without errors that are neither fixed nor waived, and unchanged since. It answers when all files exist; if one fails, there is no edition. The report continues as a draft of the next edition. With `sign`, the certificate of the organization signs the PDF file; with `password`, AES-256 encrypts it, and it is not PDF/A. Both together are possible, and either without the format `pdf` is 422. The password is not stored: without it, no one opens the file.',
  params: OfReport,
  body: closedObject({
    formats: Type.Array(Format, { minItems: 1, maxItems: RENDER_FORMATS.length, uniqueItems: true }),
    note: Type.Optional(EmptyLine(500)),
    sign: Type.Optional(
      Type.Boolean({ default: false, description: 'signs the PDF file with the certificate of the organization' }),
    ),
    password: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 127,
        format: 'single-line',
        description: 'opens the PDF file; at most 127 bytes of UTF-8',
      }),
    ),
  }),
  externalEffect: { seconds: 180 },
  reply: one(ReportEdition),
  status: 201,
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    'This report is not approved.',
    'This report has errors that are neither fixed nor waived.',
    'What the report shows has changed since it was approved: review and approve it again.',
    'Another delivery of this report is under way.',
    'This organization has no certificate to sign with.',
    'The certificate is not valid now: upload another one in the settings of reports.',
    'The certificate can no longer be decrypted: upload it again in the settings of reports.',
    'A file could not be rendered: pdf: the template has an error.',
  ],
  example: { body: { formats: ['pdf', 'docx'] }, reply: { data: EXAMPLE_EDITION } },
})

export const listReportEditions = endpoint({
  id: 'listReportEditions',
  method: 'GET',
  path: '/reports/:reportId/editions',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the editions of a report, latest first.',
  params: OfReport,
  reply: list(ReportEdition),
  example: { reply: { data: [EXAMPLE_EDITION] } },
})

const OfEdition = closedObject({ editionId: Id('edn') })
export const getReportEdition = endpoint({
  id: 'getReportEdition',
  method: 'GET',
  path: '/editions/:editionId',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read one edition.',
  params: OfEdition,
  reply: one(ReportEdition),
  example: { reply: { data: EXAMPLE_EDITION } },
})

export const downloadReportEdition = endpoint({
  id: 'downloadReportEdition',
  method: 'GET',
  path: '/editions/:editionId/files/:format',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Download a file of an edition; every download is recorded in the audit log.',
  params: closedObject({ editionId: Id('edn'), format: Format }),
  reply: Type.String(),
  produces: 'file',
  fileTypes: Object.values(MEDIA_TYPES),
})

const ComparedFinding = closedObject({
  id: Id('fnd'),
  key: Line(60),
  title: Type.String(),
  severity: OneOf(FINDING_SEVERITIES),
})

export const compareReport = endpoint({
  id: 'compareReport',
  method: 'GET',
  path: '/reports/:reportId/compare',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Compare two editions of a report, or one with the draft.',
  params: OfReport,
  query: closedObject({
    from: Id('edn'),
    to: Type.String({ pattern: '^(?:draft|edn_[0-9a-z]{26})$', maxLength: 30, examples: ['draft'] }),
  }),
  responseTimeout: FORMATTED,
  reply: one(
    closedObject({
      findings: closedObject({
        new: Type.Array(ComparedFinding),
        changed: Type.Array(closedObject({ ...ComparedFinding.properties, fields: Type.Array(Type.String()) })),
        closed: Type.Array(ComparedFinding),
      }),
      sections: Type.Array(
        closedObject({
          key: Type.String(),
          title: Type.String(),
          change: OneOf(['added', 'removed', 'changed']),
          before: Type.String({ description: 'plain text' }),
          after: Type.String({ description: 'plain text' }),
        }),
      ),
    }),
  ),
  cost: { perHour: 2_000, atOnce: 4 },
  example: { reply: { data: { findings: { new: [], changed: [], closed: [] }, sections: [] } } },
})

export const verifyEdition = endpoint({
  id: 'verifyEdition',
  method: 'POST',
  path: '/editions/verify',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'Find the edition that a file is.',
  description:
    'The body is the file. The answer is `{"edition": null, "format": null}` for a file of no edition that the caller sees. Nothing is stored.',
  consumes: 'bytes',
  reply: one(
    closedObject({
      edition: Nullable(ReportEdition.properties, 'null: of no edition'),
      format: Type.Unsafe<RenderFormat | null>({ type: ['string', 'null'], enum: [...RENDER_FORMATS, null] }),
    }),
  ),
  cost: { perHour: 600, atOnce: 2 },
  example: { reply: { data: { edition: EXAMPLE_EDITION, format: 'pdf' } } },
})
