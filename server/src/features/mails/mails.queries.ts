import type { Insertable, Selectable } from 'kysely'
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
