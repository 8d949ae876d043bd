import Type, { type Static } from 'typebox'
import { closedObject, endpoint, Id, Line, Nullable, NullableString, one, OneOf, Timestamp } from '../core/endpoint.ts'
import { Markdown } from '../core/endpoint.ts'
import { AnyId, AnyOf, declareList, Flag, PartOfText } from '../core/lists.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { EmptyLine } from '../findings/finding-fields.ts'
import { LANGUAGE_PATTERN } from '../findings/library-fields.ts'
import { CLASSIFICATIONS, FINDING_PARTS, PAPERS } from './report-data.ts'
import { LiveOptions, MAX_SECTION_BODY, MAX_SECTIONS, SectionKey } from './report-fields.ts'
import { Color, FileNamePattern, SeverityColors, SeverityNames } from './template-settings.ts'

export const TEMPLATE_STATES = ['draft', 'published'] as const
/** Typst functions that a template may replace, each in a file of its name. */
export const TYPST_FUNCTIONS = [
  'cover',
  'contents',
  'page-header',
  'page-footer',
  'section',
  'severity-chart',
  'findings-table',
  'finding',
  'exchange',
  'code-block',
  'callout',
  'data-table',
] as const
const FontName = Line(100, { examples: ['Inter'] })

/** What a template sets without code; what is left out has its default. */
export const TemplateSettings = Type.Partial(
  closedObject({
    paper: OneOf(PAPERS),
    accent: Color,
    fonts: closedObject({ body: FontName, heading: FontName, code: FontName }),
    header: EmptyLine(200, 'placeholders are replaced'),
    footer: EmptyLine(200, 'placeholders are replaced'),
    cover: closedObject({
      title: EmptyLine(300, 'empty: the title of the report; placeholders are replaced'),
      subtitle: EmptyLine(300, 'placeholders are replaced'),
      note: EmptyLine(1_000, 'placeholders are replaced'),
    }),
    classification: OneOf(CLASSIFICATIONS),
    severityNames: SeverityNames,
    severityColors: SeverityColors,
    labels: Type.Unsafe<Record<string, Record<string, string>>>({
      type: 'object',
      additionalProperties: false,
      maxProperties: 20,
      patternProperties: {
        [LANGUAGE_PATTERN]: {
          type: 'object',
          maxProperties: 300,
          additionalProperties: { type: 'string', maxLength: 200 },
        },
      },
      examples: [{ en: { recommendation: 'What to do' } }],
      description: 'words of the report by language and key',
    }),
    findingParts: Type.Array(OneOf(FINDING_PARTS), { maxItems: FINDING_PARTS.length, uniqueItems: true }),
    findingOrder: OneOf(['severity', 'report'], { description: '`report`: the order of the engagement' }),
    groupBySeverity: Type.Boolean(),
    tableOfContents: Type.Boolean(),
    fileNamePattern: FileNamePattern,
  }),
  { additionalProperties: false },
)

export const TemplateSection = closedObject({
  key: SectionKey,
  title: EmptyLine(300),
  body: Markdown(MAX_SECTION_BODY),
  live: Type.Union([LiveOptions, Type.Null()]),
  hidden: Type.Boolean(),
})

/** By language: sections differ in language, settings do not. */
export const TemplateSections = Type.Unsafe<Record<string, Static<typeof TemplateSection>[]>>({
  type: 'object',
  additionalProperties: false,
  maxProperties: 20,
  patternProperties: {
    [LANGUAGE_PATTERN]: { ...Type.Array(TemplateSection, { maxItems: MAX_SECTIONS }) },
  },
  examples: [{ en: [] }],
  description: 'by language, in their order',
})

const TypstSources = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: false,
  maxProperties: TYPST_FUNCTIONS.length,
  patternProperties: { [`^(?:${TYPST_FUNCTIONS.join('|')})\\.typ$`]: { type: 'string', maxLength: 100_000 } },
  examples: [{ 'cover.typ': '#let cover(data) = [= #data.report.title]' }],
  description: 'files with a function each, which replaces that of the built-in templates',
})

const TemplateName = Line(100, { examples: ['Penetration test'] })

const summaryFields = {
  id: Id('rtp'),
  name: TemplateName,
  description: EmptyLine(500),
  clientId: NullableString('only for reports of this client; null: of all'),
  languages: Type.Array(Type.String(), { description: 'of its sections' }),
  state: OneOf(TEMPLATE_STATES, { description: 'of its newest version' }),
  version: Type.Integer({ minimum: 1, description: 'the newest one' }),
  publishedVersion: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    description: 'the one that reports get; null: none yet',
  }),
  builtIn: Type.Boolean(),
  docx: Nullable(
    { fileName: Type.String(), size: Type.Integer({ minimum: 1 }), sha256: Type.String() },
    'its Word template; null: the built-in one',
  ),
  createdBy: Nullable(PersonReference.properties, 'null for a key, and for built-in ones'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
}

