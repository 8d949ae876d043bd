import { MAX_TOTAL } from '@sortie/contract/endpoint.ts'
import * as contract from '@sortie/contract/files.ts'
import type { Static } from 'typebox'
import { badRequest, notFound } from '../../platform/errors.ts'
import { isPicture } from '../../platform/files/media-type.ts'
import { type Route, route } from '../../platform/http/context.ts'
import { readPage } from '../../platform/http/pages.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { countFiles, type FileRow, listFiles } from './files.queries.ts'
import { deleteFile, openStoredFile, uploadFile } from './files.service.ts'

export const fileRoutes: Route[] = [
  route(contract.uploadFile, async (context) => {
    const { actor, params, query, body } = context
    const fileName = query.fileName?.trim()
    if (!fileName) throw badRequest('fileName: must not be empty')
    return { data: toFile(await uploadFile(context, actor, params.engagementId, fileName, body)) }
  }),

  route(contract.listFiles, async ({ db, actor, params, query }) => {
    const { engagementId } = params
    const [{ rows, meta }, count] = await Promise.all([
      readPage(
        query,
        'fil',
        (before, limit) => listFiles(db, actor.organizationId, engagementId, before, limit),
        ({ id }) => id,
      ),
      countFiles(db, actor.organizationId, engagementId, MAX_TOTAL + 1),
    ])
    if (!(await findEngagement(db, actor.organizationId, engagementId))) throw notFound()
    return { data: rows.map(toFile), meta: { ...meta, total: count > MAX_TOTAL ? null : count } }
  }),

  route(contract.downloadFile, async (context) => {
    const { actor, params } = context
    const { row, file } = await openStoredFile(context, actor.organizationId, params.engagementId, params.fileId)
    return { file, size: row.size, fileName: row.file_name, mediaType: row.media_type, isInline: isPicture(row.media_type) }
  }),

  route(contract.deleteFile, async (context) => {
    const { actor, params } = context
    await deleteFile(context, actor, params.engagementId, params.fileId)
    return { data: { deleted: true, id: params.fileId } }
  }),
]

const toFile = (row: FileRow) => ({
  id: row.id,
  fileName: row.file_name,
  size: row.size,
  sha256: row.sha256,
  mediaType: row.media_type as Static<typeof contract.StoredFile>['mediaType'],
  runId: row.run_id,
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.created_by_name as string },
  createdAt: row.created_at,
})
