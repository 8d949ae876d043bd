import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../../platform/database/transaction.ts'
import type { RequestHandoffs } from '../../../../platform/database/types.gen.ts'

export const insertHandoff = async (tx: Transaction, handoff: Insertable<RequestHandoffs>): Promise<void> => {
  await tx.insertInto('request_handoffs').values(handoff).execute()
}

/** Claims a handoff once, and only while its caller waits: forgotten ones are not sent later. */
export const consumeHandoff = (tx: Transaction, organizationId: string, runId: string, now: string) =>
  tx
    .updateTable('request_handoffs as h')
    .from('request_runs as r')
    .set({ taken_at: now })
    .whereRef('r.id', '=', 'h.run_id')
    .whereRef('r.organization_id', '=', 'h.organization_id')
    .where('h.organization_id', '=', organizationId)
    .where('h.run_id', '=', runId)
    .where('h.taken_at', 'is', null)
    .where('h.cancel_requested_at', 'is', null)
    .where(sql<boolean>`r.state = 'running' and r.alive_until >= now()`)
    .returning(['h.engagement_id', 'h.wanted'])
    .executeTakeFirst()

/** Returns the state of a handoff for its waiting caller; undefined if it was deleted. */
export const findHandoff = (db: Database, organizationId: string, runId: string) =>
  db
    .selectFrom('request_handoffs as h')
    .innerJoin('request_runs as r', (on) =>
      on.onRef('r.organization_id', '=', 'h.organization_id').onRef('r.id', '=', 'h.run_id'),
    )
    .select(['h.taken_at', 'h.outcome', sql<boolean>`r.state <> 'running' or r.alive_until < now()`.as('has_ended')])
    .where('h.organization_id', '=', organizationId)
    .where('h.run_id', '=', runId)
    .executeTakeFirst()

/** @returns true if the waiting caller has cancelled it */
export const isHandoffCancelled = async (db: Database, organizationId: string, runId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('request_handoffs')
    .select('cancel_requested_at')
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return !row || row.cancel_requested_at !== null
}

export const cancelHandoff = async (
  db: Database,
  organizationId: string,
  runId: string,
  now: string,
): Promise<void> => {
  await db
    .updateTable('request_handoffs')
    .set({ cancel_requested_at: now })
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .where('cancel_requested_at', 'is', null)
    .execute()
}

export const setOutcome = async (
  tx: Transaction,
  organizationId: string,
  runId: string,
  outcome: Buffer,
): Promise<void> => {
  await tx
    .updateTable('request_handoffs')
    .set({ outcome })
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .execute()
}

export const deleteHandoff = async (db: Database, organizationId: string, runId: string): Promise<void> => {
  await db
    .deleteFrom('request_handoffs')
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .execute()
}

/** @returns true if no process had claimed it; no process can claim it afterwards */
export const withdrawHandoff = async (tx: Transaction, organizationId: string, runId: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('request_handoffs')
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .where('taken_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes handoffs whose waiting process has died. */
export const deleteHandoffsBefore = async (db: Database, before: string): Promise<void> => {
  await sql`delete from request_handoffs h using request_runs r
    where r.organization_id = h.organization_id and r.id = h.run_id and coalesce(r.ended_at, r.alive_until) < ${before}`.execute(
    db,
  )
}
