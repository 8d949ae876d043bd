import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { countDeleted } from '../../platform/database/rows.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Mails } from '../../platform/database/types.gen.ts'

/** Columns that mails of one kind and time share. */
type SharedByMails = Pick<Insertable<Mails>, 'kind' | 'created_at'> & { organization_id: string | null }

/** Inserts waiting mails in one statement. */
export const insertMails = async (
  tx: Transaction,
  { organization_id, kind, created_at }: SharedByMails,
  each: readonly { id: string; recipient: string; subject_id: string | null; data: string }[],
): Promise<void> => {
  await sql`insert into mails (id, organization_id, kind, recipient, subject_id, data, status, created_at)
    select v.id, ${organization_id}::text, ${kind}::text, v.recipient, v.subject_id, v.data, 'queued', ${created_at}::timestamptz
    from unnest(${each.map(({ id }) => id)}::text[], ${each.map(({ recipient }) => recipient)}::text[],
      ${each.map(({ subject_id }) => subject_id)}::text[], ${each.map(({ data }) => data)}::jsonb[]) as v (id, recipient, subject_id, data)`.execute(
    tx,
  )
}

export const findMail = (db: Database, mailId: string) =>
  db.selectFrom('mails').selectAll().where('id', '=', mailId).executeTakeFirst()

type MailState = Pick<Updateable<Mails>, 'attempts' | 'last_error' | 'sent_at'> & Pick<Mails, 'status'>

export const updateMail = async (db: Database, mailId: string, state: MailState): Promise<void> => {
  await db.updateTable('mails').set(state).where('id', '=', mailId).execute()
}

export const lockMail = (tx: Transaction, mailId: string) =>
  tx
    .selectFrom('mails')
    .select(['id', 'status', 'kind', 'recipient'])
    .where('id', '=', mailId)
    .forUpdate()
    .executeTakeFirst()

/** The newest mails of the instance with the names of their organizations, `limit` at most. */
export const listMails = (
  db: Database,
  filter: { status: Mails['status'] | undefined; before: string | undefined; id?: string },
  limit: number,
) => {
  let query = db
    .selectFrom('mails as m')
    .leftJoin('organizations as o', 'o.id', 'm.organization_id')
    .select([
      'm.id',
      'm.kind',
      'm.recipient',
      'm.status',
      'm.attempts',
      'm.last_error',
      'm.created_at',
      'm.sent_at',
      'o.id as organization_id',
      'o.name as organization_name',
    ])
  if (filter.status) query = query.where('m.status', '=', filter.status)
  if (filter.before) query = query.where('m.id', '<', filter.before)
  if (filter.id) query = query.where('m.id', '=', filter.id)
  return query.orderBy('m.id', 'desc').limit(limit).execute()
}

/** State of the outbox: waiting mails, those that wait after a failure, recent failures, and the newest error. */
export const getMailSummary = async (db: Database, since: string) => {
  const { rows } = await sql<{ waiting: number; troubled: number; failed: number; last_error: string | null }>`select
      (select count(*) from mails where status = 'queued') as waiting,
      (select count(*) from mails where status = 'queued' and last_error is not null) as troubled,
      (select count(*) from mails where status = 'failed' and created_at > ${since}) as failed,
      (select last_error from mails where status in ('queued', 'failed') and last_error is not null order by id desc limit 1) as last_error`.execute(
    db,
  )
  return rows[0] as { waiting: number; troubled: number; failed: number; last_error: string | null }
}

/** Adds a line to those of these mails that still collect lines. @returns the ids of those */
export const appendLine = async (tx: Transaction, mailIds: readonly string[], line: string): Promise<string[]> => {
  const rows = await tx
    .updateTable('mails')
    .set({ data: sql`jsonb_set(data, '{lines}', (data->'lines') || to_jsonb(${line}::text))` })
    .where('id', '=', sql<string>`any(${mailIds}::text[])`)
    .where('status', '=', 'queued')
    .where('attempts', '=', 0)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes the oldest mails that do not wait to be sent, `limit` at most. @returns how many were deleted */
export const deleteMailsBefore = (db: Database, before: string, limit: number): Promise<number> => {
  const old = db
    .selectFrom('mails')
    .select('id')
    .where('created_at', '<', before)
    .where('status', '<>', 'queued')
    .orderBy('created_at')
    .limit(limit)
  return countDeleted(db.deleteFrom('mails').where('id', 'in', old))
}

/** Mails that wait for an address go to another, except invitations, which are meant for the address itself. */
export const forwardMails = async (tx: Transaction, from: string, to: string): Promise<void> => {
  await tx
    .updateTable('mails')
    .set({ recipient: to })
    .where('recipient', '=', from)
    .where('status', '=', 'queued')
    .where('kind', '<>', 'invitation')
    .execute()
}

/** Fails waiting mails, all or those created before a time. @returns how many waited */
export const failWaitingMails = async (tx: Transaction, reason: string, before?: string): Promise<number> => {
  let waiting = tx.updateTable('mails').set({ status: 'failed', last_error: reason }).where('status', '=', 'queued')
  if (before !== undefined) waiting = waiting.where('created_at', '<', before)
  return Number((await waiting.executeTakeFirst()).numUpdatedRows)
}

/** Requeues mails that failed for this reason. @returns how many */
export const requeueMails = async (tx: Transaction, reason: string): Promise<number> => {
  const held = tx
    .updateTable('mails')
    .set({ status: 'queued', attempts: 0, last_error: null })
    .where('status', '=', 'failed')
    .where('last_error', '=', reason)
  return Number((await held.executeTakeFirst()).numUpdatedRows)
}

/** Counts waiting mails that were created before and since a time, and mails that failed for this reason. */
export const countWaitingMails = async (db: Database, since: string, reason: string) => {
  const { rows } = await sql<{ older: number; newer: number; held: number }>`select
      count(*) filter (where status = 'queued' and created_at < ${since}) as older,
      count(*) filter (where status = 'queued' and created_at >= ${since}) as newer,
      count(*) filter (where status = 'failed' and last_error = ${reason}) as held
    from mails`.execute(db)
  return rows[0] as { older: number; newer: number; held: number }
}

export const listWaitingIds = async (tx: Transaction): Promise<string[]> => {
  const rows = await tx.selectFrom('mails').select('id').where('status', '=', 'queued').execute()
  return rows.map(({ id }) => id)
}

export const cancelWaitingMails = async (tx: Transaction, recipient: string): Promise<void> => {
  await tx
    .updateTable('mails')
    .set({ status: 'cancelled' })
    .where('recipient', '=', recipient)
    .where('status', '=', 'queued')
    .execute()
}
