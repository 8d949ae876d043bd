import * as contract from '@sortie/contract/inventory/imports.ts'
import { badRequest, notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { requireCursor } from '../../platform/lists/cursor.ts'
import { openStoredFile } from '../files/files.service.ts'
import { FORMATS } from '../scanner-formats/registry/formats.ts'
import * as query from './imports.queries.ts'
import { applyImport, awaitImport, createImport, deleteImport, parseMapping, undoImport } from './imports.service.ts'
import { toImport } from './show-import.ts'

export const importRoutes: Route[] = [
  route(contract.createImport, async (context) => {
    const { db, actor, query: asked, body } = context
    const fileName = asked.fileName?.trim()
    if (!fileName) throw badRequest('fileName: must not be empty')
    const { covered } = asked
    const wanted = {
      engagementId: asked.engagementId,
      fileName,
      format: asked.format ?? 'auto',
      mode: asked.mode ?? 'apply',
      options: {
        fullRescan: asked.fullRescan ?? false,
        outOfScope: asked.outOfScope ?? 'mark',
        covered: covered === undefined ? null : covered === 'all' ? ('all' as const) : covered.split(','),
        mapping: parseMapping(asked.mapping),
        baseUrl: asked.baseUrl ?? null,
        seenAt: asked.seenAt ?? null,
        writtenAt: asked.writtenAt ?? null,
        loggedAs: asked.loggedAs ?? null,
      },
    } as const
    const row = await createImport(context, actor, wanted, body)
    return { data: toImport(await awaitImport(db, actor.organizationId, row, asked.wait ?? 0)) }
  }),

  route(contract.listImports, async (context) => {
    const { rows, meta } = await query.importList.page(context, context.query)
    return { data: rows.map((row) => toImport(row as unknown as query.ImportRow)), meta }
  }),

  route(contract.listImportFormats, async () => ({
    data: FORMATS.map(({ id, name, recognisedBy, knowsCoverage }) => ({ id, name, recognisedBy, knowsCoverage })),
  })),

  route(contract.getImport, async ({ db, actor, params }) => {
    const row = await query.findImport(db, actor.organizationId, params.importId)
    if (!row) throw notFound()
    return { data: toImport(row) }
  }),

  route(contract.applyImport, async (context) => {
    const { db, actor, params, query: asked } = context
    const row = await applyImport(context, actor, params.importId)
    return { data: toImport(await awaitImport(db, actor.organizationId, row, asked.wait ?? 0)) }
  }),

  route(contract.undoImport, async (context) => {
    const { db, actor, params, query: asked } = context
    const row = await undoImport(context, actor, params.importId)
    return { data: toImport(await awaitImport(db, actor.organizationId, row, asked.wait ?? 0)) }
  }),

  route(contract.deleteImport, async (context) => {
    const { actor, params } = context
    await deleteImport(context, actor, params.importId)
    return { data: { deleted: true, id: params.importId } }
  }),

  route(contract.downloadImport, async (context) => {
    const { db, actor, params } = context
    const { organizationId } = actor
    const found = await query.findImport(db, organizationId, params.importId)
    if (!found?.file_id) throw notFound()
    const { row, file } = await openStoredFile(
      context,
      organizationId,
      { type: 'import', id: params.importId },
      found.file_id,
    )
    return { file, size: row.size, fileName: row.file_name, mediaType: 'application/octet-stream', isInline: false }
  }),

  route(contract.listRejections, async ({ db, actor, params, query: { cursor, perPage } }) => {
    requireCursor(cursor, /^\d{1,9}$/)
    if (!(await query.findImport(db, actor.organizationId, params.importId))) throw notFound()
    const found = await query.listRejections(
      db,
      actor.organizationId,
      params.importId,
      Number(cursor ?? 0),
      perPage + 1,
    )
    const rows = found.slice(0, perPage)
    const nextCursor = found.length > perPage ? String(rows.at(-1)?.number) : null
    return {
      data: rows.map(({ position, excerpt, reason }) => ({ position, excerpt, reason })),
      meta: { perPage, nextCursor },
    }
  }),
]
