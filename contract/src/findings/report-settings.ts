import Type from 'typebox'
import { closedObject, endpoint, one } from '../core/endpoint.ts'
import { LANGUAGE_PATTERN } from './library-fields.ts'

export const ReportSettings = closedObject({
  fourEyes: Type.Boolean({ description: 'a finding is approved by someone who wrote none of its text' }),
  language: Type.String({
    pattern: LANGUAGE_PATTERN,
    maxLength: 35,
    examples: ['en'],
    description: 'of texts for clients without a language (BCP 47)',
  }),
})

export const getReportSettings = endpoint({
  id: 'getReportSettings',
  method: 'GET',
  path: '/report-settings',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read the rules for findings and reports.',
  reply: one(ReportSettings),
  example: { reply: { data: { fourEyes: true, language: 'en' } } },
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
  body: Type.Partial(ReportSettings, { additionalProperties: false }),
  reply: one(ReportSettings),
  example: { body: { fourEyes: true }, reply: { data: { fourEyes: true, language: 'en' } } },
})
