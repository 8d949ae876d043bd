import * as contract from '@sortie/contract/requests/request-transfer.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { listEnvironmentsById } from '../environments/environments.queries.ts'
import { toEnvironment } from '../environments/environments.service.ts'
import { listFoldersById } from '../folders/folders.queries.ts'
import { toFolder } from '../folders/folders.service.ts'
import { listSummariesById } from '../saved/requests.queries.ts'
import { requireRequest } from '../saved/requests.service.ts'
import { toRequestSummary } from '../saved/show-requests.ts'
import { toCurl } from './curl/export-curl.ts'
import { exportRequests } from './export.service.ts'
import { importApiRequests, type ReadImport } from './import.service.ts'
import { toPortableAlone } from './portable.ts'

export const transferRoutes = (read: ReadImport): Route[] => [
  route(contract.importApiRequests, async (context) => {
    const { actor, query, body } = context
    const { organizationId } = actor
    const data = await importApiRequests(
      context,
      read,
      actor,
      query,
      body,
      async (tx, { requestIds, folderIds, environmentIds, problems, unresolved }) => ({
        requests: (await listSummariesById(tx, organizationId, requestIds)).map(toRequestSummary),
        folders: (await listFoldersById(tx, organizationId, folderIds)).map(toFolder),
        environments: (await listEnvironmentsById(tx, organizationId, environmentIds)).map(toEnvironment),
        problems,
        unresolved,
      }),
    )
    return { data }
  }),

  route(contract.exportApiRequests, async ({ db, actor, query, clock }) =>
    exportRequests(
      { db, organizationId: actor.organizationId, engagementId: query.engagementId ?? null },
      query.format as 'har',
      clock,
    ),
  ),

  route(contract.getApiRequestCurl, async ({ db, actor, params }) => ({
    data: {
      curl: toCurl(
        await toPortableAlone(
          db,
          actor.organizationId,
          await requireRequest(db, actor.organizationId, params.requestId),
        ),
      ),
    },
  })),
]
