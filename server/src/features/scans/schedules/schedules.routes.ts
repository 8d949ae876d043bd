import * as contract from '@sortie/contract/inventory/scan-schedules.ts'
import type { Static } from 'typebox'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { findSchedule, type ScheduleRow, scheduleList } from './schedules.queries.ts'
import { createScanSchedule, deleteScanSchedule, updateScanSchedule } from './schedules.service.ts'

export const scheduleRoutes: Route[] = [
  route(contract.createScanSchedule, async (context) => ({
    data: toSchedule(await createScanSchedule(context, context.actor, context.body)),
  })),

  route(contract.listScanSchedules, async (context) => {
    const { rows, meta } = await scheduleList.page(context, context.query)
    return { data: rows.map(toSchedule), meta }
  }),

  route(contract.getScanSchedule, async ({ db, actor, params }) => {
    const row = await findSchedule(db, actor.organizationId, params.scheduleId)
    if (!row) throw notFound()
    return { data: toSchedule(row) }
  }),

  route(contract.updateScanSchedule, async (context) => ({
    data: toSchedule(await updateScanSchedule(context, context.actor, context.params.scheduleId, context.body)),
  })),

  route(contract.deleteScanSchedule, async (context) => {
    await deleteScanSchedule(context, context.actor, context.params.scheduleId)
    return { data: { deleted: true, id: context.params.scheduleId } }
  }),
]

const toSchedule = (row: ScheduleRow): Static<typeof contract.ScanSchedule> => ({
  id: row.id,
  engagementId: row.engagement_id,
  name: row.name,
  cron: row.cron,
  timeZone: row.time_zone,
  scanners: row.scanners,
  targets: row.targets,
  enabled: row.enabled,
  nextRunAt: row.next_run_at,
  lastScanId: row.last_scan_id,
  lastSkippedAt: row.last_skipped_at,
  lastSkipReason: row.last_skip_reason,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
