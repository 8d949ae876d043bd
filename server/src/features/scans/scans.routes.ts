import * as contract from '@sortie/contract/inventory/scans.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { scanLogOf } from './log/log.queries.ts'
import { SCANNERS } from './scanners/scanners.ts'
import { findScan, scanList } from './scans.queries.ts'
import { cancelScan, createScan, repeatScan } from './scans.service.ts'
import { toScan } from './show-scan.ts'

export const scanRoutes: Route[] = [
  route(contract.listScanners, async () => ({
    data: await Promise.all(
      SCANNERS.map(async ({ id, name, description, takes, produces, options, unavailable }) => {
        const reason = await unavailable()
        return {
          id,
          name,
          description,
          takes: [...takes],
          produces: [...produces],
          options: { ...options },
          available: reason === null,
          reason,
        }
      }),
    ),
  })),

  route(contract.createScan, async (context) => ({
    data: toScan(await createScan(context, context.actor, context.body)),
  })),

  route(contract.listScans, async (context) => {
    const { rows, meta } = await scanList.page(context, context.query)
    return { data: rows.map(toScan), meta }
  }),

  route(contract.getScan, async ({ db, actor, params }) => {
    const row = await findScan(db, actor.organizationId, params.scanId)
    if (!row) throw notFound()
    return { data: toScan(row) }
  }),

  route(contract.cancelScan, async (context) => ({
    data: toScan(await cancelScan(context, context.actor, context.params.scanId)),
  })),

  route(contract.repeatScan, async (context) => ({
    data: toScan(await repeatScan(context, context.actor, context.params.scanId)),
  })),

  route(contract.listScanLog, async (context) => {
    const { db, actor, params } = context
    if (!(await findScan(db, actor.organizationId, params.scanId))) throw notFound()
    const { rows, meta } = await scanLogOf(params.scanId).page(context, context.query)
    return { data: rows.map(({ at, level, scanner, text }) => ({ at, level: level as 'info', scanner, text })), meta }
  }),
]
