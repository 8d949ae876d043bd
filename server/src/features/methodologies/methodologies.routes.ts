import * as contract from '@sortie/contract/tasks/methodologies.ts'
import { ApiError, badRequest, notFound } from '../../platform/errors.ts'
import { readUpload } from '../../platform/files/read-upload.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { findMethodology, type HeadRow, type MethodologyRow, methodologyList } from './methodologies.queries.ts'
import { copyMethodology, createMethodology, deleteMethodology, updateMethodology } from './methodologies.service.ts'
import { readMethodology, writeMethodology } from './methodology-files.ts'

export const methodologyRoutes: Route[] = [
  route(contract.listMethodologies, async (context) => {
    const { rows, meta } = await methodologyList.page(context, context.query)
    return { data: rows.map(toHead), meta }
  }),

  route(contract.createMethodology, async (context) => ({
    data: toMethodology(await createMethodology(context, context.actor, context.body)),
  })),

  route(contract.getMethodology, async ({ db, actor, params }) => {
    const methodology = await findMethodology(db, actor.organizationId, params.methodologyId)
    if (!methodology) throw notFound()
    return { data: toMethodology(methodology) }
  }),

  route(contract.updateMethodology, async (context) => ({
    data: toMethodology(await updateMethodology(context, context.actor, context.params.methodologyId, context.body)),
  })),

  route(contract.deleteMethodology, async (context) => {
    await deleteMethodology(context, context.actor, context.params.methodologyId)
    return { data: { deleted: true, id: context.params.methodologyId } }
  }),

  route(contract.copyMethodology, async (context) => ({
    data: toMethodology(await copyMethodology(context, context.actor, context.params.methodologyId)),
  })),

  route(contract.importMethodology, async (context) => {
    const { actor, query, body } = context
    const bytes = await readUpload(context, body, contract.METHODOLOGY_LIMITS.bytes)
    return {
      data: toMethodology(
        await ofFile(async () =>
          createMethodology(
            context,
            actor,
            await readMethodology(bytes, { format: query.format ?? 'auto', mapping: query.mapping, name: query.name }),
          ),
        ),
      ),
    }
  }),

  route(contract.exportMethodology, async ({ db, actor, params, query }) => {
    const methodology = await findMethodology(db, actor.organizationId, params.methodologyId)
    if (!methodology) throw notFound()
    return writeMethodology(methodology, query.format)
  }),
]

/** Reports invalid content of an uploaded file. @throws ApiError BAD_REQUEST instead of VALIDATION_ERROR */
const ofFile = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    throw error instanceof ApiError && error.code === 'VALIDATION_ERROR' ? badRequest(error.message) : error
  }
}

const toHead = (row: HeadRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  version: row.version,
  builtIn: row.built_in,
  itemCount: row.item_count,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toMethodology = (row: MethodologyRow) => ({ ...toHead(row), items: [...row.items] })
