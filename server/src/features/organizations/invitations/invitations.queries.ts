import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { isoTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { countRows } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Invitations } from '../../../platform/database/types.gen.ts'

export type InvitationRow = Selectable<Invitations>

/** @returns undefined if the address has a pending invitation */
export const insertInvitation = (tx: Transaction, invitation: Insertable<Invitations>) =>
  tx
    .insertInto('invitations')
    .values(invitation)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'email_key'])
        .where(sql<boolean>`status = 'pending'`)
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()

/** Marks an invitation that has expired, so that the address can be invited again. */
export const expireInvitations = async (
  tx: Transaction,
  organizationId: string,
  emailKey: string,
  nowMs: number,
): Promise<void> => {
  await tx
    .updateTable('invitations')
    .set({ status: 'expired' })
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', emailKey)
    .where('status', '=', 'pending')
    .where('expires_at', '<=', isoTime(nowMs))
    .execute()
}

export const lockInvitation = (tx: Transaction, organizationId: string, invitationId: string) =>
  tx
    .selectFrom('invitations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', invitationId)
    .forUpdate()
    .executeTakeFirst()

export const lockInvitationByToken = (tx: Transaction, tokenHash: Buffer) =>
  tx.selectFrom('invitations').selectAll().where('token_hash', '=', tokenHash).forUpdate().executeTakeFirst()

const withOrganization = (db: Database) =>
  db
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .selectAll('i')
    .select('o.name as organization_name')

export const findInvitationByToken = (db: Database, tokenHash: Buffer) =>
  withOrganization(db).where('i.token_hash', '=', tokenHash).executeTakeFirst()

/** The data of its mail. */
export const findInvitationToMail = (db: Database, invitationId: string) =>
  withOrganization(db).where('i.id', '=', invitationId).executeTakeFirst()

export const setTokenHash = async (
  db: Database,
  invitationId: string,
  version: number,
  tokenHash: Buffer,
): Promise<void> => {
  await db
    .updateTable('invitations')
    .set({ token_hash: tokenHash })
    .where('id', '=', invitationId)
    .where('token_version', '=', version)
    .where('status', '=', 'pending')
    .execute()
}

export const updateInvitation = (
  tx: Transaction,
  organizationId: string,
  invitationId: string,
  invitationColumns: Updateable<Invitations>,
) =>
  tx
    .updateTable('invitations')
    .set(invitationColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', invitationId)
    .returningAll()
    .executeTakeFirstOrThrow()

export const revokePending = async (tx: Transaction, organizationId: string, emailKey: string): Promise<void> => {
  await tx
    .updateTable('invitations')
    .set({ status: 'revoked' })
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', emailKey)
    .where('status', '=', 'pending')
    .execute()
}

export interface InvitationFilter {
  /** The one that readers see at the moment of asking. */
  status: Invitations['status'] | undefined
  /** Id of the last invitation already seen. */
  before: string | undefined
}

/** The newest matches, `limit` at most, each with the state of its newest mail. */
export const listInvitations = (
  db: Database,
  organizationId: string,
  nowMs: number,
  filter: InvitationFilter,
  limit: number,
) => {
  const { status, before } = filter
  const shown = sql<
    Invitations['status']
  >`case when i.status = 'pending' and i.expires_at <= ${isoTime(nowMs)} then 'expired' else i.status end`
  let query = db
    .selectFrom('invitations as i')
    .leftJoinLateral(
      (select) =>
        select
          .selectFrom('mails')
          .select(['mails.status as mail_status', 'mails.sent_at', 'mails.last_error'])
          .whereRef('mails.subject_id', '=', 'i.id')
          .orderBy('mails.id', 'desc')
          .limit(1)
          .as('mail'),
      (join) => join.onTrue(),
    )
    .select([
      'i.id',
      'i.email',
      'i.role',
      'i.expires_at',
      'i.created_at',
      'i.invited_by_name',
      'mail.mail_status',
      'mail.sent_at',
      'mail.last_error',
    ])
    .select(shown.as('status'))
    .where('i.organization_id', '=', organizationId)
  if (status) query = query.where(shown, '=', status)
  if (before) query = query.where('i.id', '<', before)
  return query.orderBy('i.id', 'desc').limit(limit).execute()
}

/** Invitation mails that an organization has caused since `since`. */
export const countInvitationMails = (tx: Transaction, organizationId: string, since: string): Promise<number> =>
  countRows(
    tx
      .selectFrom('mails')
      .where('organization_id', '=', organizationId)
      .where('kind', '=', 'invitation')
      .where('created_at', '>', since),
  )

/**
 * Revokes pending invitations; those that are past their end become expired. @returns the organization of each that was
 * revoked
 */
export const revokeEveryInvitation = async (tx: Transaction, now: string): Promise<string[]> => {
  const rows = await tx
    .updateTable('invitations')
    .set({ status: sql`case when expires_at <= ${now} then 'expired' else 'revoked' end` })
    .where('status', '=', 'pending')
    .returning(['organization_id', 'status'])
    .execute()
  return rows.filter(({ status }) => status === 'revoked').map((row) => row.organization_id)
}

export const findMemberByEmail = (db: Database, organizationId: string, emailKey: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id as id')
    .where('m.organization_id', '=', organizationId)
    .where('u.email_key', '=', emailKey)
    .executeTakeFirst()
