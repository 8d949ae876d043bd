import * as contract from '@sortie/contract/requests/request-runs.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { RequestRuns } from '../../../platform/database/types.gen.ts'
import { anyOf, anyOfOrNone, isNull } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'

/** Runs are extended often enough that a dead process is noticed within 15 seconds. */
const ALIVE = sql<string>`now() + interval '15 seconds'`

/** Running runs are hidden; one whose process died has failed, even before the job stores it. */
const HAS_ENDED = sql<boolean>`(r.state <> 'running' or r.alive_until < now())`
const STATE = sql<
  Exclude<RequestRuns['state'], 'running'>
>`(case r.state when 'running' then 'failed' else r.state end)`
export const DIED = 'The process that sent this ended unexpectedly: whether it arrived is unknown.'
const REASON = sql<string | null>`(case r.state when 'running' then ${DIED} else r.reason end)`

const SUMMARY = [
  ...([
    'r.id',
    'r.engagement_id',
    'r.request_id',
    'r.environment_id',
    'r.sequence_id',
    'r.method',
    'r.url',
    'r.status',
    'r.pinned',
    'r.override_reason',
  ] as const),
  ...(['r.started_by', 'r.created_at'] as const),
] as const

const selectRuns = (db: Database, organizationId: string) =>
  db
    .selectFrom('request_runs as r')
    .leftJoin('users as u', 'u.id', 'r.started_by')
    .select([...SUMMARY, 'u.name as started_by_name', STATE.as('state'), REASON.as('reason')])
    .where('r.organization_id', '=', organizationId)
    .where(HAS_ENDED)

export type RunSummaryRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number]

export const runList = listQuery(contract.runList, {
  rows: selectRuns,
  id: 'r.id',
  engagementId: 'r.engagement_id',
  sorts: { createdAt: byId },
  filters: {
    organization: isNull('r.engagement_id'),
    requestId: anyOfOrNone('r.request_id'),
    sequenceId: anyOfOrNone('r.sequence_id'),
    state: anyOf(STATE),
    startedById: anyOfOrNone('r.started_by'),
  },
})

const WHOLE = ['r.request', 'r.hops', 'r.response', 'r.timing', 'r.assertions', 'r.captured'] as const

export const findRun = (db: Database, organizationId: string, id: string) =>
  selectRuns(db, organizationId).select(WHOLE).where('r.id', '=', id).executeTakeFirst()

export type RunRow = NonNullable<Awaited<ReturnType<typeof findRun>>>

export const findRunForExcerpt = (db: Database, organizationId: string, id: string) =>
  selectRuns(db, organizationId)
    .select(['r.request', 'r.response', 'r.body', 'r.body_secrets'])
    .where('r.id', '=', id)
    .executeTakeFirst()

export const findRunBody = (db: Database, organizationId: string, id: string) =>
  selectRuns(db, organizationId).select(['r.body', 'r.response']).where('r.id', '=', id).executeTakeFirst()

/** Lists the runs of a sequence in the order of sending. */
export const listRunsOfSequence = (db: Database, organizationId: string, sequenceId: string) =>
  selectRuns(db, organizationId).where('r.sequence_id', '=', sequenceId).orderBy('r.id').execute()

export const lockRun = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .selectFrom('request_runs')
    .select(['id', 'engagement_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Counts running runs of an organization. Needs the server's visibility, because hidden ones count. */
export const countRunning = async (db: Database, organizationId: string): Promise<number> => {
  const row = await db
    .selectFrom('request_runs')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`state = 'running' and alive_until >= now()`)
    .executeTakeFirstOrThrow()
  return row.count
}

export const insertRun = async (
  tx: Transaction,
  run: Omit<Insertable<RequestRuns>, 'alive_until' | 'state'>,
): Promise<void> => {
  await tx
    .insertInto('request_runs')
    .values({ ...run, state: 'running', alive_until: ALIVE })
    .execute()
}

/** Extends a running run. */
export const extendRun = async (db: Database, organizationId: string, id: string): Promise<void> => {
  await db
    .updateTable('request_runs')
    .set({ alive_until: ALIVE })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Ends a run only if it is still running: a stored failure stays. */
export const endRun = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  end: Updateable<RequestRuns>,
): Promise<void> => {
  await tx
    .updateTable('request_runs')
    .set(end)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

export const updateRun = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  runChange: Updateable<RequestRuns>,
): Promise<void> => {
  await tx
    .updateTable('request_runs')
    .set(runChange)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export const deleteRun = async (tx: Transaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('request_runs').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** Marks runs of dead processes as failed. */
export const failDeadRuns = async (db: Database): Promise<void> => {
  await db
    .updateTable('request_runs')
    .set({ state: 'failed', reason: DIED, ended_at: sql`now()` })
    .where(sql<boolean>`state = 'running' and alive_until < now()`)
    .execute()
}

/** @returns how many were deleted, at most `limit` */
export const deleteRunsBefore = async (db: Database, before: string, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from request_runs where id = any(array(
      select id from request_runs where not pinned and created_at < ${before} order by created_at limit ${limit}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Deletes the runs of each request beyond its newest ones. @returns how many were deleted, at most `limit` */
export const deleteStaleRuns = async (db: Database, keptOfEach: number, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from request_runs where id = any(array(
      select r.id from (
        select organization_id, request_id from request_runs
        where request_id is not null group by organization_id, request_id having count(*) > ${keptOfEach}
      ) many
      cross join lateral (
        select id, pinned from request_runs
        where organization_id = many.organization_id and request_id = many.request_id order by id desc offset ${keptOfEach}
      ) r
      where not r.pinned limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