/** A template in lists. */
export const ReportTemplateSummary = closedObject(summaryFields)
export const ReportTemplate = closedObject({
  ...summaryFields,
  settings: TemplateSettings,
  sections: TemplateSections,
  typst: TypstSources,
  logo: Nullable({ fileName: Type.String(), size: Type.Integer({ minimum: 1 }), sha256: Type.String() }, 'null: none'),
  fonts: Type.Array(
    closedObject({ fileName: Type.String(), family: Type.String(), size: Type.Integer({ minimum: 1 }) }),
  ),
})

export type TemplateSettingsValue = Static<typeof TemplateSettings>
export type TemplateSectionValue = Static<typeof TemplateSection>

const EXAMPLE_SUMMARY = {
  id: 'rtp_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Penetration test',
  description: 'For tests of web applications.',
  clientId: null,
  languages: ['en'],
  state: 'draft',
  version: 1,
  publishedVersion: null,
  builtIn: false,
  docx: null,
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}
const EXAMPLE_TEMPLATE = {
  ...EXAMPLE_SUMMARY,
  settings: { paper: 'a4', accent: '#1f4fd8' },
  sections: { en: [{ key: 'scope', title: 'Scope', body: '', live: { type: 'scope' }, hidden: false }] },
  typst: {},
  logo: null,
  fonts: [],
}

const OfTemplate = closedObject({ templateId: Id('rtp') })
const BUILT_IN = 'This template is built in: copy it, and change the copy.'
const LIMITS = { bytes: 8_388_608, keys: 20_000 } as const

export const templateList = declareList({
  name: 'report-templates',
  item: ReportTemplateSummary,
  sorts: ['createdAt', 'updatedAt', 'name'],
  filters: {
    clientId: AnyId('cli', { orNone: true }),
    state: AnyOf(TEMPLATE_STATES),
    usable: Flag('only templates with a published version'),
    q: PartOfText('part of the name'),
  },
})

export const createReportTemplate = endpoint({
  id: 'createReportTemplate',
  method: 'POST',
  path: '/report-templates',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Create a template as a draft, with the sections of the built-in one.',
  body: closedObject({
    name: TemplateName,
    description: Type.Optional(EmptyLine(500)),
    clientId: Type.Optional(Type.Unsafe<string | null>({ ...Id('cli'), type: ['string', 'null'] })),
  }),
  reply: one(ReportTemplate),
  status: 201,
  conflicts: ['An organization has at most 200 report templates.'],
  example: { body: { name: EXAMPLE_TEMPLATE.name }, reply: { data: EXAMPLE_TEMPLATE } },
})

export const listReportTemplates = endpoint({
  id: 'listReportTemplates',
  method: 'GET',
  path: '/report-templates',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'List the templates of reports, built-in ones included.',
  query: templateList.query,
  reply: templateList.reply,
  example: { reply: { data: [EXAMPLE_SUMMARY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getReportTemplate = endpoint({
  id: 'getReportTemplate',
  method: 'GET',
  path: '/report-templates/:templateId',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read the newest version of a template, or another one.',
  params: OfTemplate,
  query: closedObject({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
  reply: one(ReportTemplate),
  example: { reply: { data: EXAMPLE_TEMPLATE } },
})

export const updateReportTemplate = endpoint({
  id: 'updateReportTemplate',
  method: 'PATCH',
  path: '/report-templates/:templateId',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Change a template; changing a published one starts its next version.',
  params: OfTemplate,
  body: Type.Partial(
    closedObject({
      name: TemplateName,
      description: EmptyLine(500),
      clientId: Type.Unsafe<string | null>({ ...Id('cli'), type: ['string', 'null'] }),
      settings: TemplateSettings,
      sections: TemplateSections,
      typst: TypstSources,
      ifUpdatedAt: Timestamp('the `updatedAt` that the change is based on'),
    }),
    { additionalProperties: false },
  ),
  bodyLimits: LIMITS,
  reply: one(ReportTemplate),
  conflicts: [BUILT_IN, 'This template was changed in the meantime. Read it again, then repeat the change.'],
  example: { body: { settings: { paper: 'letter' } }, reply: { data: EXAMPLE_TEMPLATE } },
})

export const deleteReportTemplate = endpoint({
  id: 'deleteReportTemplate',
  method: 'DELETE',
  path: '/report-templates/:templateId',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Delete a template that no report uses.',
  params: OfTemplate,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('rtp') })),
  conflicts: [BUILT_IN, 'A report uses this template: move it to another one first.'],
  example: { reply: { data: { deleted: true, id: EXAMPLE_TEMPLATE.id } } },
})

export const copyReportTemplate = endpoint({
  id: 'copyReportTemplate',
  method: 'POST',
  path: '/report-templates/:templateId/copy',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Copy a template, built-in ones included, as a draft.',
  params: OfTemplate,
  body: closedObject({ name: Type.Optional(TemplateName) }),
  bodyIsOptional: true,
  reply: one(ReportTemplate),
  status: 201,
  conflicts: ['An organization has at most 200 report templates.'],
  example: { body: { name: EXAMPLE_TEMPLATE.name }, reply: { data: EXAMPLE_TEMPLATE } },
})

const TemplateProblem = closedObject({
  level: OneOf(['error', 'warning']),
  message: Type.String(),
  file: NullableString('of Typst sources'),
  line: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 }),
  text: NullableString('the line itself'),
  tag: NullableString('of a Word template'),
  context: NullableString('the words around the tag'),
  paragraph: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, description: 'from 1' }),
  fits: NullableString('what would fit instead'),
})

