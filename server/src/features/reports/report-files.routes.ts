import * as contract from '@sortie/contract/reports/reports.ts'
import type { Route } from '../../platform/http/routes/route.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { requireWritable } from '../engagements/locks.service.ts'
import { fileRoutesOf } from '../files/file-routes.ts'
import type { FileHolder } from '../files/files.service.ts'
import { lockWritableReport, requireReport } from './report-locks.service.ts'

const ofReports: FileHolder = {
  type: 'report',
  find: requireReport,
  requireWritable: async (db, organizationId, reportId) => {
    const { engagement_id: engagementId } = await requireReport(db, organizationId, reportId)
    requireWritable(await findEngagement(db, organizationId, engagementId))
  },
  hold: async (tx, actor, reportId) => ({
    engagementId: (await lockWritableReport(tx, actor, reportId)).engagement_id,
  }),
  mayRedact: ({ scopes }) => scopes.has('reports:write'),
}

const ENDPOINTS = {
  upload: contract.uploadReportFile,
  list: contract.listReportFiles,
  download: contract.downloadReportFile,
  remove: contract.deleteReportFile,
}

export const reportFileRoutes: Route[] = fileRoutesOf(ENDPOINTS, ofReports, 'reportId')
