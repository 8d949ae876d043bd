import * as contract from '@sortie/contract/requests/request-folders.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { deleteRequestFolder, restoreRequestFolder } from '../trash/trash.service.ts'
import { findFolder, folderList } from './folders.queries.ts'
import { createRequestFolder, toFolder, updateRequestFolder } from './folders.service.ts'

export const folderRoutes: Route[] = [
  route(contract.createRequestFolder, async (context) => ({
    data: toFolder(await createRequestFolder(context, context.actor, context.body)),
  })),

  route(contract.listRequestFolders, async (context) => {
    const { rows, meta } = await folderList.page(context, context.query)
    return { data: rows.map(toFolder), meta }
  }),

  route(contract.getRequestFolder, async ({ db, actor, params }) => {
    const folder = await findFolder(db, actor.organizationId, params.folderId)
    if (!folder) throw notFound()
    return { data: toFolder(folder) }
  }),

  route(contract.updateRequestFolder, async (context) => ({
    data: toFolder(await updateRequestFolder(context, context.actor, context.params.folderId, context.body)),
  })),

  route(contract.deleteRequestFolder, async (context) => {
    await deleteRequestFolder(context, context.actor, context.params.folderId)
    return { data: { deleted: true, id: context.params.folderId } }
  }),

  route(contract.restoreRequestFolder, async (context) => ({
    data: toFolder(await restoreRequestFolder(context, context.actor, context.params.folderId)),
  })),
]
