import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Mails } from '../../platform/database/types.gen.ts'

export type MailRow = Selectable<Mails>

export const insertMail = async (tx: Transaction, mail: Insertable<Mails>): Promise<void> => {
  await tx.insertInto('mails').values(mail).execute()
}

export const findMail = (db: Database, mailId: string) => db.selectFrom('mails').selectAll().where('id', '=', mailId).executeTakeFirst()

export const setMailSent = async (db: Database, mailId: string, attempts: number, now: string): Promise<void> => {
  await db.updateTable('mails').set({ status: 'sent', attempts, last_error: null, sent_at: now }).where('id', '=', mailId).execute()
}

export const setMailFailed = async (
  db: Database,
  mailId: string,
  status: 'queued' | 'failed' | 'cancelled',
  attempts: number,
  error: string | null,
): Promise<void> => {
  await db.updateTable('mails').set({ status, attempts, last_error: error }).where('id', '=', mailId).execute()
}

export const lockMail = (tx: Transaction, mailId: string) =>
  tx.selectFrom('mails').select(['id', 'status', 'kind', 'recipient']).where('id', '=', mailId).forUpdate().executeTakeFirst()

/** The newest mails of the instance with the names of their organizations, `limit` at most. */
export const listMails = (db: Database, filter: { status: string | undefined; before: string | undefined; id?: string }, limit: number) => {
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

/** How the outbox stands: what waits, what waits after a failure, what was given up lately, and the newest reason. */
export const getMailSummary = async (db: Database, since: string) => {
  const { rows } = await sql<{ waiting: number; troubled: number; failed: number; last_error: string | null }>`select
      (select count(*) from mails where status = 'queued') as waiting,
      (select count(*) from mails where status = 'queued' and last_error is not null) as troubled,
      (select count(*) from mails where status = 'failed' and created_at > ${since}) as failed,
      (select last_error from mails where status in ('queued', 'failed') and last_error is not null order by id desc limit 1) as last_error`.execute(db)
  return rows[0] as { waiting: number; troubled: number; failed: number; last_error: string | null }
}

/** Adds a line to a mail that still collects. @returns whether it did */
export const appendLine = async (tx: Transaction, mailId: string, line: string): Promise<boolean> => {
  const row = await tx
    .updateTable('mails')
    .set({ data: sql`jsonb_set(data, '{lines}', (data->'lines') || to_jsonb(${line}::text))` })
    .where('id', '=', mailId)
    .where('status', '=', 'queued')
    .where('attempts', '=', 0)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns how many waited */
export const failWaitingMails = async (tx: Transaction, reason: string): Promise<number> => {
  const result = await tx.updateTable('mails').set({ status: 'failed', last_error: reason }).where('status', '=', 'queued').executeTakeFirst()
  return Number(result.numUpdatedRows)
}
