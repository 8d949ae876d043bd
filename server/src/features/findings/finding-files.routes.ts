import * as contract from '@sortie/contract/findings/findings.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { requireWritable } from '../engagements/locks.service.ts'
import { fileRoutesOf } from '../files/file-routes.ts'
import { type FileHolder, updateFile } from '../files/files.service.ts'
import { toFile } from '../files/show-file.ts'
import { lockWritableFinding, requireKept } from './finding-locks.service.ts'
import { findFinding } from './findings.queries.ts'

const ofFindings: FileHolder = {
  type: 'finding',
  find: async (db, organizationId, findingId) => {
    if (!(await findFinding(db, organizationId, findingId))) throw notFound()
  },
  requireWritable: async (db, organizationId, findingId) => {
    const finding = await findFinding(db, organizationId, findingId)
    if (!finding) throw notFound()
    requireKept(finding)
    requireWritable(await findEngagement(db, organizationId, finding.engagement_id))
  },
  hold: async (tx, actor, findingId) => ({
    engagementId: (await lockWritableFinding(tx, actor, findingId)).engagement_id,
  }),
  mayRedact: ({ scopes }) => scopes.has('reports:write'),
}

const ENDPOINTS = {
  upload: contract.uploadFindingFile,
  list: contract.listFindingFiles,
  download: contract.downloadFindingFile,
  remove: contract.deleteFindingFile,
}

export const findingFileRoutes: Route[] = [
  ...fileRoutesOf(ENDPOINTS, ofFindings, 'findingId'),

  route(contract.updateFindingFile, async (context) => {
    const { actor, params, body } = context
    return { data: toFile(await updateFile(context, actor, ofFindings, params.findingId, params.fileId, body)) }
  }),
]
