import * as contract from '@sortie/contract/inventory/scan-schedules.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ScanSchedules } from '../../../platform/database/types.gen.ts'
import { onlyWhere } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'

type Schedule = Static<typeof contract.ScanSchedule>

const COLUMNS = [
  's.id',
  's.organization_id',
  's.engagement_id',
  's.name',
  's.cron',
  's.time_zone',
  's.enabled',
  's.next_run_at',
  's.last_scan_id',
  's.last_skipped_at',
  's.last_skip_reason',
  's.actor_kind',
  's.actor_id',
  's.actor_name',
  's.actor_address',
  's.created_at',
  's.updated_at',
] as const

const selectSchedules = (db: Database, organizationId: string) =>
  db
    .selectFrom('scan_schedules as s')
    .select((select) => [
      ...COLUMNS,
      select.ref('s.scanners').$castTo<Schedule['scanners']>().as('scanners'),
      select.ref('s.targets').$castTo<Schedule['targets']>().as('targets'),
    ])
    .where('s.organization_id', '=', organizationId)

export const scheduleList = listQuery(contract.scheduleList, {
  rows: selectSchedules,
  id: 's.id',
  engagementId: 's.engagement_id',
  sorts: { createdAt: byId },
  filters: { enabled: onlyWhere(sql`s.enabled`) },
})

export const findSchedule = (db: Database, organizationId: string, scheduleId: string) =>
  selectSchedules(db, organizationId).where('s.id', '=', scheduleId).executeTakeFirst()

export type ScheduleRow = NonNullable<Awaited<ReturnType<typeof findSchedule>>>

export const lockSchedule = (tx: Transaction, organizationId: string, scheduleId: string) =>
  selectSchedules(tx, organizationId).where('s.id', '=', scheduleId).forUpdate().executeTakeFirst()

/** Lists due schedules of all organizations; the longest overdue first. */
export const listDueSchedules = (db: Database, now: string, limit: number) =>
  db
    .selectFrom('scan_schedules')
    .select(['id', 'organization_id'])
    .where(sql<boolean>`enabled and next_run_at <= ${now}`)
    .orderBy('next_run_at')
    .limit(limit)
    .execute()

export const countSchedules = async (db: Database, organizationId: string, engagementId: string): Promise<number> => {
  const row = await db
    .selectFrom('scan_schedules')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Disables every schedule of an engagement that is being deleted. */
export const disableSchedules = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('scan_schedules')
    .set({
      enabled: false,
      next_run_at: null,
      last_skipped_at: now,
      last_skip_reason: 'The engagement was deleted.',
      updated_at: sql<string>`greatest(${now}::timestamptz, updated_at + interval '1 millisecond')`,
    })
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('enabled', '=', true)
    .execute()
}

export const insertSchedule = async (tx: Transaction, row: Insertable<ScanSchedules>): Promise<void> => {
  await tx.insertInto('scan_schedules').values(row).execute()
}

export const updateSchedule = async (
  tx: Transaction,
  organizationId: string,
  scheduleId: string,
  scheduleColumns: Updateable<ScanSchedules>,
): Promise<void> => {
  await tx
    .updateTable('scan_schedules')
    .set(scheduleColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', scheduleId)
    .execute()
}

export const deleteSchedule = async (tx: Transaction, organizationId: string, scheduleId: string): Promise<void> => {
  await tx
    .deleteFrom('scan_schedules')
    .where('organization_id', '=', organizationId)
    .where('id', '=', scheduleId)
    .execute()
}
