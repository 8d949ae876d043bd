import { sql } from 'kysely'
import type { Database } from '../database/connection/open.ts'
import type { Transaction } from '../database/transaction.ts'
import type { BackgroundJobs } from '../database/types.gen.ts'
import type { JobEnd } from './kinds.ts'

const COLUMNS = [
  'id',
  'organization_id',
  'engagement_id',
  'kind',
  'subject_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'actor_address',
  'state',
  'attempt',
  'failures',
  'furthest',
  'cancel_requested_at',
  'created_at',
] as const

/** The current worker and its attempt. */
export interface Claim {
  id: string
  attempt: number
}

export const insertBackgroundJob = async (tx: Transaction, row: BackgroundJobInsert): Promise<void> => {
  await tx.insertInto('background_jobs').values(row).execute()
}

interface BackgroundJobInsert {
  id: string
  organization_id: string
  engagement_id: string | null
  kind: string
  subject_id: string
  actor_kind: BackgroundJobs['actor_kind']
  actor_id: string | null
  actor_name: string | null
  actor_address: string | null
  total: number | null
  job_id: string
  created_at: string
}

export const lockBackgroundJob = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .selectFrom('background_jobs')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type BackgroundJobRow = NonNullable<Awaited<ReturnType<typeof lockBackgroundJob>>>

/** Reports whether this transaction sees the job, and with it its engagement. */
export const isBackgroundJobVisible = async (tx: Transaction, id: string): Promise<boolean> =>
  (await tx.selectFrom('background_jobs').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Counts other running jobs of its kind for its organization. No other one starts there until the transaction ends. */
export const countRunning = async (
  tx: Transaction,
  { id, organization_id, kind }: Pick<BackgroundJobRow, 'id' | 'organization_id' | 'kind'>,
): Promise<number> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`work ${kind} ${organization_id}`}, 0))`.execute(tx)
  const { running } = await tx
    .selectFrom('background_jobs')
    .select(({ fn }) => fn.countAll().as('running'))
    .where('organization_id', '=', organization_id)
    .where('kind', '=', kind)
    .where('state', '=', 'running')
    .where('ended_at', 'is', null)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
  return Number(running)
}

/**
 * Counts processes that run jobs of this kind now, for any organization; at least one, for a caller that runs one
 * itself.
 */
export const countWorkers = async (db: Database, kind: string): Promise<number> => {
  const { workers } = await db
    .selectFrom('background_jobs')
    .select(({ fn }) => fn.count('worker').distinct().as('workers'))
    .where('kind', '=', kind)
    .where('state', '=', 'running')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Math.max(1, Number(workers))
}

/** @returns the number of the attempt, and the progress of earlier ones */
export const claimBackgroundJob = (tx: Transaction, id: string, worker: string, failures: number, now: string) =>
  tx
    .updateTable('background_jobs')
    .set((set) => ({
      state: 'running',
      worker,
      failures,
      attempt: set('attempt', '+', 1),
      started_at: sql`coalesce(started_at, ${now})`,
    }))
    .where('id', '=', id)
    .returning((row) => [
      'attempt',
      row.ref('done').$castTo<number>().as('done'),
      row.ref('total').$castTo<number | null>().as('total'),
    ])
    .executeTakeFirstOrThrow()

/** Returns a job to the queue, for another worker. */
export const releaseBackgroundJob = async (db: Database, { id, attempt }: Claim, failures: number): Promise<void> => {
  await db
    .updateTable('background_jobs')
    .set({ state: 'queued', worker: null, failures })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .execute()
}

/** @returns whether it was still under way */
export const endBackgroundJob = async (
  tx: Transaction,
  id: string,
  end: { state: JobEnd['state']; reason: string | null; ended_at: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('background_jobs')
    .set({ ...end, worker: null })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const requestCancel = async (tx: Transaction, id: string, now: string): Promise<void> => {
  await tx.updateTable('background_jobs').set({ cancel_requested_at: now }).where('id', '=', id).execute()
}

/** Requests the end of every job of an engagement. They end one by one, soon after the commit. */
export const cancelJobsOfEngagement = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('background_jobs')
    .set({ cancel_requested_at: now })
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Progress beyond every earlier attempt resets the failures. @returns undefined once another attempt has started */
export const writeProgress = (db: Database, { id, attempt }: Claim, done: number, total: number | null) =>
  db
    .updateTable('background_jobs')
    .set({
      done,
      total,
      furthest: sql`greatest(furthest, ${done})`,
      failures: sql`case when furthest < ${done} then 0 else failures end`,
    })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .returning('cancel_requested_at')
    .executeTakeFirst()

/** Reads the claim without updating progress. */
export const findClaim = (db: Database, { id, attempt }: Claim) => selectClaim(db, { id, attempt }).executeTakeFirst()

/** Reads the claim and locks it: no other attempt starts until the transaction ends. */
export const lockClaimForShare = (tx: Transaction, claim: Claim) => selectClaim(tx, claim).forShare().executeTakeFirst()

const selectClaim = (db: Database, { id, attempt }: Claim) =>
  db
    .selectFrom('background_jobs')
    .select('cancel_requested_at')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')

/** Lists unended jobs that were requested before this time, in the order of ids, after this one. */
export const listUnended = (db: Database, before: string, after: string, limit: number) =>
  db
    .selectFrom('background_jobs')
    .select(['id', 'organization_id', 'kind', 'job_id'])
    .where('ended_at', 'is', null)
    .where('created_at', '<', before)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const setJob = async (tx: Transaction, id: string, jobId: string): Promise<void> => {
  await tx.updateTable('background_jobs').set({ job_id: jobId }).where('id', '=', id).execute()
}

/** Jobs of an engagement are deleted with the engagement. */
export const deleteEndedBefore = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('background_jobs').where('engagement_id', 'is', null).where('ended_at', '<', before).execute()
}

/** State and progress of jobs, for display. */
export const listBackgroundJobs = (db: Database, organizationId: string, ids: readonly string[]) =>
  db
    .selectFrom('background_jobs')
    .select((row) => [
      'id',
      'subject_id',
      'state',
      'reason',
      'worker',
      'cancel_requested_at',
      'created_at',
      'started_at',
      'ended_at',
      row.ref('done').$castTo<number>().as('done'),
      row.ref('total').$castTo<number | null>().as('total'),
    ])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