export const CheckOutcome = closedObject({
  problems: Type.Array(TemplateProblem),
  unusedFields: Type.Array(Type.String(), { description: 'fields of report-data that the template never uses' }),
})

export const checkReportTemplate = endpoint({
  id: 'checkReportTemplate',
  method: 'POST',
  path: '/report-templates/:templateId/check',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Render a template with difficult data, and list all of its problems.',
  params: OfTemplate,
  body: closedObject({ engagementId: Type.Optional(Id('eng', 'its data are used as well')) }),
  bodyIsOptional: true,
  responseTimeout: { seconds: 120 },
  reply: one(CheckOutcome),
  cost: { perHour: 120, atOnce: 2 },
  example: { body: {}, reply: { data: { problems: [], unusedFields: [] } } },
})

export const publishReportTemplate = endpoint({
  id: 'publishReportTemplate',
  method: 'POST',
  path: '/report-templates/:templateId/publish',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Publish the draft of a template, if its check finds no error.',
  params: OfTemplate,
  externalEffect: { seconds: 120 },
  reply: one(ReportTemplate),
  conflicts: [
    BUILT_IN,
    'This version is published already.',
    'The check of this template found 1 error: cover.typ, line 3.',
  ],
  cost: { perHour: 120, atOnce: 2 },
  example: { reply: { data: { ...EXAMPLE_TEMPLATE, state: 'published', publishedVersion: 1 } } },
})

const FileName = closedObject({ fileName: Line(255, { examples: ['report.docx'] }) })

const templateFile = <const I extends string>(id: I, part: string, summary: string, refusals: readonly string[]) =>
  endpoint({
    id,
    method: 'POST',
    path: `/report-templates/:templateId/${part}`,
    scope: 'role:admin',
    about: 'organization',
    origin: 'extension',
    doors: ['web'],
    summary,
    params: OfTemplate,
    query: FileName,
    consumes: 'bytes',
    reply: one(ReportTemplate),
    status: 201,
    conflicts: [BUILT_IN],
    refusals,
    cost: { perHour: 300, atOnce: 4 },
    example: { reply: { data: EXAMPLE_TEMPLATE } },
  })

export const uploadTemplateDocx = templateFile('uploadTemplateDocx', 'docx', 'Set the Word template of a template.', [
  'This file has macros: save it as .docx without them.',
  'This file refers to other files or addresses: remove the links to external data.',
  'This file contains embedded objects (OLE, ActiveX): insert them as pictures.',
  'This file contains another document (altChunk): insert its text instead.',
  'This file has the field DDEAUTO, which can run programs or read other files: remove it.',
  'This file unpacks to more than 200 MB, or has more than 2,000 parts.',
  'This is not a Word document (.docx).',
])
export const uploadTemplateLogo = templateFile('uploadTemplateLogo', 'logo', 'Set the logo of a template.', [
  'This is not a PNG, JPEG, GIF, WebP or AVIF image.',
])
export const uploadTemplateFont = templateFile('uploadTemplateFont', 'fonts', 'Add a font to a template.', [
  'This is not a TTF or OTF font. WOFF fonts cannot be used in PDF files: upload the TTF or OTF.',
])
