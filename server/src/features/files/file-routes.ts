import * as contract from '@sortie/contract/core/files.ts'
import { badRequest } from '../../platform/errors.ts'
import { isPicture } from '../../platform/files/media-type.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { fileList } from './files.queries.ts'
import { deleteFile, type FileHolder, openStoredFile, uploadFile } from './files.service.ts'
import { redactFile, shownFile } from './redaction/redact-file.service.ts'
import { toFile } from './show-file.ts'

/**
 * The result of `fileEndpointsOf`; apart from the names of the endpoints and of the parameter, all are like those of
 * engagements.
 */
type FileEndpoints = Record<'upload' | 'list' | 'download' | 'remove', unknown>
export const OF_ENGAGEMENTS = {
  upload: contract.uploadFile,
  list: contract.listFiles,
  download: contract.downloadFile,
  remove: contract.deleteFile,
}

/**
 * The routes for the files of one type of object.
 *
 * @param parameter path parameter with the object's id: `taskId`
 */
export const fileRoutesOf = (endpoints: FileEndpoints, holder: FileHolder, parameter: string): Route[] => {
  const { upload, list, download, remove } = endpoints as typeof OF_ENGAGEMENTS
  const { type } = holder
  const ownerIn = (params: object): string => (params as Readonly<Record<string, string>>)[parameter] as string
  return [
    route(upload, async (context) => {
      const { actor, params, query, body } = context
      const fileName = query.fileName?.trim()
      if (!fileName) throw badRequest('fileName: must not be empty')
      const { redacts } = query as { redacts?: string }
      const row =
        redacts === undefined
          ? await uploadFile(context, actor, holder, ownerIn(params), fileName, body)
          : await redactFile(context, actor, holder, ownerIn(params), { fileName, redacts }, body)
      return { data: toFile(row) }
    }),

    route(list, async (context) => {
      const { db, actor, params, query } = context
      const owner = { type, id: ownerIn(params) }
      await holder.find(db, actor.organizationId, owner.id)
      const hidesSealed = holder.mayRedact?.(actor) === false
      const { rows, meta } = await fileList.page(context, { ...query, owner, ...(hidesSealed && { hidesSealed }) })
      return { data: rows.map(toFile), meta }
    }),

    route(download, async (context) => {
      const { db, actor, params, query } = context
      const owner = { type, id: ownerIn(params) }
      await holder.find(db, actor.organizationId, owner.id)
      const { original } = query as { original?: boolean }
      const shownId = await shownFile(db, actor, holder, params.fileId, original === true)
      const { row, file } = await openStoredFile(context, actor.organizationId, owner, shownId)
      return {
        file,
        size: row.size,
        fileName: row.file_name,
        mediaType: row.media_type,
        isInline: isPicture(row.media_type),
      }
    }),

    route(remove, async (context) => {
      const { actor, params } = context
      await deleteFile(context, actor, holder, ownerIn(params), params.fileId)
      return { data: { deleted: true, id: params.fileId } }
    }),
  ]
}
