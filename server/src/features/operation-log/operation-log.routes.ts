import * as contract from '@sortie/contract/inventory/operation-log.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { exportOperations } from './operation-log-export.ts'
import { operationExport, operationList } from './operation-log.queries.ts'
import { createOperation, createOperations } from './operation-log.service.ts'
import { toOperation } from './operation-rows.ts'

/** A few milliseconds per batch, so that other requests are served in between. */
const EXPORTED_AT_ONCE = 500

export const operationRoutes: Route[] = [
  route(contract.listOperations, async (context) => {
    const { rows, meta } = await operationList.page(context, context.query)
    return { data: rows.map(toOperation), meta }
  }),

  route(contract.exportOperations, async (context) => {
    const read = (cursor: string | null) =>
      operationExport.page(context, { ...context.query, perPage: EXPORTED_AT_ONCE, ...(cursor !== null && { cursor }) })
    const first = await read(null)
    async function* others() {
      for (let { nextCursor } = first.meta; nextCursor !== null;) {
        const page = await read(nextCursor)
        yield page.rows.map(toOperation)
        nextCursor = page.meta.nextCursor
      }
    }
    return exportOperations(first.rows.map(toOperation), others())
  }),

  route(contract.createOperation, async (context) => ({
    data: toOperation(await createOperation(context, context.actor, context.body)),
  })),

  route(contract.createOperations, async (context) => ({
    data: await createOperations(context, context.actor, context.body),
  })),
]
