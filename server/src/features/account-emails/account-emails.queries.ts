import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/transaction.ts'

export const findRecipient = (tx: Transaction, userId: string) =>
  tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'notify_membership'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

export const findOrganizationName = (tx: Transaction, organizationId: string) =>
  tx.selectFrom('organizations').select(['name', 'slug']).where('id', '=', organizationId).executeTakeFirstOrThrow()

export const findOwner = (tx: Transaction, organizationId: string) =>
  tx
    .selectFrom('memberships')
    .select('user_id as id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirst()

/** Owner and admins who want mails of this kind. */
export const listAdminRecipients = (
  tx: Transaction,
  organizationId: string,
  preference: 'notify_api_keys' | 'notify_invitations',
) =>
  tx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'u.email'])
    .where('m.organization_id', '=', organizationId)
    .where('m.role', 'in', ['owner', 'admin'])
    .where(`u.${preference}`, '=', true)
    .orderBy('u.id')
    .execute()

/** The newest mail of a kind to each recipient since a time, with its due time if it still collects lines. */
export const listRecentMails = (
  tx: Transaction,
  organizationId: string,
  kind: string,
  recipients: readonly string[],
  since: string,
) =>
  tx
    .selectFrom('mails')
    .distinctOn('recipient')
    .select(['id', 'recipient', 'status'])
    .select(sql<string | null>`data->>'dueAt'`.as('due_at'))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('recipient', '=', sql<string>`any(${recipients}::text[])`)
    .where('created_at', '>', since)
    .orderBy('recipient')
    .orderBy('id', 'desc')
    .execute()
