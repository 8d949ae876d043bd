import Type from 'typebox'
import { closedObject, endpoint, one } from '../core/endpoint.ts'
import { EXAMPLE_DATA } from './report-data-example.ts'
import { ReportData } from './report-data.ts'
import { FORMATTED, OfReport, PreviewPictures } from './report-fields.ts'
import { MEDIA_TYPES } from './report-renders.ts'

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
