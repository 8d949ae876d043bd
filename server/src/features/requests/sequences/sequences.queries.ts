import * as contract from '@sortie/contract/requests/request-sequences.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { RequestSequences } from '../../../platform/database/types.gen.ts'
import { anyOf, isNull } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'

/** A process extends its sequence every second; after 15 seconds without it, the process is dead. */
const ALIVE = sql<string>`now() + interval '15 seconds'`
const HAS_DIED = sql<boolean>`(s.state = 'running' and s.alive_until < now())`
const STATE = sql<RequestSequences['state']>`(case when ${HAS_DIED} then 'failed' else s.state end)`
const DIED = 'The process that did this ended unexpectedly.'
const REASON = sql<string | null>`(case when ${HAS_DIED} then ${DIED} else s.reason end)`
const ENDED = sql<string | null>`(case when ${HAS_DIED} then s.alive_until else s.ended_at end)`

const COLUMNS = [
  's.id',
  's.engagement_id',
  's.folder_id',
  's.environment_id',
  's.done',
  's.total',
  's.override_reason',
  's.started_by',
  's.created_at',
] as const

const selectSequences = (db: Database, organizationId: string) =>
  db
    .selectFrom('request_sequences as s')
    .leftJoin('users as u', 'u.id', 's.started_by')
    .select([...COLUMNS, 'u.name as started_by_name', STATE.as('state'), REASON.as('reason'), ENDED.as('ended_at')])
    .where('s.organization_id', '=', organizationId)

export const sequenceList = listQuery(contract.sequenceList, {
  rows: selectSequences,
  id: 's.id',
  engagementId: 's.engagement_id',
  sorts: { createdAt: byId },
  filters: { organization: isNull('s.engagement_id'), folderId: anyOf('s.folder_id'), state: anyOf(STATE) },
})

export const findSequence = (db: Database, organizationId: string, id: string) =>
  selectSequences(db, organizationId).where('s.id', '=', id).executeTakeFirst()

export type SequenceRow = NonNullable<Awaited<ReturnType<typeof findSequence>>>

export const insertSequence = async (
  tx: Transaction,
  sequence: Omit<Insertable<RequestSequences>, 'alive_until' | 'state'>,
): Promise<void> => {
  await tx
    .insertInto('request_sequences')
    .values({ ...sequence, state: 'running', alive_until: ALIVE })
    .execute()
}

/** Counts running sequences of the organization, over all processes. */
export const countRunningSequences = async (db: Database, organizationId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('request_sequences')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`state = 'running' and alive_until >= now()`)
    .executeTakeFirstOrThrow()
  return count
}

/** @returns true if a user has cancelled the sequence; undefined if it has ended */
export const beatSequence = async (
  db: Database,
  organizationId: string,
  id: string,
  done: number,
): Promise<boolean | undefined> => {
  const row = await db
    .updateTable('request_sequences')
    .set({ alive_until: ALIVE, done })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('cancel_requested_at')
    .executeTakeFirst()
  return row && row.cancel_requested_at !== null
}

/** Updates a sequence only while it runs. */
export const updateSequence = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  sequenceChange: Updateable<RequestSequences>,
): Promise<void> => {
  await tx
    .updateTable('request_sequences')
    .set(sequenceChange)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Marks sequences of dead processes as failed. */
export const failDeadSequences = async (db: Database): Promise<void> => {
  await db
    .updateTable('request_sequences as s')
    .set({ state: 'failed', reason: DIED, ended_at: sql`s.alive_until` })
    .where(HAS_DIED)
    .execute()
}

/** @returns how many were deleted, at most `limit` */
export const deleteSequencesBefore = async (db: Database, before: string, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from request_sequences where id = any(array(
      select id from request_sequences where created_at < ${before} order by created_at limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
