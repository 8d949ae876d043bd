import * as contract from '@sortie/contract/inventory/scans.ts'
import type { Static } from 'typebox'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { scanLogOf } from './log/log.queries.ts'
import { SCANNERS } from './scanners/scanners.ts'
import { findScan, type ScanRow, scanList } from './scans.queries.ts'
import { cancelScan, createScan, repeatScan } from './scans.service.ts'

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

type Scan = Static<typeof contract.Scan>

const NO_COUNTS = { created: 0, unchanged: 0, changed: 0, gone: 0, reappeared: 0 }

const toScan = (row: ScanRow): Scan => {
  const { created, unchanged, changed, gone, reappeared } = { ...NO_COUNTS, ...row.counts }
  return {
    id: row.id,
    engagementId: row.engagement_id,
    name: row.name,
    scanners: row.scanners,
    targets: row.targets,
    state: row.state,
    stateReason: row.state_reason,
    progress: row.finished_at === null ? { done: row.done ?? 0, total: row.total } : null,
    counts: { created, unchanged, changed, gone, reappeared, skipped: row.skipped },
    trigger: row.trigger,
    scheduleId: row.schedule_id,
    override: row.override_reason === null ? null : { reason: row.override_reason },
    requestedBy: row.requested_by === null ? null : { id: row.requested_by, name: row.requested_by_name as string },
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}
