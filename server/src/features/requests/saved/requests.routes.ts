import * as contract from '@sortie/contract/requests/api-requests.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { requireWritable } from '../../engagements/locks.service.ts'
import { fileRoutesOf } from '../../files/file-routes.ts'
import type { FileHolder } from '../../files/files.service.ts'
import type { CheckRules } from '../sending/evaluate/evaluator.ts'
import { deleteApiRequest, restoreApiRequest } from '../trash/trash.service.ts'
import { requestList } from './requests.queries.ts'
import {
  copyApiRequest,
  createApiRequest,
  lockVisibleRequest,
  moveApiRequest,
  requireRequest,
  updateApiRequest,
} from './requests.service.ts'
import { toRequest, toRequestSummary } from './show-requests.ts'

const ofRequests: FileHolder = {
  type: 'request',
  find: requireRequest,
  requireWritable: async (db, organizationId, id) => {
    const { engagement_id: engagementId } = await requireRequest(db, organizationId, id)
    if (engagementId !== null) requireWritable(await findEngagement(db, organizationId, engagementId))
  },
  hold: async (tx, actor, id) => ({ engagementId: (await lockVisibleRequest(tx, actor, id)).engagement_id }),
}

/** @param checkRules compiles captures and assertions of users */
export const requestRoutes = (checkRules: CheckRules): Route[] => [
  route(contract.createApiRequest, async (context) => {
    const { actor, body } = context
    await checkRules(actor.organizationId, body)
    return { data: toRequest(await createApiRequest(context, actor, body)) }
  }),

  route(contract.listApiRequests, async (context) => {
    const { rows, meta } = await requestList.page(context, context.query)
    return { data: rows.map(toRequestSummary), meta }
  }),

  route(contract.getApiRequest, async ({ db, actor, params }) => ({
    data: toRequest(await requireRequest(db, actor.organizationId, params.requestId)),
  })),

  route(contract.updateApiRequest, async (context) => {
    const { actor, params, body } = context
    await requireRequest(context.db, actor.organizationId, params.requestId)
    await checkRules(actor.organizationId, body)
    return { data: toRequest(await updateApiRequest(context, actor, params.requestId, body)) }
  }),

  route(contract.deleteApiRequest, async (context) => {
    await deleteApiRequest(context, context.actor, context.params.requestId)
    return { data: { deleted: true, id: context.params.requestId } }
  }),

  route(contract.restoreApiRequest, async (context) => ({
    data: toRequest(await restoreApiRequest(context, context.actor, context.params.requestId)),
  })),

  route(contract.moveApiRequest, async (context) => ({
    data: toRequest(await moveApiRequest(context, context.actor, context.params.requestId, context.body)),
  })),

  route(contract.copyApiRequest, async (context) => ({
    data: toRequest(await copyApiRequest(context, context.actor, context.params.requestId, context.body)),
  })),

  ...fileRoutesOf(
    {
      upload: contract.uploadApiRequestFile,
      list: contract.listApiRequestFiles,
      download: contract.downloadApiRequestFile,
      remove: contract.deleteApiRequestFile,
    },
    ofRequests,
    'requestId',
  ),
]
