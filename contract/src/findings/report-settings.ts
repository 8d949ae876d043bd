import Type from 'typebox'
import { closedObject, endpoint, Id, Line, one } from '../core/endpoint.ts'
import { FileNamePattern, SeverityColors, SeverityNames } from '../reports/template-settings.ts'
import { LANGUAGE_PATTERN } from './library-fields.ts'

export const ReportSettings = closedObject({
  fourEyes: Type.Boolean({ description: 'a finding is approved by someone who wrote none of its text' }),
  language: Type.String({
    pattern: LANGUAGE_PATTERN,
    maxLength: 35,
    examples: ['en'],
    description: 'of texts for clients without a language (BCP 47)',
  }),
  defaultTemplateId: Type.Unsafe<string | null>({
    ...Id('rtp'),
    type: ['string', 'null'],
    description: 'of reports that name no template; null: the built-in one for the kind of the report',
  }),
  severityNames: SeverityNames,
  severityColors: SeverityColors,
  fileNamePattern: FileNamePattern,
  words: Type.Array(Line(100), {
    maxItems: 5_000,
    uniqueItems: true,
    examples: [['Contoso']],
    description: 'that the spelling check of reports accepts; an engagement has further ones (`reportWords`)',
  }),
})

const EXAMPLE = {
  fourEyes: true,
  language: 'en',
  defaultTemplateId: null,
  severityNames: {},
  severityColors: { critical: '#8c1d18' },
  fileNamePattern: '{client} {title} {version}',
  words: ['Contoso'],
}

export const getReportSettings = endpoint({
  id: 'getReportSettings',
  method: 'GET',
  path: '/report-settings',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read the rules for findings and reports.',
  reply: one(ReportSettings),
  example: { reply: { data: EXAMPLE } },
})

export const updateReportSettings = endpoint({
  id: 'updateReportSettings',
  method: 'PATCH',
  path: '/report-settings',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Change the rules for findings and reports.',
  description: 'A default template is published, and not of one client: else 422.',
  body: Type.Partial(ReportSettings, { additionalProperties: false }),
  bodyLimits: { keys: 10_000 },
  reply: one(ReportSettings),
  example: { body: { fourEyes: true }, reply: { data: EXAMPLE } },
})
